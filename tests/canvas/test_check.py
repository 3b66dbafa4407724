import random
from pathlib import Path
from typing import Any

import pytest
from json_canvas import json_canvas

from sidecar.canvas.check import MOST_CARDS, Finding, Severity, check
from sidecar.canvas.codec import loads
from sidecar.canvas.jsoncanvas_bridge import from_json_canvas
from sidecar.canvas.model import Canvas, edge_of, fields_of, node_of

VAULTS = Path(__file__).parents[1] / "vaults"

GOOD: dict[str, Any] = {"id": "a", "type": "text", "text": "t", "x": 0, "y": 0, "width": 250, "height": 60}
GROUP: dict[str, Any] = {"id": "a", "type": "group", "x": 0, "y": 0, "width": 250, "height": 60}
FILE: dict[str, Any] = {"id": "a", "type": "file", "file": "a.md", "x": 0, "y": 0, "width": 250, "height": 60}
LINE: dict[str, Any] = {"id": "e", "fromNode": "a", "toNode": "a"}


def faults_of(canvas: Canvas, *args: Any) -> list[Finding]:
    return [finding for finding in check(canvas, *args) if finding.severity is not Severity.HINT]


def without(fields: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if key not in keys}


NODES: list[tuple[Any, list[tuple[str, str]]]] = [
    (GOOD, []),
    ({**GOOD, "color": None, "zIndex": 3}, []),
    ({**GOOD, "color": "#aAbB09"}, []),
    ({**GROUP, "label": "g", "background": "a.png", "backgroundStyle": "ratio"}, []),
    ({**FILE, "subpath": "#h"}, []),
    (5, [("not_an_object", "Nodes[0] is not an object.")]),
    (without(GOOD, "id"), [("id", "Nodes[0] has no id.")]),
    ({**GOOD, "id": ""}, [("id", "Nodes[0] has no id.")]),
    ({**GOOD, "id": 7}, [("id", "Nodes[0] has the id 7, which is not text.")]),
    (without(GOOD, "type"), [("type", 'Node "a" has no type; use text, file, link or group.')]),
    ({**GOOD, "type": "note"}, [("type", "Node \"a\" has the unknown type 'note'; use text, file, link or group.")]),
    (without(GOOD, "text"), [("text", "Node \"a\" is of type text and needs 'text' as text.")]),
    ({**FILE, "file": ["a.md"]}, [("file", "Node \"a\" is of type file and needs 'file' as text.")]),
    ({**FILE, "file": ""}, [("file", "Node \"a\" has an empty 'file'.")]),
    ({**FILE, "file": "/a.md"}, [("file", "Node \"a\" has the file '/a.md'; write the path from the vault's root without a leading slash.")]),
    ({**FILE, "subpath": "h"}, [("subpath", "Node \"a\" has the subpath 'h'; it must start with '#'.")]),
    ({**GOOD, "type": "link"}, [("url", "Node \"a\" is of type link and needs 'url' as text.")]),
    ({**GROUP, "label": 4}, [("label", 'Node "a" has a label that is not text.')]),
    ({**GROUP, "backgroundStyle": "tile"}, [("background_style", "Node \"a\" has the backgroundStyle 'tile'; use cover, ratio or repeat.")]),
    ({**GROUP, "nodes": ["b"]}, [("members", "Node \"a\" has a place of its own and a list 'nodes'; give one of the two.")]),
    ({**GOOD, "color": "red"}, [("color", "Node \"a\" has the color 'red'; use '1' to '6' or '#RRGGBB'.")]),
    ({**GOOD, "color": "7"}, [("color", "Node \"a\" has the color '7'; use '1' to '6' or '#RRGGBB'.")]),
    ({**GOOD, "color": 1}, [("color", "Node \"a\" has the color 1; use '1' to '6' or '#RRGGBB'.")]),
    ({**GOOD, "color": "#fff"}, [("color", "Node \"a\" has the color '#fff'; use '1' to '6' or '#RRGGBB'.")]),
    ({**without(GOOD, "x"), "y": None}, [("no_place", 'Node "a" has no x, y.')]),
    ({**GOOD, "x": "0"}, [("geometry", "Node \"a\" has x '0', which is not a number.")]),
    ({**GOOD, "x": True}, [("geometry", 'Node "a" has x True, which is not a number.')]),
    ({**GOOD, "y": 1e300}, [("geometry", 'Node "a" has a y beyond 10,000,000 pixels.')]),
    ({**GOOD, "x": 1e300}, [("geometry", 'Node "a" has an x beyond 10,000,000 pixels.')]),
    ({**GOOD, "width": 0}, [("geometry", 'Node "a" has width 0; it must be greater than 0.')]),
    ({**GOOD, "height": -5.5}, [("geometry", 'Node "a" has height -5.5; it must be greater than 0.')]),
    ({**GOOD, "x": 1.5, "y": 2.0}, [("not_whole", 'Node "a" has x 1.5, which is not a whole number; Obsidian rounds it.')]),
    ({**GOOD, "type": "text", "text": 4, "color": "x", "width": 0}, [("text", "Node \"a\" is of type text and needs 'text' as text."), ("geometry", 'Node "a" has width 0; it must be greater than 0.'), ("color", "Node \"a\" has the color 'x'; use '1' to '6' or '#RRGGBB'.")]),
]  # fmt: skip

