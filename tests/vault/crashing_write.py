"""Applies one change, or recovers from one, in a child that kills itself before the n-th step that touches the disk.

A process of its own, since it forks: test_crash.py writes lines ``N SCENARIO|recover FOLDER`` and reads the number of
steps of a child that survived, ``killed`` for one that did not.
"""

import os
import signal
import sqlite3
import sys
from pathlib import Path
from typing import Any

from sidecar.journal.intents import SqliteJournal
from sidecar.model.change import Author, ChangeSet, Entry, Op
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath as P
from sidecar.vault.changes import DiskSink, recover
from sidecar.vault.files import VaultFiles
from tests.killing import answer_lines

CRLF = b"\xef\xbb\xbf# T\r\n\r\nno final newline"
BEFORE = {"a.md": b"A", "b.md": b"B", "Notes/c.md": CRLF}
SCENARIOS = {
    "create": (Entry(Op.CREATE, P("New/Deep/n.md"), None, b"n\r\n"),),
    "replace": (Entry(Op.REPLACE, P("Notes/c.md"), checksum(CRLF), CRLF + b"!"),),
    "delete": (Entry(Op.TRASH, P("a.md"), checksum(b"A")),),
    "several": (
        Entry(Op.MOVE, P("a.md"), checksum(b"A"), b"A2", P("Moved/a.md")),
        Entry(Op.REPLACE, P("Notes/c.md"), checksum(CRLF), b"changed"),
        Entry(Op.CREATE, P("n.md"), None, b"n"),
        Entry(Op.TRASH, P("b.md"), checksum(b"B"), None, P(".trash/b.md")),
    ),
}
_STEPS = {"open", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.utime", "os.chmod"}


class Fuse:
    """Counts steps from the moment it is armed, and blows at the n-th."""

    def __init__(self, blows_at: int) -> None:
        self.blows_at, self.steps, self.is_armed = blows_at, 0, False

    def step(self) -> None:
        if self.is_armed:
            self.steps += 1
            if self.steps == self.blows_at:
                os.kill(os.getpid(), signal.SIGKILL)

    def arm(self) -> None:
        fsync = os.fsync

        def sync(fd: Any) -> None:
            self.step()
            fsync(fd)

        os.fsync = sync
        sys.addaudithook(lambda event, _: self.step() if event in _STEPS else None)
        self.is_armed = True


def run(folder: Path, scenario: str, blows_at: int) -> int:
    """Return the number of steps, unless the fuse blows."""
    fuse = Fuse(blows_at)
    real_connect = sqlite3.connect

    class Connection(sqlite3.Connection):
        def execute(self, sql: str, *args: Any) -> sqlite3.Cursor:
            if not sql.startswith("SELECT"):
                fuse.step()
            return super().execute(sql, *args)

    sqlite3.connect = lambda *args, **kwargs: real_connect(*args, factory=Connection, **kwargs)  # type: ignore[assignment]
    files = VaultFiles(folder / "vault")
    journal = SqliteJournal(folder / "state/journal.sqlite3", lambda: 1)
    sink = DiskSink(files, journal, lambda *_: None)
    fuse.arm()
    if scenario == "recover":
        recover(files, journal)
    else:
        sink.apply(ChangeSet("test", SCENARIOS[scenario], "x"), Author("c", "s"))
    fuse.is_armed = False
    return fuse.steps


if __name__ == "__main__":
    answer_lines(run)
