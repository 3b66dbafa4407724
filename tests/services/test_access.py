"""One door: a denied note shows nowhere, whichever tool is asked; a read-only one is never written."""

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


CALLS = [
    ("search_notes", {"query": "xanaduword"}),
    ("search_notes", {"query": "xanaduw*"}),
    ("search_notes", {"query": "tag:#xanadutag"}),
    ("search_notes", {"query": "xanaduproperty:xanaduvalue"}),
    ("search_notes", {"query": "path:xanadu"}),
    ("search_notes", {"query": "Xanadu", "search_type": "title"}),
    ("search_notes", {"tags": ["xanadutag"]}),
    ("search_notes", {"query": "-open"}),
    ("list_directory", {"depth": 10}),
    ("list_directory", {"dir_name": "Secret"}),
    ("list_directory", {"dir_name": "Secre"}),
    ("read_note", {"identifier": "Xanadu"}),
    ("read_note", {"identifier": "Secret/Xanadu.md"}),
    ("read_note", {"identifier": "Hidden/Xanadu.md"}),
    ("read_note", {"identifier": "Xanadu Alias"}),
    ("read_note", {"identifier": "[[Xanadu]]"}),
    ("read_note", {"identifier": "Xanad"}),
    ("read_note", {"identifier": "xanadu"}),
    ("edit_note", {"identifier": "Xanadu", "operation": "append", "content": "x"}),
    ("write_note", {"title": "Xanadu", "directory": "Secret", "content": "x", "overwrite": True}),
    ("canvas", {"title": "M", "directory": "", "nodes": [{"type": "file", "file": "Secret/Xanadu.md"}], "edges": []}),
    ("history", {"identifier": "Xanadu"}),
    ("undo", {"since": "7d"}),
]


def _told(text: str, arguments: object) -> bool:
    """Tell whether a reply names something of the note that the call itself did not."""
    for given in _strings(arguments):
        text = text.replace(given, "")
    return "xanadu" in text.lower()


def _strings(value: object) -> list[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for item in value for text in _strings(item)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
def test_c27_an_agent_learns_nothing_of_a_denied_note(walked: Served, tool: str, arguments: dict[str, Any]) -> None:
    before = walked.hash()
    for output_format in ("text", "json"):
        reply = walked.call(tool, **arguments, output_format=output_format)
        assert not _told("\n".join(reply.blocks), arguments), reply.blocks
    assert walked.hash() == before


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
