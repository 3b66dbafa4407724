"""Four clients and an editor write the same notes at once: nothing is lost, nothing torn, and undo takes out one's own."""

import ctypes
import os
import re
import sys
import threading
import time
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from tests.daemon.daemons import Home, said, said_at_last

NOTES = [f"Shared {n}" for n in range(4)]
WRITERS = ("ada", "ben", "cyd", "dot")
WRITES = 20
SAVES = 24
LINE = re.compile(r"# Shared \d|## Log|## Other||- (?:ada|ben|cyd|dot|editor) \d+ [a-z]{200}")
FILLER = "abcdefghij" * 20
EXCHANGE = 2
"""The flag with which renameat2 swaps two names."""


class Editor:
    """A program that saves by writing beside and renaming, and never over what it has not read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._libc = ctypes.CDLL(None, use_errno=True)
        self.overwritten = 0
        self.torn: list[str] = []
        self.saved: list[tuple[str, str]] = []

    def run(self, ended: threading.Event) -> None:
        for number in range(SAVES):
            if ended.is_set():
                return
            name, line = f"{NOTES[number % len(NOTES)]}.md", f"- editor {number} {FILLER}"
            while not self._save(name, line):
                pass
            time.sleep(0.06)
            if line not in self.read(name):  # as a person would who sees the line vanish
                self.overwritten += 1
                while not self._save(name, line):
                    pass
            self.saved.append((name, line))

    def read(self, name: str) -> str:
        text = (self._folder / name).read_text("utf-8")
        self.torn += [line for line in text.split("\n") if not LINE.fullmatch(line)]
        if not text.endswith("\n"):
            self.torn.append(text[-50:])
        return text

    def _save(self, name: str, line: str) -> bool:
        place, beside = self._folder / name, self._folder / f".{name}.swp"
        old = self.read(name)
        beside.write_text(old.replace("## Other\n", f"## Other\n{line}\n"), "utf-8")
        self._exchange(beside, place)
        displaced = beside.read_text("utf-8")
        if displaced != old:
            self._exchange(beside, place)
        beside.unlink()
        return displaced == old

    def _exchange(self, one: Path, other: Path) -> None:
        at = -100
        if self._libc.renameat2(at, os.fsencode(one), at, os.fsencode(other), EXCHANGE):
            raise OSError(ctypes.get_errno(), "the names could not be exchanged")


async def _write(client: Client, writer: str) -> list[str]:
    """Append twenty lines, every other one to a section, and say which was each change."""
    changes = []
    for number in range(WRITES):
        arguments: dict[str, Any] = {"identifier": NOTES[number % len(NOTES)], "operation": "append"}
        if number % 2:
            arguments["section"] = "Log"
        line = f"- {writer} {number} {FILLER}"
        done = await said_at_last(client, "edit_note", content=line, reason=writer, **arguments)
        changes.append(done["change"])
    return changes


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the editor exchanges names as only Linux can")
def test_four_clients_and_an_editor_lose_nothing(home: Home) -> None:
    for name in NOTES:
        (home.vault / f"{name}.md").write_text(f"# {name}\n\n## Log\n\n## Other\n", "utf-8")
    editor, ended = Editor(home.vault), threading.Event()
    saving = threading.Thread(target=editor.run, args=(ended,))
    changes: dict[str, list[str]] = {}

    async def write(writer: str, client: Client) -> None:
        changes[writer] = await _write(client, writer)

    async def scenario() -> None:
        async with home.client() as ada, home.client() as ben, home.client() as cyd, home.client() as dot:
            clients = dict(zip(WRITERS, (ada, ben, cyd, dot), strict=True))
            await said_at_last(ada, "list_directory")
            saving.start()
            async with anyio.create_task_group() as tasks:
                for writer, client in clients.items():
                    tasks.start_soon(write, writer, client)
            await anyio.to_thread.run_sync(saving.join)
            _check_all_is_there(editor)
            await _check_each_change_is_kept(ada, changes)
            own = next(c["session"] for c in (await said(ada, "history", limit=200))["changes"] if c["reason"] == "ben")
            await said(ada, "undo", session=own)

    try:
        anyio.run(scenario)
    finally:
        ended.set()
    left = "".join(editor.read(f"{name}.md") for name in NOTES)
    assert not re.search(r"^- ben ", left, re.MULTILINE)
    assert len(re.findall(r"^- (?:ada|cyd|dot|editor) ", left, re.MULTILINE)) == 3 * WRITES + SAVES
    assert not editor.torn


def _check_all_is_there(editor: Editor) -> None:
    written = [(f"{NOTES[n % len(NOTES)]}.md", f"- {writer} {n} {FILLER}") for writer in WRITERS for n in range(WRITES)]
    assert len(editor.saved) == SAVES
    for name, line in (*written, *editor.saved):
        assert editor.read(name).count(f"{line}\n") == 1, line[:20]
    # Between the daemon's last look at a file and its renaming lies a moment that no program can close.
    assert editor.overwritten <= 1
    assert not editor.torn


async def _check_each_change_is_kept(client: Client, changes: dict[str, list[str]]) -> None:
    known = {c["id"]: c for c in (await said(client, "history", limit=200))["changes"]}
    for writer, ids in changes.items():
        assert len(set(ids)) == WRITES
        assert {known[change]["reason"] for change in ids} == {writer}
        assert len({known[change]["session"] for change in ids}) == 1
