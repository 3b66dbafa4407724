"""Deleting among others: what changes at the last moment, and what is not in the catalog yet."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sidecar.journal.intents import SqliteJournal
from sidecar.vault import writer
from tests.conftest import Served


@pytest.fixture
def kept(served: Served) -> Served:
    served.write(".obsidian/app.json", json.dumps({"trashOption": "local"}))
    served.write("docs/A.md", "a")
    served.write("docs/B.md", "b")
    served.open()
    return served


def test_what_a_person_wrote_at_the_last_moment_is_in_the_trash(kept: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    real, edited = writer.move, False

    def after_a_person(source: Path, target: Path, expected: str) -> None:
        nonlocal edited
        if not edited:
            edited = True
            source.write_text("person")
        real(source, target, expected)

    monkeypatch.setattr(writer, "move", after_a_person)
    gone = kept.ok("delete_note", identifier="docs/A")
    assert kept.read(".trash/A.md") == "person"
    monkeypatch.undo()
    kept.ok("undo", change=gone["change"])
    assert kept.read("docs/A.md") == "person"


def test_a_failure_in_the_middle_leaves_everything_as_it_was(kept: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    real = writer.move

    def failing(source: Path, target: Path, expected: str) -> None:
        if source.name == "B.md":
            raise OSError(28, "No space left on device")
        real(source, target, expected)

    monkeypatch.setattr(writer, "move", failing)
    kept.call("delete_note", identifier="docs", is_directory=True)
    assert (kept.read("docs/A.md"), kept.read("docs/B.md")) == ("a", "b")
    assert not (kept.root / ".trash").exists()


def test_files_that_came_to_the_disk_only_now_are_among_them(kept: Served) -> None:
    kept.write("docs/new/C.md", "c")
    gone = kept.ok("delete_note", identifier="docs", is_directory=True)
    assert gone["files"] == ["docs/A.md", "docs/B.md", "docs/new/C.md"]
    kept.write("D.md", "d")
    assert kept.ok("delete_note", identifier="D.md")["title"] == "D"


def test_a_note_that_became_private_a_moment_ago_is_not_there(kept: Served) -> None:
    kept.write("docs/A.md", "---\nprivate: true\n---\n")
    assert kept.ok("delete_note", identifier="docs/A.md")["deleted"] is False
    assert kept.ok("delete_note", identifier="docs", is_directory=True)["files"] == ["docs/B.md"]
    assert (kept.root / "docs/A.md").exists()


def test_an_undo_after_the_trash_was_emptied_takes_the_journals_bytes(kept: Served) -> None:
    gone = kept.ok("delete_note", identifier="docs", is_directory=True)
    (kept.root / ".trash/docs/A.md").unlink()
    kept.ok("undo", change=gone["change"])
    assert (kept.read("docs/A.md"), kept.read("docs/B.md")) == ("a", "b")


def test_what_the_finder_leaves_in_a_folder_does_not_keep_it(kept: Served) -> None:
    kept.write("docs/.DS_Store", b"\0")
    kept.ok("delete_note", identifier="docs", is_directory=True)
    assert not (kept.root / "docs").exists()
    kept.write("more/.keep", "mine")
    kept.write("more/M.md", "m")
    kept.ok("delete_note", identifier="more", is_directory=True)
    assert kept.read("more/.keep") == "mine"


def test_what_changes_before_the_systems_trash_takes_it_is_not_lost(
    kept: Served, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept.write(".obsidian/app.json", json.dumps({"trashOption": "system"}))
    place = tmp_path / "bin"
    place.mkdir()
    send = SimpleNamespace(send2trash=lambda path: Path(path).rename(place / Path(path).name))
    monkeypatch.setitem(sys.modules, "send2trash", send)
    real, edited = SqliteJournal.begin, False

    def after_a_person(journal: SqliteJournal, *arguments: Any) -> Any:
        nonlocal edited
        begun = real(journal, *arguments)
        if not edited:
            edited = True
            kept.write("docs/A.md", "person")
        return begun

    monkeypatch.setattr(SqliteJournal, "begin", after_a_person)
    gone = kept.ok("delete_note", identifier="docs/A")
    assert (place / "A.md").read_text() == "person"
    kept.ok("undo", change=gone["change"])
    assert kept.read("docs/A.md") == "person"


def test_c27_where_a_link_leads_now_is_not_told_of_denied_notes(guarded: Served) -> None:
    guarded.write(".obsidian/app.json", json.dumps({"trashOption": "none"}))
    guarded.write("S.md", "x")
    guarded.write("Secret/S.md", "x")
    guarded.write("N.md", "[[S]]")
    assert [d["leads_now_to"] for d in guarded.ok("delete_note", identifier="S.md")["dangling"]] == [None]
