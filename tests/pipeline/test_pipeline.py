"""From disk to index: differences only, nothing changed, no file lost because of another."""

import os
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from sidecar.app import OpenVault
from sidecar.catalog.snapshot import Snapshot
from sidecar.errors import Unavailable
from sidecar.model.file import FileStat
from sidecar.model.note import ParsedFile
from sidecar.model.path import VaultPath
from sidecar.model.ports import Changed
from sidecar.pipeline.pending import CHANGED
from sidecar.tools.status_view import status_json, status_text
from sidecar.vault.glance import Glance
from sidecar.vault.watcher import Watching
from tests.conftest import Served

CEILING = 10


def test_indexing_and_serving_change_no_byte_name_or_time(served: Served) -> None:
    served.write("BOM.md", b"\xef\xbb\xbf---\r\na: 1\r\n---\r\nx")
    served.write("Bad.md", "---\na: [\n---\nx")
    served.write("Latin.md", b"caf\xe9")
    served.write("Nul.md", b"a\0b")
    served.write("Empty.md", "")
    served.write("C.canvas", "not json")
    served.write("B.base", "views: [")
    served.write("p.png", b"\x89PNG\0")
    before = served.hash()
    served.open()
    for query in ("x", "caf", "a", "tag:none"):
        served.ok("search_notes", query=query)
    served.ok("list_directory", depth=5)
    served.close()
    served.open()
    assert served.hash() == before
    assert served.open().pipeline.progress.problems.keys() == {"C.canvas", "Latin.md", "Nul.md"}, "it is remembered"


def test_only_differences_are_looked_at(served: Served) -> None:
    for n in range(5):
        served.write(f"{n}.md", f"word{n}")
    opened = served.open()
    assert opened.index_now() == 0
    served.write("0.md", "changed now")
    (served.root / "1.md").unlink()
    (served.root / "2.md").rename(served.root / "two.md")
    assert opened.index_now() == 4
    assert (served.found("word0"), served.found("word1"), served.found("word2")) == ([], [], ["two.md"])
    assert served.found("changed") == ["0.md"]


