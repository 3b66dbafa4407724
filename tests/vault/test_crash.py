"""A kill -9 between each two steps of a write: afterwards the vault is wholly before or wholly after."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from sidecar.journal.intents import SqliteJournal
from sidecar.model.change import ChangeState
from sidecar.vault.changes import recover
from sidecar.vault.files import VaultFiles
from tests.killing import Run, running

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the script forks")

CRLF = b"\xef\xbb\xbf# T\r\n\r\nno final newline"
BEFORE = {"a.md": b"A", "b.md": b"B", "Notes/c.md": CRLF}
AFTER = {
    "create": BEFORE | {"New/Deep/n.md": b"n\r\n"},
    "replace": BEFORE | {"Notes/c.md": CRLF + b"!"},
    "delete": {"b.md": b"B", "Notes/c.md": CRLF},
    "several": {"Moved/a.md": b"A2", "Notes/c.md": b"changed", "n.md": b"n", ".trash/b.md": b"B"},
}
NEVER = 0


@pytest.fixture(scope="module")
def write() -> Iterator[Run]:
    with running(Path(__file__).with_name("crashing_write.py")) as run:
        yield run


def make_vault(folder: Path) -> Path:
    for path, data in BEFORE.items():
        place = folder / "vault" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)
    return folder


def tree(folder: Path) -> dict[str, bytes]:
    root = folder / "vault"
    files = {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}
    empty = {str(p.relative_to(root)): b"empty folder" for p in root.rglob("*") if p.is_dir() and not any(p.iterdir())}
    return files | empty


def judge(folder: Path, scenario: str) -> ChangeState | None:
    """Recover and check that the files and the journal tell the same story; return the state."""
    journal = SqliteJournal(folder / "state/journal.sqlite3", lambda: 2)
    try:
        recoveries = recover(VaultFiles(folder / "vault"), journal)
        assert all(recovery.left == () for recovery in recoveries)
        changes = journal.changes()
    finally:
        journal.close()
    state = changes[0].state if changes else None
    assert state is not ChangeState.OPEN
    assert tree(folder) == (AFTER[scenario] if state is ChangeState.DONE else BEFORE)
    return state


@pytest.mark.parametrize("scenario", AFTER)
def test_kill_between_each_two_steps_of_a_write(tmp_path: Path, write: Run, scenario: str) -> None:
    steps = write(make_vault(tmp_path / "whole"), scenario, NEVER)
    assert steps is not None
    assert judge(tmp_path / "whole", scenario) is ChangeState.DONE
    states = []
    for step in range(1, steps + 1):
        folder = make_vault(tmp_path / str(step))
        assert write(folder, scenario, step) is None
        states.append(judge(folder, scenario))
    assert states[0] is None
    assert states[-1] is ChangeState.DONE
    assert ChangeState.ROLLED_BACK in states


@pytest.mark.parametrize("crash", [0.6, 0.9])
def test_kill_between_each_two_steps_of_a_recovery(tmp_path: Path, write: Run, crash: float) -> None:
    steps = write(make_vault(tmp_path / "whole"), "several", NEVER)
    assert steps is not None
    for step in range(1, 200):
        folder = make_vault(tmp_path / str(step))
        assert write(folder, "several", int(steps * crash)) is None
        recovered = write(folder, "recover", step)
        judge(folder, "several")
        if recovered is not None:
            return
    pytest.fail("the recovery never ended")
