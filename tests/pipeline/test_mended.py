"""Files in which a change only mends links: their links are right at once, and the index follows in the background."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from sidecar.app import OpenVault
from sidecar.config import StateFolder
from sidecar.model.file import checksum
from sidecar.model.note import ParsedFile
from sidecar.model.path import VaultPath as P
from sidecar.parse.file import parse_file
from tests.conftest import Served

CEILING = 10
MANY = [P(f"N{n}.md") for n in range(40)]


@pytest.fixture
def linked(served: Served) -> Served:
    served.write("Hub.md", "hub")
    for path in MANY:
        served.write(path, f"{path.basename.lower()} links to [[Hub]].")
    served.open()
    return served


@pytest.fixture
def puts(linked: Served, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that the index takes from now on."""
    index, taken = linked.open().index, list[str]()
    put = index.put

    def counted(file: ParsedFile) -> None:
        taken.append(file.path)
        put(file)

    monkeypatch.setattr(index, "put", counted)
    return taken


def move(linked: Served) -> None:
    reply = linked.ok("move_note", identifier="Hub", destination_path="Centre")
    assert reply["destination"] == "Centre.md"


def held_back(opened: OpenVault, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let background work wait; the result lets it go on, and waits for its end."""
    pipeline, work = opened.pipeline, opened.pipeline._work
    monkeypatch.setattr(pipeline, "_work", lambda: None)
    monkeypatch.setattr("sidecar.pipeline.covering._CATCHING_UP", 0)

    def go_on() -> None:
        monkeypatch.setattr(pipeline, "_work", work)
        opened.writer.submit_background(work)
        assert pipeline.settle(CEILING)

    return go_on


def mentioning(linked: Served, word: str) -> list[str]:
    return sorted(linked.found(f'"links to {word}"', page_size=100))


def test_the_links_are_right_at_once_and_the_index_follows(
    linked: Served, puts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = linked.open()
    go_on = held_back(opened, monkeypatch)
    move(linked)
    assert puts == ["Centre.md"]
    assert opened.catalog.snapshot.files[MANY[0]].hash == checksum(b"n0 links to [[Centre]].")
    assert linked.ok("links", identifier="Centre")["total"] == len(MANY)
    assert sorted(opened.pipeline.waiting) == sorted(MANY)
    go_on()
    assert sorted(puts) == sorted(["Centre.md", *MANY])
    assert mentioning(linked, "centre") == sorted(MANY)


def test_a_search_right_after_it_lacks_nothing(linked: Served) -> None:
    move(linked)
    assert mentioning(linked, "centre") == sorted(MANY)
    linked.ok("undo")
    assert mentioning(linked, "hub") == sorted(MANY)
    assert mentioning(linked, "centre") == []


def test_a_search_waits_for_the_index_rather_than_reading_the_files_itself(
    linked: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = linked.open()
    go_on = held_back(opened, monkeypatch)
    move(linked)
    monkeypatch.setattr("sidecar.pipeline.covering._CATCHING_UP", CEILING)
    monkeypatch.setattr(opened.covering, "_keep", lambda *_: pytest.fail("a file was read"))
    threading.Timer(0.05, go_on).start()
    assert mentioning(linked, "centre") == sorted(MANY)


def test_each_file_is_parsed_once(linked: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed = list[str]()

    def counted(path: P, data: bytes) -> ParsedFile:
        parsed.append(path)
        return parse_file(path, data)

    monkeypatch.setattr("sidecar.pipeline.indexing.parse_file", counted)
    move(linked)
    assert linked.open().pipeline.settle(CEILING)
    assert sorted(parsed) == sorted(["Centre.md", *MANY])


def test_nobody_is_told_of_files_that_a_search_waits_for(linked: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    held_back(linked.open(), monkeypatch)
    move(linked)
    assert linked.open().pipeline.progress.pending == len(MANY)
    assert not any("indexed" in block for block in linked.call("read_note", identifier="Centre").blocks)


def test_what_the_watcher_tells_of_them_takes_nothing_from_the_index(
    linked: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = linked.open()
    go_on = held_back(opened, monkeypatch)
    move(linked)
    opened.pipeline.look_again(frozenset(MANY[:20]))
    opened.writer.submit(lambda: opened.pipeline.look_now(MANY[20:30])).result(CEILING)
    go_on()
    assert opened.index.paths_held() == {"Centre.md", *MANY}
    assert mentioning(linked, "centre") == sorted(MANY)


def test_a_file_that_changes_before_the_index_has_it_is_found_as_it_is_then(
    linked: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = held_back(linked.open(), monkeypatch)
    move(linked)
    linked.write("N3.md", "another text")
    linked.open().pipeline.look_again(frozenset({P("N3.md")}))
    go_on()
    assert linked.found("another") == ["N3.md"]
    assert mentioning(linked, "centre") == sorted(set(MANY) - {"N3.md"})


def test_after_an_end_in_between_the_next_start_brings_the_index_up_to_date(
    linked: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    held_back(linked.open(), monkeypatch)
    move(linked)
    linked.close()
    monkeypatch.undo()
    assert mentioning(linked, "centre") == sorted(MANY)


@pytest.mark.parametrize("is_paused", [True, False])
def test_few_files_are_indexed_at_once_and_so_are_many_while_background_work_is_paused(
    linked: Served, puts: list[str], *, is_paused: bool
) -> None:
    opened = linked.open()
    if is_paused:
        opened.writer.hold(held=True)
    else:
        for path in MANY[32:]:
            linked.write(path, "no link")
        opened.index_now()
        puts.clear()
    move(linked)
    expected = MANY if is_paused else MANY[:32]
    assert sorted(puts) == sorted(["Centre.md", *expected])
    assert mentioning(linked, "centre") == sorted(expected)
    opened.writer.hold(held=False)


def test_files_that_agents_may_not_see_never_reach_the_index(tmp_path: Path) -> None:
    root = tmp_path / "Vault"
    root.mkdir()
    linked = Served(root, StateFolder(tmp_path / "state"))
    linked.write("Hub.md", "hub")
    for n in range(40):
        linked.write(f"Private/{n}.md", f"---\nprivate: true\n---\n{n} links to [[Hub]].")
    try:
        move(linked)
        assert linked.open().pipeline.settle(CEILING)
        assert linked.open().index.paths_held() == {"Centre.md"}
        assert mentioning(linked, "centre") == []
        assert "[[Centre]]" in linked.read("Private/7.md")
    finally:
        linked.close()