def test_a_note_that_cannot_be_read_is_reported_and_costs_no_neighbour(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    served.write("Locked.md", "secret")
    served.write("Open.md", "open")
    real = Glance.read

    def locked(self: Glance, path: VaultPath) -> bytes:
        if path == "Locked.md":
            raise Unavailable("Permission denied.")
        return real(self, path)

    monkeypatch.setattr(Glance, "read", locked)
    opened = served.open()
    assert dict(opened.pipeline.progress.problems) == {"Locked.md": "Permission denied."}
    assert served.found("open") == ["Open.md"]
    monkeypatch.undo()
    opened.index_now()
    assert served.found("secret") == ["Locked.md"]
    assert not opened.pipeline.progress.problems


def test_a_lost_state_folder_comes_back(served: Served) -> None:
    served.write("N.md", "alpha")
    assert served.found("alpha") == ["N.md"]
    served.close()
    for path in sorted(served.state.root.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    assert served.found("alpha") == ["N.md"]


@pytest.mark.parametrize("lost", ["index", "catalog.sqlite3"])
def test_index_and_catalog_come_back_each_by_itself(served: Served, lost: str) -> None:
    served.write("N.md", "alpha #tag")
    served.open()
    served.close()
    place = served.state.project(served.root) / lost
    if place.is_dir():
        for file in place.iterdir():
            file.write_bytes(b"broken")
    else:
        place.write_bytes(b"broken")
    assert served.found("alpha") == ["N.md"]
    assert served.found("tag:tag") == ["N.md"]


def test_a_file_of_equal_size_is_seen_by_its_time(served: Served) -> None:
    file = served.write("N.md", "alpha")
    served.open()
    file.write_text("gamma")
    os.utime(file, ns=(1, 1))
    served.reindex()
    assert served.found("gamma") == ["N.md"]


def heard(opened: OpenVault) -> list[Changed]:
    events = list[Changed]()
    opened.pipeline._events.subscribe(events.append)
    return events


def told(opened: OpenVault, *paths: str) -> None:
    """Let the watcher tell paths, and wait until they were looked at."""
    opened.pipeline.look_again(frozenset(map(VaultPath, paths)))
    assert opened.pipeline.settle(CEILING)


def test_an_own_write_is_indexed_once(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = served.open()
    put, puts = opened.index.put, list[str]()

    def counted(file: ParsedFile) -> None:
        puts.append(file.path)
        put(file)

    monkeypatch.setattr(opened.index, "put", counted)
    events = heard(opened)
    served.ok("write_note", title="Own", directory="", content="alpha")
    told(opened, "Own.md")
    opened.index_now()
    opened.pipeline.look_again(None)
    assert opened.pipeline.settle(CEILING)
    assert puts == ["Own.md"]
    assert [event.paths for event in events] == [("Own.md",)]


def test_a_file_that_vanishes_before_it_is_looked_at(served: Served) -> None:
    opened = served.open()
    served.write("N.md", "alpha")
    opened.index_now()
    gate = threading.Event()
    opened.writer.submit(gate.wait)
    served.write("N.md", "beta")
    opened.pipeline.look_again(frozenset({VaultPath("N.md")}))
    (served.root / "N.md").unlink()
    gate.set()
    assert opened.pipeline.settle(CEILING)
    assert served.found("alpha") == served.found("beta") == []


class Clock:
    """The real one, which a test may put forward."""

    ahead = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.ahead


@pytest.fixture
def many(served: Served) -> Served:
    """A vault of 60 notes."""
    for n in range(60):
        served.write(f"Folder {n % 3}/N{n}.md", f"alpha word{n:02}")
    served.open()
    return served


@pytest.fixture
def clock(many: Served) -> Clock:
    clock, pipeline = Clock(), many.open().pipeline
    pipeline._clock = pipeline._hold._clock = pipeline._reconciler._clock = clock
    return clock


def test_many_notes_that_vanish_at_once_are_kept_for_a_minute(many: Served, clock: Clock) -> None:
    opened = many.open()
    away = (many.root / "Folder 1").rename(many.root.with_name("away"))
    (many.root / "Folder 0/N0.md").unlink()
    (many.root / "Folder 2/N59.md").unlink()
    many.write("New.md", "alpha new")
    many.write("Folder 0/N3.md", "changed")
    opened.index_now()
    assert len(opened.catalog.snapshot.files) == 61, "nothing is forgotten"
    assert many.found("new") == ["New.md"], "additions go on"
    assert many.found("changed") == ["Folder 0/N3.md"], "changes go on"
    held = status_json(opened.services.status.look())["held_deletions"]
    assert 50 < held.pop("seconds") <= 60
    assert held == {"reason": "22 of 60 notes vanished at once", "files": 22}
    assert "22 of 60 notes vanished at once" in status_text(status_json(opened.services.status.look()))
    clock.ahead += 30
    told(opened, "Folder 0/N0.md")
    assert len(opened.catalog.snapshot.files) == 61
    clock.ahead += 30
    opened.index_now()
    assert len(opened.catalog.snapshot.files) == 39
    assert status_json(opened.services.status.look())["held_deletions"] is None
    away.rename(many.root / "Folder 1")
    opened.index_now()
    assert many.found("word01") == ["Folder 1/N1.md"]


@pytest.mark.usefixtures("clock")
def test_many_notes_that_vanish_by_single_events_are_kept_as_well(many: Served) -> None:
    opened = many.open()
    paths = [path for path in opened.catalog.snapshot.files if path.is_under("Folder 1")]
    paths += [VaultPath("Folder 0/N0.md")]
    for path in paths:
        (many.root / path).unlink()
    told(opened, *paths)
    assert len(opened.catalog.snapshot.files) == 60
    assert opened.pipeline.progress.held is not None


@pytest.mark.usefixtures("clock")
def test_a_few_deletions_and_a_renamed_folder_are_believed(many: Served) -> None:
    opened = many.open()
    for n in (0, 3, 6):
        (many.root / f"Folder 0/N{n}.md").unlink()
    (many.root / "Folder 1").rename(many.root / "folder 1")
    (many.root / "Folder 2").rename(many.root / "Elsewhere")
    opened.index_now()
    assert opened.pipeline.progress.held is None
    assert (many.found("word00"), many.found("word01"), many.found("word02")) == (
        [],
        ["folder 1/N1.md"],
        ["Elsewhere/N2.md"],
    )


@pytest.mark.usefixtures("clock")
def test_a_vault_that_is_not_there_is_not_empty(many: Served) -> None:
    opened = many.open()
    away = many.root.rename(many.root.with_name("away"))
    told(opened, *(path for path in list(opened.catalog.snapshot.files)[:5]))
    opened.pipeline.look_again(None)
    assert opened.pipeline.settle(CEILING)
    with pytest.raises(Unavailable):
        opened.index_now()
    assert len(opened.catalog.snapshot.files) == 60
    assert "cannot be read" in status_text(status_json(opened.services.status.look()))
    away.rename(many.root)
    assert opened.index_now() == 0
    assert opened.pipeline.progress.held is None


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the administrator may list every folder")
def test_notes_in_a_folder_that_cannot_be_listed_are_kept_by_rights(many: Served) -> None:
    opened = many.open()
    (many.root / "Folder 0").chmod(0)
    try:
        opened.index_now()
    finally:
        (many.root / "Folder 0").chmod(0o755)
    assert len(opened.catalog.snapshot.files) == 60


def test_notes_in_a_folder_that_cannot_be_listed_are_kept(many: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    opened, scandir = many.open(), os.scandir

    def failing(place: "Path | str") -> Any:
        if str(place).endswith("Folder 0"):
            raise OSError(5, "Input/output error")
        return scandir(place)

    (many.root / "Folder 1/N1.md").unlink()
    with monkeypatch.context() as disk:
        disk.setattr(os, "scandir", failing)
        opened.index_now()
        assert opened.pipeline.progress.problems == {"Folder 0": "Input/output error"}
    assert len(opened.catalog.snapshot.files) == 59
    assert opened.pipeline.progress.held is None


def test_what_only_a_comparison_found_is_told(many: Served, clock: Clock) -> None:
    served, opened = many, many.open()
    served.write("Silent.md", "silent")
    opened.pipeline._reconcile(False)
    assert opened.pipeline.settle(CEILING)
    assert served.found("silent") == ["Silent.md"]
    clock.ahead += 20
    status = status_json(opened.services.status.look())
    assert status["missed"] == {"count": 1, "last": ["Silent.md"]}
    assert "1, the last of them Silent.md" in status_text(status)
    served.write("Told.md", "beta")
    opened.pipeline.reconcile()
    clock.ahead += 20
    assert opened.pipeline.progress.missed.count == 1, "someone asked for that comparison"


def test_an_event_that_comes_late_is_no_miss(many: Served, clock: Clock) -> None:
    opened = many.open()
    for told_by in (frozenset({VaultPath("Late.md")}), None):
        many.write("Late.md", f"late {told_by}")
        opened.pipeline._reconcile(False)
        opened.pipeline.look_again(told_by)
        assert opened.pipeline.settle(CEILING)
        clock.ahead += 20
        assert opened.pipeline.progress.missed.count == 0


def test_deletions_that_were_believed_are_not_held_anew_before_they_are_carried_out(many: Served, clock: Clock) -> None:
    opened, gate = many.open(), threading.Event()
    shutil.rmtree(many.root / "Folder 1")
    shutil.rmtree(many.root / "Folder 2")
    opened.index_now()
    holds = [opened.pipeline.progress.held]
    clock.ahead += 60
    opened.writer.submit(gate.wait)
    opened.pipeline.reconcile()
    opened.pipeline.reconcile()
    holds.append(opened.pipeline.progress.held)
    gate.set()
    assert [hold is None for hold in holds] == [False, True]
    assert opened.pipeline.settle(CEILING)
    assert len(opened.catalog.snapshot.files) == 20


def test_a_file_that_goes_between_its_indexing_and_the_commit(served: Served) -> None:
    opened, path = served.open(), VaultPath("N.md")
    served.write(path, "alpha")

    def index_without_commit() -> None:
        opened.pipeline._pending.take_these([path])
        opened.pipeline._indexing.look(path, CHANGED, opened.pipeline._files.glance())

    opened.writer.submit(index_without_commit).result(CEILING)
    (served.root / path).unlink()
    served.write("Other.md", "to be committed")
    opened.index_now()
    assert path not in opened.catalog.snapshot.files
    assert served.found("alpha") == []


def test_a_second_change_within_the_same_tick_of_the_clock_is_seen(served: Served) -> None:
    file = served.write("N.md", "alpha")
    opened = served.open()
    before = file.stat().st_mtime_ns
    file.write_text("gamma")
    os.utime(file, ns=(before, before))
    opened.index_now()
    assert served.found("gamma") == ["N.md"]


def test_an_index_that_began_anew_gets_all_files_again(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    served.write("N.md", "alpha")
    opened = served.open()
    commit, held, failures = opened.index.commit, opened.index.paths_held, [1]

    def damaged() -> None:
        if failures:
            failures.pop()
            raise Unavailable("The index is damaged.")
        commit()

    monkeypatch.setattr(opened.index, "commit", damaged)
    monkeypatch.setattr(opened.index, "paths_held", lambda: held() - {"N.md"})
    put, puts = opened.index.put, list[str]()

    def counted(file: ParsedFile) -> None:
        puts.append(file.path)
        put(file)

    monkeypatch.setattr(opened.index, "put", counted)
    served.ok("write_note", title="Own", directory="", content="beta")
    assert opened.pipeline.settle(CEILING)
    assert puts == ["Own.md", "N.md"]
    assert opened.pipeline.progress.fault is None


def test_status_tells_how_the_vault_is_watched(served: Served) -> None:
    opened = served.open()
    assert status_json(opened.services.status.look())["watching"] == {"mode": "off", "reason": None}
    opened.start()
    assert status_json(opened.services.status.look())["watching"]["mode"] == "native"
    opened.watcher._watching = Watching("polling", "it is on a network disk")
    text = status_text(status_json(opened.services.status.look()))
    assert "watching: by looking at every file again and again: it is on a network disk" in text


@pytest.mark.parametrize("part", ["catalog.commit", "catalog.put", "index.commit", "index.put"])
@pytest.mark.parametrize("error", [Unavailable("The disk is full."), ZeroDivisionError("what?")], ids=["full", "odd"])
def test_a_fault_in_background_work_is_told_and_made_up_for(
    served: Served, monkeypatch: pytest.MonkeyPatch, part: str, error: Exception
) -> None:
    opened = served.open()
    monkeypatch.setattr("sidecar.pipeline.timetable._FIRST_RETRY", 1000)
    owner, name = part.split(".")

    def failing(*_: object) -> NoReturn:
        raise error

    for n in range(3):
        served.write(f"N{n}.md", f"alpha word{n}")
    with monkeypatch.context() as fault:
        fault.setattr(getattr(opened, owner), name, failing)
        opened.index_now()
        status = status_json(opened.services.status.look())
    assert status["fault"] == (
        "The disk is full." if isinstance(error, Unavailable) else "unexpected ZeroDivisionError"
    )
    assert status["fault"] in status_text(status)
    assert opened.writer.submit(lambda: 7).result(CEILING) == 7
    opened.index_now()
    assert served.found("alpha") == ["N0.md", "N1.md", "N2.md"]
    assert opened.pipeline.progress.fault is None


def test_a_fault_is_made_up_for_without_anyone_asking(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = served.open()
    monkeypatch.setattr(opened.pipeline._reconciler._times, "retry_after", 0.01)
    commit, failures = opened.catalog.commit, [1, 2]

    def failing() -> Snapshot:
        if failures:
            failures.pop()
            raise Unavailable("The disk is full.")
        return commit()

    monkeypatch.setattr(opened.catalog, "commit", failing)
    served.write("N.md", "alpha")
    opened.pipeline.look_again(frozenset({VaultPath("N.md")}))
    end = time.monotonic() + CEILING
    while not (opened.catalog.snapshot.files and not failures and opened.pipeline.progress.fault is None):
        assert time.monotonic() < end
        time.sleep(0.01)
    assert served.found("alpha") == ["N.md"]


def test_merging_that_fails_is_told(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = served.open()

    def failing() -> NoReturn:
        raise Unavailable("The disk is full.")

    monkeypatch.setattr(opened.index, "merge_small", failing)
    opened.pipeline._tidying._when_idle()
    assert opened.pipeline.progress.fault == "The disk is full."


def test_an_agent_waits_for_no_comparison(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = served.open()
    served.write("N.md", "alpha")
    scan, gate, scanning = opened.pipeline._files.scan, threading.Event(), threading.Event()

    def slow() -> Iterator[FileStat]:
        scanning.set()
        assert gate.wait(CEILING)
        yield from scan()

    monkeypatch.setattr(opened.pipeline._files, "scan", slow)
    opened.pipeline.look_again(None)
    assert scanning.wait(CEILING)
    served.ok("write_note", title="Own", directory="", content="beta")
    assert served.found("beta") == ["Own.md"]
    told_single = frozenset({VaultPath("N.md")})
    opened.pipeline.look_again(told_single)
    assert opened.pipeline._pending.settle(CEILING)
    assert served.found("alpha") == ["N.md"]
    assert not opened.pipeline.settle(0)
    gate.set()
    assert opened.pipeline.settle(CEILING)


def test_small_segments_are_merged_only_when_agents_pause(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    opened, merges = served.open(), list[bool]()

    def merge() -> bool:
        merges.append(True)
        return False

    monkeypatch.setattr(opened.index, "merge_small", merge)
    monkeypatch.setattr(opened.writer, "_quiet", 1000)
    for n in range(5):
        served.ok("write_note", title=f"Own {n}", directory="", content="alpha")
    opened.writer.submit_background(lambda: None).result(CEILING)
    assert not merges
    monkeypatch.setattr("sidecar.pipeline.tidying._COMMITS_UNTIDIED", 7)
    for n in range(5, 8):
        served.ok("write_note", title=f"Own {n}", directory="", content="alpha")
    opened.writer.submit_background(lambda: None).result(CEILING)
    assert merges, "agents never paused, and there are too many segments"


class TestC23:
    """The index is fresh: what editors and other programs do is found at once."""

    @pytest.fixture(autouse=True)
    def started(self, served: Served) -> None:
        served.write("Old.md", "alpha")
        served.open().start()

    def wait(self, served: Served, query: str, *expected: str) -> None:
        end = time.monotonic() + CEILING
        while served.found(query) != list(expected):
            assert time.monotonic() < end, served.found(query)
            time.sleep(0.02)

    def test_new_file(self, served: Served) -> None:
        served.write("External.md", "outside")
        self.wait(served, "outside", "External.md")

    def test_save_by_temporary_file_and_rename(self, served: Served) -> None:
        (served.root / "Old.md").rename(served.root / "Old.md~")
        served.write("Old.md", "saved by vim")
        (served.root / "Old.md~").unlink()
        self.wait(served, "vim", "Old.md")
        assert served.found("alpha") == []
        assert set(served.open().catalog.snapshot.files) == {"Old.md"}

    def test_a_file_written_in_pieces_is_indexed_whole(self, served: Served) -> None:
        with (served.root / "Long.md").open("w") as file:
            for n in range(5):
                file.write(f"piece{n} ")
                file.flush()
                time.sleep(0.05)
        self.wait(served, "piece0 piece4", "Long.md")

    def test_rename_and_case_only_rename(self, served: Served) -> None:
        (served.root / "Old.md").rename(served.root / "New.md")
        self.wait(served, "alpha", "New.md")
        (served.root / "New.md").rename(served.root / "NEW.md")
        self.wait(served, "alpha", "NEW.md")

    def test_folder_rename(self, served: Served) -> None:
        served.write("Sub/N.md", "beta")
        self.wait(served, "beta", "Sub/N.md")
        (served.root / "Sub").rename(served.root / "sub")
        self.wait(served, "beta", "sub/N.md")

    def test_delete(self, served: Served) -> None:
        (served.root / "Old.md").unlink()
        self.wait(served, "alpha")


def test_a_search_of_a_damaged_index_is_answered_from_the_files_until_it_is_built_anew(served: Served) -> None:
    for n in range(5):
        served.write(f"N{n}.md", f"alpha number{n}")
    served.write("Secret.md", "---\nprivate: true\n---\nalpha")
    opened = served.open()
    for segment in opened.index.folder.glob("*.seg"):
        segment.write_bytes(b"\0" * 100)
    assert sorted(served.found("alpha")) == [f"N{n}.md" for n in range(5)]
    assert served.found("number3") == ["N3.md"]
    assert opened.pipeline.settle(CEILING)
    assert not opened.index.is_damaged
    assert sorted(served.found("alpha")) == [f"N{n}.md" for n in range(5)]
    assert not opened.index.is_partial
