"""Indexes a vault, or merges what indexing left, in a child that kills itself before the n-th step that touches the disk.

A process of its own, since it forks: test_killed.py writes lines ``N index|merge FOLDER`` and reads the number of steps
of a child that survived, ``killed`` for one that did not.
"""

import os
import signal
import sqlite3
import sys
from itertools import count
from pathlib import Path
from typing import Any

from sidecar.app import OpenVault, open_vault
from sidecar.config import Settings, StateFolder
from sidecar.index import merge
from sidecar.index.whoosh_index import WhooshIndex
from tests.killing import answer_lines

_STEPS = {"open", "os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir"}


class Fuse:
    """Counts steps below a folder from the moment it is armed, and blows at the n-th."""

    def __init__(self, folder: Path, blows_at: int) -> None:
        self._folder, self._blows_at, self.steps, self.is_armed = str(folder), blows_at, 0, False
        real_sync, real_connect = os.fsync, sqlite3.connect

        def sync(fd: Any) -> None:
            self.step()
            real_sync(fd)

        class Connection(sqlite3.Connection):
            def execute(connection, sql: str, *args: Any) -> sqlite3.Cursor:  # noqa: N805 - self is the fuse
                if not sql.startswith(("SELECT", "PRAGMA")):
                    self.step()
                return super().execute(sql, *args)

        os.fsync = sync
        sqlite3.connect = lambda *args, **more: real_connect(*args, factory=Connection, **more)  # type: ignore[assignment]
        sys.addaudithook(self._heard)

    def _heard(self, event: str, arguments: tuple[object, ...]) -> None:
        if event in _STEPS and str(arguments[0]).startswith(self._folder):
            self.step()

    def step(self) -> None:
        """Count one more."""
        if self.is_armed:
            self.steps += 1
            if self.steps == self._blows_at:
                os.kill(os.getpid(), signal.SIGKILL)


def changed(folder: Path) -> None:
    """Do what a person did while nothing ran."""
    vault = folder / "vault"
    (vault / "New.md").write_text("fresh [[Note 1]]")
    (vault / "Note 2.md").write_text("changed #tag")
    (vault / "Note 3.md").unlink()
    (vault / "Note 4.md").rename(vault / "Moved.md")


def opened_in(folder: Path) -> OpenVault:
    """Open the vault in ``folder/vault`` with the state in ``folder/state``."""
    return open_vault(folder / "vault", StateFolder(folder / "state"), Settings())


def run(folder: Path, scenario: str, blows_at: int) -> int:
    """Return the number of steps, unless the fuse blows."""
    fuse = Fuse(folder / "state", blows_at)
    # Merging pauses by the clock: with this one it does after the same steps every time.
    setattr(merge, "monotonic", count(0, 0.001).__next__)  # noqa: B010 - it exports no such name
    merge_small = WhooshIndex.merge_small
    # Not before the fuse is armed.
    WhooshIndex.merge_small = lambda _: False  # type: ignore[method-assign, assignment]
    if scenario == "index":
        changed(folder)
        fuse.is_armed = True
    opened = opened_in(folder)
    opened.index_now()
    if scenario == "merge":
        fuse.is_armed = True
        while opened.writer.submit(lambda: merge_small(opened.index)).result():
            pass
    opened.close()
    fuse.is_armed = False
    return fuse.steps


if __name__ == "__main__":
    answer_lines(run)