EDGES: list[tuple[Any, list[tuple[str, str]]]] = [
    (LINE, []),
    ({**LINE, "fromSide": "top", "toEnd": "none", "label": None, "color": "3"}, []),
    ([], [("not_an_object", "Edges[0] is not an object.")]),
    (without(LINE, "id"), [("id", "Edges[0] has no id.")]),
    ({**LINE, "id": "a"}, [("id_shared_with_node", 'Edge "a" has the id of a node.')]),
    (without(LINE, "toNode"), [("dangling", 'Edge "e" has no toNode.')]),
    ({**LINE, "fromNode": "z"}, [("dangling", 'Edge "e" has fromNode "z", but no node has that id.')]),
    ({**LINE, "fromNode": 1}, [("dangling", 'Edge "e" has fromNode 1, but no node has that id.')]),
    ({**LINE, "fromSide": "up"}, [("side", "Edge \"e\" has fromSide 'up'; use top, right, bottom or left.")]),
    ({**LINE, "toSide": ["left"]}, [("side", "Edge \"e\" has toSide ['left']; use top, right, bottom or left.")]),
    ({**LINE, "toEnd": "dot"}, [("end", "Edge \"e\" has toEnd 'dot'; use none or arrow.")]),
    ({**LINE, "label": 3}, [("label", 'Edge "e" has a label that is not text.')]),
    ({**LINE, "color": "0"}, [("color", "Edge \"e\" has the color '0'; use '1' to '6' or '#RRGGBB'.")]),
]  # fmt: skip


@pytest.mark.parametrize(("node", "faults"), NODES)
def test_faults_of_a_node(node: Any, faults: list[tuple[str, str]]) -> None:
    assert [(finding.code, finding.message) for finding in check(Canvas((node_of(node),)))] == faults


@pytest.mark.parametrize(("edge", "faults"), EDGES)
def test_faults_of_an_edge(edge: Any, faults: list[tuple[str, str]]) -> None:
    found = check(Canvas((node_of(GOOD),), (edge_of(edge),)))
    assert [(finding.code, finding.message) for finding in found] == faults


def test_a_group_without_geometry_is_told_both_ways_out() -> None:
    (finding,) = check(Canvas((node_of({"id": "g", "type": "group"}),)))
    assert finding.code == "no_place"
    assert "'nodes'" in finding.message


def test_warnings_are_told_from_errors() -> None:
    found = check(Canvas((node_of({**GOOD, "x": 0.5, "color": "9"}),), (edge_of({**LINE, "id": "a"}),)))
    assert {finding.code: finding.severity for finding in found} == {
        "not_whole": Severity.WARNING,
        "color": Severity.ERROR,
        "id_shared_with_node": Severity.WARNING,
    }


def test_j6_repeated_ids_are_named_by_place() -> None:
    lines = (edge_of({**LINE, "id": "e"}), edge_of({**LINE, "id": "e"}))
    found = faults_of(Canvas((node_of(GOOD), node_of(GOOD)), lines))
    assert {finding.id for finding in found} == {"a", "e"}
    assert [(finding.subject, finding.code) for finding in found] == [
        ("nodes[0]", "id_repeated"),
        ("nodes[1]", "id_repeated"),
        ("edges[0]", "id_repeated"),
        ("edges[1]", "id_repeated"),
    ]


