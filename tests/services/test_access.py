"""The user's access rules: denied notes, those that become so, and read-only ones. See also ``test_access_of_every_tool``."""

from typing import Any

import pytest

from sidecar.services.caller import Audience
from tests.conftest import Served

NOTE = """\
---
aliases: [Xanadu Alias]
tags: [xanadutag]
xanaduproperty: xanaduvalue
---
# Xanadu Heading

xanaduword here, see [[Open]].

- [xanaducategory] xanadufact
"""


@pytest.fixture(params=["denied by path", "denied by .mcpignore", "private"])
def walked(guarded: Served, request: pytest.FixtureRequest) -> Served:
    if request.param == "denied by path":
        guarded.write("Secret/Xanadu.md", NOTE)
    elif request.param == "private":
        guarded.write("Xanadu.md", NOTE.replace("---\naliases", "---\nprivate: true\naliases", 1))
    else:
        guarded.write(".mcpignore", "Hidden/\n")
        guarded.write("Hidden/Xanadu.md", NOTE)
    guarded.write("Open.md", "Links to [[Xanadu]].\n\n- knows [[Xanadu]]\n")
    return guarded


def test_a_private_note_stays_so_while_its_yaml_is_broken(served: Served) -> None:
    served.write("P.md", "---\nprivate: true\ntitle: [\n---\nxanaduword")
    assert served.found("xanaduword") == []
    served.fails("read_note", "not_found", identifier="P")


def test_links_to_a_denied_note_count_as_unresolved(walked: Served) -> None:
    made = walked.ok("write_note", title="Other", directory="", content="- knows [[Xanadu]]\n- knows [[Open]]\n")
    assert made["relations"] == {"resolved": 1, "unresolved": 1}


def test_the_person_sees_everything_but_the_index(walked: Served) -> None:
    read = walked.call("read_note", identifier="Xanadu", audience=Audience.PERSON)
    assert read.blocks[1].endswith("xanadufact\n")


def test_a_note_becomes_private_at_once(guarded: Served) -> None:
    guarded.write("N.md", "xanaduword")
    assert guarded.found("xanaduword") == ["N.md"]
    guarded.write("N.md", "---\nprivate: true\n---\nxanaduword")
    assert "xanaduword" not in str(guarded.ok("search_notes", query="xanaduword")["results"])
    guarded.fails("read_note", "not_found", identifier="N")
    guarded.reindex()
    assert guarded.found("xanaduword") == []


def test_rules_that_change_while_running_hold_for_the_next_call(
    guarded: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sidecar.vault.ignore._SETTLED_AFTER", 0.0)
    guarded.write("Diary/N.md", "xanaduword")
    opened = guarded.open()
    assert guarded.found("xanaduword") == ["Diary/N.md"]
    guarded.write(".mcpignore", "Diary/\n")
    assert guarded.found("xanaduword") == []
    guarded.fails("read_note", "not_found", identifier="Diary/N.md")
    guarded.fails("write_note", "refused", title="M", directory="Diary", content="x")
    opened.writer.submit_background(lambda: None).result()
    opened.pipeline.settle()
    assert "Diary/N.md" not in opened.index.paths_held()
    guarded.write(".mcpignore", "Other/\n")
    guarded.found("x")  # notices the new rules; the old ones still hold for a moment
    guarded.ok("read_note", identifier="Diary/N.md")
    opened.writer.submit_background(lambda: None).result()
    opened.pipeline.settle()
    assert guarded.found("xanaduword") == ["Diary/N.md"]


def test_while_the_rules_are_malformed_agents_are_told_nothing(guarded: Served) -> None:
    guarded.write("N.md", "xanaduword")
    guarded.open()
    guarded.write(".mcpignore", b"\xff")
    for tool, arguments in (("search_notes", {"query": "xanaduword"}), ("read_note", {"identifier": "N"})):
        error = guarded.fails(tool, "invalid", **arguments)
        assert error["message"] == "'.mcpignore' is not UTF-8 text."
    assert not guarded.call("read_note", identifier="N", audience=Audience.PERSON).is_error
    guarded.write(".mcpignore", "Other/\n")
    assert guarded.found("xanaduword") == ["N.md"]


def test_a_folder_of_denied_files_only_is_denied_too(guarded: Served) -> None:
    guarded.write("Secret/a.md", "x")
    guarded.write("Private/b.md", "---\nprivate: true\n---\n")
    guarded.write("Mixed/c.md", "---\nprivate: true\n---\n")
    guarded.write("Mixed/d.md", "x")
    (guarded.root / "Empty").mkdir()
    (guarded.root / "Secret/Empty").mkdir()
    listed = guarded.ok("list_directory", depth=5)["folders"]
    assert listed == [{"path": "Empty", "files": 0}, {"path": "Mixed", "files": 1}]
    for folder, near in (("Secret", ["Mixed"]), ("Private", ["Mixed"]), ("secret", ["Mixed"]), ("Secret/Empty", [])):
        listed = guarded.ok("list_directory", dir_name=folder)
        assert listed["missing"]
        assert (listed["candidates"], listed["total"], listed["folders"]) == (near, 0, [])


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("edit_note", {"identifier": "Sources/S", "operation": "append", "content": "x"}),
        ("write_note", {"title": "S", "directory": "Sources", "content": "x", "overwrite": True}),
        ("write_note", {"title": "New", "directory": "Sources/deep", "content": "x"}),
        ("canvas", {"title": "C", "directory": "sources", "nodes": [], "edges": []}),
    ],
)
def test_read_only_notes_are_read_but_not_written(guarded: Served, tool: str, arguments: dict[str, Any]) -> None:
    guarded.write("Sources/S.md", "text")
    assert guarded.ok("read_note", identifier="Sources/S")["content"] == "text"
    guarded.fails(tool, "refused", **arguments)
