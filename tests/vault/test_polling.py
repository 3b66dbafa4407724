from pathlib import Path
from threading import Event

import pytest

from sidecar.model.path import VaultPath as P
from sidecar.vault.files import VaultFiles
from sidecar.vault.polling import Polling


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    root.mkdir()
    (root / "old.md").write_text("old")
    return root


def looked(polling: Polling, stopping: Event | None = None) -> set[P]:
    told = set[P]()
    polling.look(stopping or Event(), told.add)
    return told


def test_each_difference_since_the_last_look_is_told_once(vault: Path) -> None:
    polling = Polling(VaultFiles(vault))
    assert looked(polling) == set()
    (vault / "new.md").write_text("n")
    (vault / "old.md").rename(vault / "moved.md")
    (vault / ".hidden.md").write_text("x")
    assert looked(polling) == {"new.md", "old.md", "moved.md"}
    assert looked(polling) == set()


def test_case_only_rename_and_folder_rename(vault: Path) -> None:
    (vault / "Sub").mkdir()
    (vault / "Sub/n.md").write_text("n")
    polling = Polling(VaultFiles(vault))
    (vault / "old.md").rename(vault / "Old.md")
    (vault / "Sub").rename(vault / "sub")
    assert looked(polling) == {"old.md", "Old.md", "Sub/n.md", "sub/n.md"}


def test_a_vault_that_is_not_there_tells_nothing_until_it_is_back(vault: Path) -> None:
    polling = Polling(VaultFiles(vault))
    away = vault.rename(vault.with_name("away"))
    assert looked(polling) == set()
    (away / "old.md").write_text("longer than before")
    away.rename(vault)
    assert looked(polling) == {"old.md"}


def test_a_look_that_was_interrupted_tells_nothing(vault: Path) -> None:
    polling, stopping = Polling(VaultFiles(vault)), Event()
    (vault / "old.md").unlink()
    stopping.set()
    assert looked(polling, stopping) == set()
    assert looked(polling) == {"old.md"}


def test_it_waits_the_longer_the_dearer_a_look_is(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Polling(VaultFiles(vault)).interval == 1
    seconds = iter([0.0, 0.1])
    monkeypatch.setattr("sidecar.vault.polling.time.thread_time", lambda: next(seconds))
    polling = Polling(VaultFiles(vault))
    assert polling.interval == pytest.approx(5)
    assert 4 < polling.seconds_left(polling._next - 4.5) < 5
