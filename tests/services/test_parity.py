"""The app and the catalog compared, on what Obsidian's own caches would say (B9, R10, R15, T8)."""

import asyncio
from typing import Any

from sidecar.services.parity import AppSays, ParityFound
from tests.conftest import Served

NOTE = """\
---
up: "[[B]]"
tags: [x]
---
[[B]] ![[B]] [b](B.md) [[B#h|shown]] [[#own]] [[Nowhere]] [[sub/Gone.md]] [[Nowhere]] #x #y/z
"""
SAME: dict[str, Any] = {
    "resolved": {"A.md": {"B.md": 5, "A.md": 1}, "B.md": {}},
    "unresolved": {"A.md": {"Nowhere": 2, "sub/Gone": 1}},
    "tags": {"A.md": ["#x", "#x", "#y/z"], "B.md": []},
}


def compared(served: Served, **said: Any) -> ParityFound:
    served.write("A.md", NOTE)
    served.write("B.md", "nothing\n")
    return asyncio.run(served.open().services.parity.compare(AppSays(**{**SAME, **said})))


def listed(found: ParityFound) -> list[tuple[str, str, str, int, int]]:
    return [(d.path, d.kind.value, d.what, d.app, d.sidecar) for d in found.differences]


def test_the_same_is_no_difference(served: Served) -> None:
    found = compared(served)
    assert listed(found) == []
    assert (found.files, found.total) == (2, 0)
    assert "2 files were compared; 0 differences" in found.report


def test_each_difference_is_reported_with_file_and_link(served: Served) -> None:
    found = compared(
        served,
        resolved={"A.md": {"B.md": 4}, "B.md": {"A.md": 1}},
        unresolved={"A.md": {"Nowhere": 2, "sub/Gone.md": 1}},
        tags={"A.md": ["#x", "#y/z"], "Only in the app.md": ["#new"]},
    )
    assert listed(found) == [
        ("A.md", "resolved", "A.md", 0, 1),
        ("A.md", "resolved", "B.md", 4, 5),
        ("A.md", "unresolved", "sub/Gone", 0, 1),
        ("A.md", "unresolved", "sub/Gone.md", 1, 0),
        ("A.md", "tag", "x", 1, 2),
        ("B.md", "resolved", "A.md", 1, 0),
        ("Only in the app.md", "tag", "new", 1, 0),
    ]
    assert found.total == 7
    assert "| `B.md` | link to `A.md` | 1 | 0 |" in found.report


def test_canvases_are_compared_where_the_app_tells_their_links(served: Served) -> None:
    served.write(
        "C.canvas", '{"nodes":[{"id":"1","type":"file","file":"B.md","x":0,"y":0,"width":1,"height":1}],"edges":[]}'
    )
    assert listed(compared(served)) == []
    assert listed(compared(served, resolved={**SAME["resolved"], "C.canvas": {"B.md": 1}})) == []
    found = compared(served, resolved={**SAME["resolved"], "C.canvas": {"A.md": 1}})
    assert ("C.canvas", "resolved", "A.md", 1, 0) in listed(found)


def test_names_make_neither_links_nor_broken_tables_in_the_report(served: Served) -> None:
    found = compared(served, unresolved={"A.md": {"Nowhere": 2, "sub/Gone": 1, "a|b`[[c]]": 1}})
    assert "link to nothing `a\\|b'[[c]]`" in found.report


def test_a_long_list_is_cut_and_counted(served: Served) -> None:
    found = compared(served, tags={"A.md": ["#x", "#x", "#y/z", *(f"#t{n}" for n in range(1500))]})
    assert (len(found.differences), found.total) == (1000, 1500)
    assert "500 more are not listed." in found.report
