import errno
import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from sidecar.model.path import VaultPath as P
from sidecar.vault import limits, listening, settling
from sidecar.vault import watcher as watcher_module
from sidecar.vault.watcher import Watcher, Watching

CEILING = 15.0


class Seen:
    """What the watcher told, with a patient question."""

    def __init__(self) -> None:
        self.calls: list[frozenset[P] | None] = []

    def __call__(self, paths: frozenset[P] | None) -> None:
        self.calls.append(paths)

    @property
    def paths(self) -> set[P]:
        return {path for call in self.calls if call is not None for path in call}

    def wait(self, until: Callable[["Seen"], bool]) -> None:
        end = time.monotonic() + CEILING
        while not until(self):
            assert time.monotonic() < end, f"only saw {self.calls}"
            time.sleep(0.02)

    def wait_for(self, *paths: str) -> None:
        self.wait(lambda seen: seen.paths >= set(paths))

    def wait_for_everything(self) -> None:
        self.wait(lambda seen: None in seen.calls)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    (root / "Notes").mkdir(parents=True)
    (root / ".obsidian").mkdir()
    (root / "a.md").write_text("a")
    return root


@pytest.fixture
def seen() -> Seen:
    return Seen()


@pytest.fixture
def watcher(vault: Path, seen: Seen) -> Iterator[Watcher]:
    watcher = Watcher(vault, seen, debounce=0.1)
    watcher.start()
    yield watcher
    watcher.stop()


@pytest.mark.usefixtures("watcher")
class TestOutsideChanges:
    def test_new_file(self, vault: Path, seen: Seen) -> None:
        (vault / "Notes/n.md").write_text("n")
        seen.wait_for("Notes/n.md")
        assert None not in seen.calls

    def test_changed_file(self, vault: Path, seen: Seen) -> None:
        (vault / "a.md").write_text("other")
        seen.wait_for("a.md")

    def test_save_by_temporary_file_and_rename(self, vault: Path, seen: Seen) -> None:
        (vault / ".a.md.swp").write_text("other")
        (vault / ".a.md.swp").replace(vault / "a.md")
        seen.wait_for("a.md")
        assert seen.paths == {"a.md"}

    def test_rename(self, vault: Path, seen: Seen) -> None:
        (vault / "a.md").rename(vault / "Notes/b.md")
        seen.wait_for("a.md", "Notes/b.md")

    def test_case_only_rename(self, vault: Path, seen: Seen) -> None:
        (vault / "a.md").rename(vault / "A.md")
        seen.wait_for("a.md", "A.md")

    def test_delete(self, vault: Path, seen: Seen) -> None:
        (vault / "a.md").unlink()
        seen.wait_for("a.md")

    def test_move_into_the_trash(self, vault: Path, seen: Seen) -> None:
        (vault / ".trash").mkdir()
        (vault / "a.md").rename(vault / ".trash/a.md")
        seen.wait_for("a.md")
        assert seen.paths == {"a.md"}

    def test_folder_rename_is_everything(self, vault: Path, seen: Seen) -> None:
        (vault / "Notes").rename(vault / "Texts")
        seen.wait_for_everything()

    def test_new_folder_is_everything_and_is_watched(self, vault: Path, seen: Seen) -> None:
        (vault / "New/Deep").mkdir(parents=True)
        seen.wait_for_everything()
        (vault / "New/Deep/n.md").write_text("n")
        seen.wait_for("New/Deep/n.md")

    def test_folder_delete_is_everything(self, vault: Path, seen: Seen) -> None:
        (vault / "Notes").rmdir()
        seen.wait_for_everything()

    def test_c16_nfd_name_is_told_nfc(self, vault: Path, seen: Seen) -> None:
        (vault / "Cafe\u0301.md").write_text("n")
        seen.wait_for("Caf\u00e9.md")

    def test_a3_hidden_files_are_not_told(self, vault: Path, seen: Seen) -> None:
        (vault / ".obsidian/workspace.json").write_text("{}")
        (vault / ".hidden.md").write_text("x")
        (vault / "a.md").write_text("the end")
        seen.wait_for("a.md")
        assert seen.paths == {"a.md"}
        assert None not in seen.calls

    def test_reading_is_no_change(self, vault: Path, seen: Seen) -> None:
        (vault / "a.md").read_text()
        list(vault.iterdir())
        (vault / "Notes/end.md").write_text("x")
        seen.wait_for("Notes/end.md")
        assert seen.paths == {"Notes/end.md"}

    def test_a6_linked_folder_that_comes_is_watched(self, vault: Path, tmp_path: Path, seen: Seen) -> None:
        (tmp_path / "outside").mkdir()
        (vault / "link").symlink_to(tmp_path / "outside")
        seen.wait_for_everything()
        (tmp_path / "outside/n.md").write_text("n")
        seen.wait_for("link/n.md")