def test_files_are_looked_for_only_when_asked() -> None:
    canvas = Canvas(
        (
            node_of(FILE),
            node_of({**GROUP, "id": "g", "background": "b.png"}),
            node_of({**FILE, "id": "c", "file": "there.md"}),
        )
    )
    assert faults_of(canvas) == []
    assert [(f.subject, f.code, f.severity) for f in faults_of(canvas, lambda path: path == "there.md")] == [
        ('node "a"', "file_missing", Severity.ERROR),
        ('node "g"', "background_missing", Severity.ERROR),
    ]


def test_messages_use_the_callers_names() -> None:
    canvas = Canvas((node_of({**GOOD, "color": "x"}),), (edge_of({**LINE, "toNode": "zz"}),))
    found = check(canvas, names={"a": "core-values", "e": "link"})
    assert [finding.subject for finding in found] == ['node "core-values"', 'edge "link"']


@pytest.mark.parametrize("text", ['{"nodes":{}}', '{"edges":3}'])
def test_lists_that_are_none_are_named(text: str) -> None:
    assert [finding.code for finding in check(loads(text))] == ["not_a_list"]
    assert check(loads('{"nodes":null}')) == ()


@pytest.mark.parametrize("file", sorted(VAULTS.rglob("*.canvas")), ids=lambda file: file.stem)
def test_real_canvases_have_no_faults(file: Path) -> None:
    assert faults_of(loads(file.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("seed", range(20))
def test_every_fault_of_the_packages_random_canvases_is_named(seed: int) -> None:
    state = random.getstate()
    random.seed(seed)
    try:
        made = json_canvas.generate_random_canvas(12, 8, 2000, 2000)
    finally:
        random.setstate(state)
    canvas = from_json_canvas(made)
    codes: dict[str, set[str]] = {}
    for finding in faults_of(canvas, lambda _: False):
        codes.setdefault(finding.subject, set()).add(finding.code)
    ids = [str(fields_of(node)["id"]) for node in canvas.nodes]
    for number, node in enumerate(canvas.nodes):
        fields = fields_of(node)
        expected = {"file": {"subpath", "file_missing"}, "group": {"background_style", "background_missing"}}.get(
            str(fields["type"]), set()
        )
        if ids.count(str(fields["id"])) > 1:
            assert codes[f"nodes[{number}]"] == {*expected, "id_repeated"}
        else:
            assert codes.get(f'node "{fields["id"]}"', set()) == expected


def at(name: str, x: float, y: float, width: float = 100, height: float = 100, kind: str = "text") -> Any:
    return node_of({"id": name, "type": kind, "text": "", "x": x, "y": y, "width": width, "height": height})


@pytest.mark.parametrize(
    ("nodes", "hints"),
    [
        ([at("a", 0, 0), at("b", 100, 0)], []),
        ([at("a", 0, 0), at("b", 99, 99)], [("b", "a")]),
        ([at("a", 0, 0), at("b", 10, 10, 5, 5)], [("b", "a")]),
        ([at("a", 0, 0), at("b", 0, 0), at("c", 0, 0)], [("b", "a"), ("c", "a")]),
        ([at("g", 0, 0, 300, 300, "group"), at("a", 0, 0), at("b", 200, 200)], []),
        ([at("g", 0, 0, 300, 300, "group"), at("a", 250, 0)], [("a", "g")]),
        ([at("a", -20, -20, 900, 900), at("g", 0, 0, 300, 300, "group")], [("a", "g")]),
        ([at("g", 0, 0, 300, 300, "group"), at("h", 10, 10, 100, 100, "group")], []),
        ([at("h", 10, 10, 100, 100, "group"), at("g", 0, 0, 300, 300, "group")], []),
        ([at("g", 0, 0, 300, 300, "group"), at("h", 250, 0, 300, 300, "group")], [("h", "g")]),
    ],
)
def test_c35_overlaps_are_hints(nodes: list[Any], hints: list[tuple[str, str]]) -> None:
    found = check(Canvas(tuple(nodes)))
    assert {finding.severity for finding in found} <= {Severity.HINT}
    assert [(finding.id, finding.message.split('"')[3]) for finding in found] == hints


def test_too_many_cards_are_one_error_and_no_list_of_overlaps() -> None:
    found = check(Canvas(tuple(at(f"a{number}", 0, 0) for number in range(5000))))
    assert [(finding.code, finding.severity) for finding in found] == [("too_many", Severity.ERROR)]
    assert "5,000" in found[0].message
    assert check(Canvas(tuple(at(f"a{number}", number * 100, 0) for number in range(MOST_CARDS)))) == ()
