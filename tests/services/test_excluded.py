"""Obsidian's "Excluded files" (A13): out of searches and suggestions, in the vault for everything else."""

import json

import pytest

from sidecar.model.note import LinkKind
from sidecar.model.path import VaultPath
from sidecar.services.caller import Audience
from sidecar.services.views import View
from tests.conftest import Served


def _exclude(vault: Served, *filters: str) -> None:
    vault.write(".obsidian/app.json", json.dumps({"userIgnoreFilters": list(filters)}))


def _view(vault: Served, audience: Audience = Audience.AGENT) -> View:
    return vault.open().services.search._views.newest(audience)


@pytest.fixture
def archive(served: Served) -> Served:
    served.write("Archive/Old plan.md", "---\ntags: [plan]\nstatus: done\n---\ntanks of [[New plan]]\n")
    served.write("New plan.md", "---\ntags: [plan]\nstatus: done\n---\ntanks, see [[Old plan]]\n")
    served.write("Notes.draft.md", "tanks")
    _exclude(served, "Archive/", "/\\.draft\\.md$/")
    return served


@pytest.mark.parametrize(
    "arguments",
    [
        {"query": "tanks"},
        {"query": "tag:#plan"},
        {"query": "path:plan"},
        {"query": "plan", "search_type": "title"},
        {"query": "tanks -nothing"},
        {"query": None, "tags": ["plan"]},
        {"query": None, "status": "done"},
    ],
)
def test_a13_excluded_files_are_found_only_when_asked_for(archive: Served, arguments: dict[str, object]) -> None:
    found = archive.ok("search_notes", **arguments)
    assert [r["file_path"] for r in found["results"]] == ["New plan.md"]
    assert found["total"] == 1
    every = archive.ok("search_notes", **arguments, include_excluded=True)
    assert "Archive/Old plan.md" in [r["file_path"] for r in every["results"]]
    assert every["total"] == len(every["results"])


def test_a13_excluded_files_are_never_suggested(archive: Served) -> None:
    assert archive.fails("read_note", "not_found", identifier="Old plam")["candidates"] == ["New plan.md"]
    assert archive.fails("read_note", "not_found", identifier="Notes draf")["candidates"] == []


def test_a13_excluded_files_are_read_listed_edited_and_linked(archive: Served) -> None:
    assert archive.ok("read_note", identifier="Archive/Old plan.md")["content"].startswith("tanks")
    assert archive.ok("read_note", identifier="[[Old plan]]")["file_path"] == "Archive/Old plan.md"
    assert "Old plan" in str(archive.ok("list_directory", depth=2))
    archive.ok("edit_note", identifier="Archive/Old plan", operation="append", content="more")
    view = _view(archive)
    old, new = VaultPath("Archive/Old plan.md"), VaultPath("New plan.md")
    assert view.resolve("Old plan", new).target == old
    assert [(at.source, at.link.kind, at.link.line) for at in view.backlinks(new)] == [(old, LinkKind.WIKILINK, 5)]
    assert [at.source for at in view.backlinks(old)] == [new]


def test_a12_filters_that_change_hold_for_the_next_search(archive: Served) -> None:
    assert archive.found("tanks") == ["New plan.md"]
    _exclude(archive, "New")
    assert sorted(archive.found("tanks")) == ["Archive/Old plan.md", "Notes.draft.md"]
    (archive.root / ".obsidian/app.json").unlink()
    assert len(archive.found("tanks")) == 3


def test_a_view_is_made_once_for_each_state(archive: Served) -> None:
    view = _view(archive)
    assert _view(archive) is view
    assert _view(archive, Audience.PERSON) is not view
    archive.ok("write_note", title="Third", directory="", content="tanks")
    assert _view(archive) is not view
    assert len(_view(archive).excluded) == 2