def test_a6_linked_folder_is_watched(vault: Path, tmp_path: Path, seen: Seen) -> None:
    (tmp_path / "outside/deep").mkdir(parents=True)
    (vault / "link").symlink_to(tmp_path / "outside")
    watcher = Watcher(vault, seen, debounce=0.1)
    watcher.start()
    try:
        (tmp_path / "outside/deep/n.md").write_text("n")
        seen.wait_for("link/deep/n.md")
    finally:
        watcher.stop()


def test_vault_folder_that_went_and_came_back_is_watched_again(
    vault: Path, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watcher_module, "_HEALTH_CHECK", 0.1)
    watcher = Watcher(vault, seen, debounce=0.1)
    watcher.start()
    try:
        vault.rename(vault.with_name("away"))
        time.sleep(0.4)
        seen.calls.clear()
        vault.mkdir()
        seen.wait_for_everything()
        (vault / "b.md").write_text("b")
        seen.wait_for("b.md")
    finally:
        watcher.stop()


def test_dead_observer_is_replaced(vault: Path, seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watcher_module, "_HEALTH_CHECK", 0.1)
    watcher = Watcher(vault, seen, debounce=0.1)
    watcher.start()
    try:
        assert watcher._listening is not None
        assert watcher._listening._observer is not None
        for emitter in watcher._listening._observer.emitters:
            emitter.stop()
        seen.wait_for_everything()
        (vault / "b.md").write_text("b")
        seen.wait_for("b.md")
    finally:
        watcher.stop()


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EMFILE])
def test_without_watches_left_it_looks_by_itself(
    vault: Path, tmp_path: Path, seen: Seen, monkeypatch: pytest.MonkeyPatch, error: int
) -> None:
    def none_left() -> NoReturn:
        raise OSError(error, "used up")

    monkeypatch.setattr(listening, "Observer", none_left)
    monkeypatch.setattr(watcher_module, "_POLLING_INTERVAL", 0.1)
    (vault / "loop").symlink_to(vault)
    (tmp_path / "outside").mkdir()
    (vault / "link").symlink_to(tmp_path / "outside")
    watcher = Watcher(vault, seen, debounce=0.1)
    watcher.start()
    try:
        (vault / "Notes/n.md").write_text("n")
        (vault / ".obsidian/x.json").write_text("{}")
        (tmp_path / "outside/o.md").write_text("o")
        seen.wait_for("Notes/n.md", "link/o.md")
        assert seen.paths == {"Notes/n.md", "link/o.md"}
        assert watcher.watching == Watching("polling", "the system's file watches are used up")
    finally:
        watcher.stop()


def test_on_a_network_disk_it_looks_by_itself(vault: Path, seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watcher_module, "reason_to_poll", lambda _: "it is on a network disk")
    monkeypatch.setattr(watcher_module, "_POLLING_INTERVAL", 0.1)
    monkeypatch.setattr(settling, "_BURST", 10)
    watcher = Watcher(vault, seen, debounce=0.3)
    watcher.start()
    try:
        assert watcher.watching == Watching("polling", "it is on a network disk")
        (vault / "a.md").rename(vault / "A.md")
        seen.wait_for("a.md", "A.md")
        for number in range(50):
            (vault / f"{number}.md").touch()
        seen.wait_for_everything()
        (vault / "0.md").unlink()
        seen.wait_for("0.md")
    finally:
        watcher.stop()
    assert watcher.watching.mode == "off"


def test_too_many_new_folders_make_it_look_by_itself(vault: Path, seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_watch_limit", lambda: 20)
    monkeypatch.setattr(watcher_module, "_POLLING_INTERVAL", 0.1)
    watcher = Watcher(vault, seen, debounce=0.1)
    watcher.start()
    try:
        assert watcher.watching == Watching("native")
        for number in range(10):
            (vault / f"folder {number}").mkdir()
        seen.wait_for_everything()
        seen.wait(lambda _: watcher.watching.mode == "polling")
        (vault / "folder 3/n.md").write_text("n")
        seen.wait_for("folder 3/n.md")
    finally:
        watcher.stop()


def test_a_flood_is_told_as_everything_and_listening_goes_on(
    vault: Path, seen: Seen, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watcher_module, "_SHORTEST_PAUSE", 0.5)
    monkeypatch.setattr(settling, "_BURST", 10)
    watcher = Watcher(vault, seen, debounce=0.3)
    watcher.start()
    try:
        for number in range(50):
            (vault / f"{number}.md").touch()
        seen.wait(lambda _: watcher.watching.reason is not None)
        assert not seen.paths
        seen.wait_for_everything()
        assert not seen.paths
        (vault / "a.md").write_text("after the flood")
        seen.wait_for("a.md")
        assert watcher.watching == Watching("native")
    finally:
        watcher.stop()


def test_events_that_the_system_dropped_are_made_up_for(
    vault: Path, seen: Seen, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(watcher_module, "_SHORTEST_PAUSE", 0.1)
    watcher = Watcher(vault, seen, debounce=0.1)
    watcher.start()
    try:
        logging.getLogger("watchdog.observers.inotify_c").warning("Inotify queue overflowed; events were lost")
        seen.wait_for_everything()
        (vault / "a.md").write_text("after")
        seen.wait_for("a.md")
    finally:
        watcher.stop()
    assert "overflowed" not in capfd.readouterr().err


def test_another_vault_that_is_closed_is_no_loss(vault: Path, seen: Seen) -> None:
    watcher = Watcher(vault, seen, debounce=0.1)
    watcher.start()
    try:
        with listening._Losses.expected():
            logging.getLogger("watchdog.observers.inotify").error("queue_events() called when the thread is inactive")
        (vault / "a.md").write_text("after")
        seen.wait_for("a.md")
        assert None not in seen.calls
    finally:
        watcher.stop()


def test_changed_rules_are_everything(vault: Path, seen: Seen) -> None:
    watcher = Watcher(vault, seen, debounce=0.1)
    watcher.start()
    try:
        (vault / ".mcpignore").write_text("Secret/\n")
        seen.wait_for_everything()
    finally:
        watcher.stop()


def test_a_failing_listener_does_not_end_the_watching(vault: Path, seen: Seen) -> None:
    def fail_first(paths: frozenset[P] | None) -> None:
        seen(paths)
        if len(seen.calls) == 1:
            raise ValueError("first")

    watcher = Watcher(vault, fail_first, debounce=0.1)
    watcher.start()
    try:
        (vault / "a.md").write_text("1")
        seen.wait_for("a.md")
        (vault / "b.md").write_text("2")
        seen.wait_for_everything()
        (vault / "c.md").write_text("3")
        seen.wait_for("c.md")
    finally:
        watcher.stop()


def test_nothing_is_told_after_stop(vault: Path, seen: Seen) -> None:
    watcher = Watcher(vault, seen, debounce=0.1)
    watcher.start()
    (vault / "a.md").write_text("1")
    watcher.stop()
    told = len(seen.calls)
    (vault / "b.md").write_text("2")
    time.sleep(0.3)
    assert len(seen.calls) == told


def test_missing_vault_cannot_be_watched(tmp_path: Path, seen: Seen) -> None:
    watcher = Watcher(tmp_path / "gone", seen)
    with pytest.raises(Exception, match="cannot be read"):
        watcher.start()
    watcher.stop()
