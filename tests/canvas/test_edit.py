import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from json_canvas import json_canvas

from sidecar.canvas.codec import dumps, loads
from sidecar.canvas.edit import Edited, edit
from sidecar.canvas.jsoncanvas_bridge import from_json_canvas
from sidecar.canvas.layout.geometry import GAP, GRID, Box
from sidecar.canvas.layout.quality import overlaps
from sidecar.canvas.model import Canvas, fields_of
from sidecar.errors import Ambiguous, Invalid, NotFound, SidecarError
from sidecar.model.path import VaultPath
from tests.canvas.boards import board, card, line, written

PATH = VaultPath("Boards/Plan.canvas")
REAL = sorted((Path(__file__).parents[1] / "vaults").rglob("*.canvas"))

FRAME = card("g", -40, -60, type="group", width=600, height=400, label="Inbox")
NOTE = card("n", 0, 200, type="file", file="Notes/Real plan.md", subpath="#Goals")
PLAIN = [FRAME, card("a", text="Alpha\nand more"), card("b", 320, 0, text="**Beta** card"), NOTE, card("far", 2000, 0)]
LINES = [line("a", "b", label="leads to"), line("b", "far"), line("n", "a", toEnd="none")]


def done(*operations: Any, nodes: list[Any] = PLAIN, edges: list[Any] = LINES, **more: Any) -> Edited:
    return edit(board(nodes, edges), operations, PATH, **more)


def node(edited: Edited | Canvas, name: str) -> dict[str, Any]:
    canvas = edited.canvas if isinstance(edited, Edited) else edited
    (found,) = [dict(fields_of(one)) for one in canvas.nodes if fields_of(one)["id"] == name]
    return found


def box(fields: dict[str, Any]) -> Box:
    return Box(fields["x"], fields["y"], fields["width"], fields["height"])


def edges(edited: Edited) -> list[tuple[Any, ...]]:
    keys = ("fromNode", "fromSide", "toNode", "toSide", "label")
    return [tuple(fields_of(edge).get(key) for key in keys) for edge in edited.canvas.edges]


def cards(canvas: Canvas) -> dict[str, Box]:
    parts = [dict(fields_of(one)) for one in canvas.nodes]
    return {str(one["id"]): box(one) for one in parts if one["type"] != "group"}


def test_nothing_to_do_changes_no_byte() -> None:
    edited = done()
    assert dumps(edited.canvas) == written(PLAIN, LINES)
    assert (edited.added, edited.updated, edited.removed, edited.connected, edited.disconnected) == ((), (), (), 0, 0)


def test_c32_a_new_card_has_a_hashed_id_and_the_call_may_use_its_own() -> None:
    edited = done(
        {"op": "add", "id": "core-values", "text": "New"}, {"op": "connect", "from": "core-values", "to": "Alpha"}
    )
    stored = edited.ids["core-values"]
    assert len(stored) == 16
    assert [(one.id, one.name) for one in edited.added] == [(stored, "New")]
    assert edges(edited)[-1][::2] == (stored, "a", None)
    assert list(node(edited, stored)) == ["id", "type", "text", "x", "y", "width", "height"]
    later = edit(edited.canvas, [{"op": "update", "card": "core-values", "color": "4"}], PATH)
    assert node(later, stored)["color"] == "4"
    kept = done({"op": "add", "id": "0123456789abcdef", "text": "New"})
    assert (kept.added[0].id, kept.ids) == ("0123456789abcdef", {})


def test_cards_without_ids_get_new_ones_in_every_call() -> None:
    once = done({"op": "add", "text": "Same"}, {"op": "add", "text": "Same"})
    twice = edit(once.canvas, [{"op": "add", "text": "Same"}], PATH)
    ids = [one.id for one in (*once.added, *twice.added)]
    assert len(set(ids)) == 3
    assert dumps(done({"op": "add", "text": "Same"}, {"op": "add", "text": "Same"}).canvas) == dumps(once.canvas)


def test_c35_new_cards_land_beside_their_neighbours_without_overlap() -> None:
    edited = done(
        {"op": "add", "id": "x", "text": "X", "near": "far"},
        {"op": "add", "id": "y", "text": "Y"},
        {"op": "connect", "from": "far", "to": "y"},
        {"op": "add", "id": "z", "text": "Z"},
    )
    found = cards(edited.canvas)
    assert overlaps(found, GAP - 1) == overlaps(cards(board(PLAIN, LINES)), GAP - 1)
    for name in ("x", "y"):
        assert abs(found[edited.ids[name]].centre[0] - found["far"].centre[0]) <= 600
    assert found[edited.ids["z"]].y > max(one.bottom for name, one in found.items() if name in "abn")
    assert all(one.x % GRID == one.y % GRID == 0 for one in found.values())
    start, from_side, end, to_side, _ = edges(edited)[-1]
    assert (start, end) == ("far", edited.ids["y"])
    assert (from_side, to_side) in {("right", "left"), ("left", "right"), ("bottom", "top"), ("top", "bottom")}


@pytest.mark.parametrize("near", ["a", "Inbox", ["Alpha", "Beta"], "Real plan"])
def test_a_card_near_those_of_a_group_goes_into_the_group(near: Any) -> None:
    edited = done({"op": "add", "id": "x", "text": "X", "near": near})
    found, frame = cards(edited.canvas)[edited.ids["x"]], box(FRAME)
    assert frame.x < found.x < found.right < frame.right
    assert frame.y < found.y < found.bottom < frame.bottom
    assert not edited.findings
    assert node(edited, "g") == FRAME


def test_a_card_goes_beside_a_group_that_is_full_and_into_one_that_is_empty() -> None:
    small = card("g", 0, 0, type="group", width=300, height=160, label="Small")
    full = done({"op": "add", "text": "X", "near": "Small"}, nodes=[small, card("a", 40, 60)], edges=[])
    new = cards(full.canvas)[full.added[0].id]
    assert not new.meets(box(small), GAP - 1)
    empty = done({"op": "add", "text": "X", "near": "Small", "width": 200}, nodes=[small], edges=[])
    assert cards(empty.canvas)[empty.added[0].id] == Box(40, 60, 200, 60)


def test_a_card_finds_a_gap_in_a_group_that_has_just_room_enough() -> None:
    nodes = [card("g", 0, 0, type="group", width=330, height=260, label="G"), card("a", 40, 60), card("b", 900, 0)]
    edited = done({"op": "add", "text": "X", "near": "a", "width": 200}, nodes=nodes, edges=[])
    assert cards(edited.canvas)[edited.added[0].id] == Box(40, 160, 200, 60)


def test_what_a_new_card_is_near_decides_and_others_follow_it_by_their_edges() -> None:
    edited = done(
        {"op": "add", "id": "x", "text": "X", "near": "far"},
        {"op": "add", "id": "y", "text": "Y"},
        {"op": "connect", "from": "a", "to": "x"},
        {"op": "connect", "from": "x", "to": "y"},
        {"op": "group", "cards": ["y"]},
    )
    assert all(cards(edited.canvas)[edited.ids[name]].x > 1400 for name in ("x", "y"))
    assert edited.connected == 2


def test_a_card_with_a_place_stays_there_and_an_overlap_is_a_hint() -> None:
    edited = done({"op": "add", "text": "X", "x": 10.4, "y": 10, "width": 99.5, "height": 30})
    assert box(node(edited, edited.added[0].id)) == Box(10, 10, 100, 30)
    assert [(finding.code, finding.severity.value) for finding in edited.findings] == [("overlap", "hint")]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"text": "t"}, {"type": "text", "text": "t"}),
        ({"file": "A.md", "subpath": "#H"}, {"type": "file", "file": "A.md", "subpath": "#H"}),
        ({"url": "https://example.com", "label": None}, {"type": "link", "url": "https://example.com"}),
        ({"type": "text", "text": "t", "color": ""}, {"type": "text", "text": "t"}),
        ({"label": "L", "x": 900, "y": 900, "width": 80, "height": 80}, {"type": "group", "label": "L"}),
    ],
)
def test_the_type_of_a_new_card_is_seen_from_its_fields(given: dict[str, Any], expected: dict[str, Any]) -> None:
    edited = done({"op": "add", **given})
    new = node(edited, edited.added[0].id)
    assert {key: value for key, value in new.items() if key not in ("id", "x", "y", "width", "height")} == expected


@pytest.mark.parametrize(
    ("operation", "changed"),
    [
        ({"card": "a", "color": "5"}, {**PLAIN[1], "color": "5"}),
        ({"card": "Alpha", "text": "New"}, {**PLAIN[1], "text": "New"}),
        ({"card": "a", "x": -100.5, "height": 80}, {**PLAIN[1], "x": -100, "height": 80}),
        ({"id": "b", "type": "file", "file": "B.md"}, {"id": "b", "type": "file", "file": "B.md", "x": 320, "y": 0, "width": 200, "height": 60}),
        ({"card": "Inbox", "label": ""}, {key: value for key, value in FRAME.items() if key != "label"}),
        ({"card": "Inbox", "color": "1"}, {**FRAME, "color": "1"}),
        ({"card": "[[Real plan]]", "subpath": None}, {key: value for key, value in NOTE.items() if key != "subpath"}),
        ({"card": "Notes/Real plan.md", "subpath": "#Later"}, {**NOTE, "subpath": "#Later"}),
        ({"card": "Real plan#Goals", "label": None}, NOTE),
    ],
)  # fmt: skip
def test_an_update_changes_only_the_named_cards_line(operation: dict[str, Any], changed: dict[str, Any]) -> None:
    edited = done({"op": "update", **operation})
    nodes = [changed if one["id"] == changed["id"] else one for one in PLAIN]
    assert json.loads(dumps(edited.canvas))["nodes"] == nodes
    same = [
        now == before
        for now, before in zip(dumps(edited.canvas).split("\n"), written(PLAIN, LINES).split("\n"), strict=True)
    ]
    assert same.count(False) == (0 if changed in PLAIN else 1)
    assert [one.id for one in edited.updated] == ([] if changed in PLAIN else [changed["id"]])


def test_j3_a_new_field_stands_where_the_app_puts_it() -> None:
    nodes = [
        {"id": "a", "x": 0, "y": 0, "width": 200, "height": 60, "type": "text", "text": "a"},
        {"id": "f", "x": 0, "y": 100, "width": 200, "height": 60, "type": "file", "file": "f.md", "zIndex": 3},
    ]
    edited = done(
        {"op": "update", "card": "a", "color": "1"},
        {"op": "update", "card": "f", "subpath": "#H"},
        {"op": "connect", "from": "a", "to": "f", "label": "L", "color": "2"},
        nodes=nodes,
        edges=[line("f", "a", label="L")],
    )
    assert list(node(edited, "a")) == ["id", "x", "y", "width", "height", "color", "type", "text"]
    assert list(node(edited, "f")) == ["id", "x", "y", "width", "height", "type", "file", "subpath", "zIndex"]
    (_, new) = edited.canvas.edges
    assert list(fields_of(new)) == ["id", "fromNode", "fromSide", "toNode", "toSide", "color", "label"]
    recoloured = edit(edited.canvas, [{"op": "connect", "from": "f", "to": "a", "label": "L", "color": "3"}], PATH)
    assert list(fields_of(recoloured.canvas.edges[0]))[-2:] == ["color", "label"]
    assert (recoloured.connected, len(recoloured.canvas.edges)) == (0, 2)


def test_a_longer_text_makes_its_card_higher_where_there_is_room() -> None:
    long = "word " * 60
    assert node(done({"op": "update", "card": "far", "text": long}), "far")["height"] > 60
    assert node(done({"op": "update", "card": "a", "text": long}), "a")["height"] == 60  # the note is below
    assert node(done({"op": "update", "card": "far", "text": long, "height": 70}), "far")["height"] == 70


def test_a_group_that_moves_takes_its_cards_along_and_one_that_is_resized_does_not() -> None:
    moved = done({"op": "update", "card": "Inbox", "x": 960})
    assert {one.id for one in moved.updated} == {"g", "a", "b", "n"}
    assert (node(moved, "a")["x"], node(moved, "b")["x"], node(moved, "far")["x"]) == (1000, 1320, 2000)
    resized = done({"op": "update", "card": "Inbox", "x": -100, "width": 700})
    assert [one.id for one in resized.updated] == ["g"]


def test_a_card_can_be_put_near_another() -> None:
    edited = done({"op": "update", "card": "a", "near": "far"})
    assert abs(node(edited, "a")["x"] - 2000) <= 600
    assert [one.id for one in edited.updated] == ["a"]


def test_a_removed_card_takes_its_edges_along() -> None:
    edited = done({"op": "remove", "card": "Beta card"})
    assert [(one.id, one.name) for one in edited.removed] == [("b", "Beta card")]
    assert [fields_of(one)["id"] for one in edited.canvas.edges] == ["n-a"]
    assert edited.disconnected == 2
    assert dumps(edited.canvas) == written([one for one in PLAIN if one["id"] != "b"], LINES[2:])


def test_removing_or_ungrouping_a_group_leaves_its_cards() -> None:
    for op in ("remove", "ungroup"):
        assert dumps(done({"op": op, "card": "Inbox"}).canvas) == written(PLAIN[1:], LINES)


def test_what_is_added_and_removed_in_one_call_leaves_no_trace() -> None:
    edited = done(
        {"op": "add", "id": "x", "text": "X", "near": "a"},
        {"op": "add", "id": "y", "text": "Y", "near": "x"},
        {"op": "group", "id": "h", "cards": ["x"]},
        {"op": "connect", "from": "x", "to": "a"},
        {"op": "remove", "card": "x"},
        {"op": "remove", "card": "y"},
    )
    assert dumps(edited.canvas) == written(PLAIN, LINES)
    assert (edited.added, edited.connected, edited.disconnected) == ((), 0, 0)


def test_connect_fills_in_sides_and_does_not_draw_an_edge_twice() -> None:
    edited = done(
        {"op": "connect", "from": "a", "to": "n", "label": "shows"},
        {"op": "connect", "fromNode": "a", "toNode": "b", "label": "leads to"},
        {"op": "connect", "from": "a", "to": "b", "label": "also"},
    )
    assert edges(edited)[3:] == [("a", "bottom", "n", "top", "shows"), ("a", "right", "b", "left", "also")]
    assert edited.connected == 2


@pytest.mark.parametrize(
    ("operation", "left"),
    [
        ({"from": "a", "to": "b"}, ["b-far", "n-a"]),
        ({"from": "a", "to": "b", "label": "leads to"}, ["b-far", "n-a"]),
        ({"from": "a", "to": "n"}, ["a-b", "b-far"]),  # it has no arrow and leads both ways
    ],
)
def test_disconnect_takes_an_edge_away(operation: dict[str, Any], left: list[str]) -> None:
    edited = done({"op": "disconnect", **operation})
    assert [fields_of(one)["id"] for one in edited.canvas.edges] == left
    assert dumps(edited.canvas) == written(PLAIN, [one for one in LINES if one["id"] in left])


def test_j8_a_group_is_a_frame_around_its_cards_and_lies_below_them() -> None:
    nodes = [card("z", 900, 900), *PLAIN[1:]]
    edited = done({"op": "group", "cards": ["Alpha", "b"], "label": "New", "color": "4"}, nodes=nodes)
    names = [fields_of(one)["id"] for one in edited.canvas.nodes]
    (new,) = edited.added
    assert names == ["z", new.id, "a", "b", "n", "far"]
    frame = box(node(edited, new.id))
    for name in ("a", "b"):
        inner = cards(edited.canvas)[name]
        assert (inner.x - frame.x, frame.right - inner.right) >= (20, 20)
        assert inner.y - frame.y >= 40
    assert list(node(edited, new.id)) == ["id", "type", "x", "y", "width", "height", "color", "label"]


def test_groups_of_new_cards_of_old_and_new_and_of_groups() -> None:
    edited = done(
        {"op": "add", "id": "x", "text": "X"},
        {"op": "add", "id": "y", "text": "Y"},
        {"op": "add", "id": "w", "text": "W"},
        {"op": "connect", "from": "x", "to": "y"},
        {"op": "group", "id": "new", "label": "New", "cards": ["x", "y"]},
        {"op": "group", "id": "mixed", "label": "Mixed", "cards": ["far", "w"]},
        {"op": "group", "id": "outer", "label": "Outer", "cards": ["Mixed", "New"]},
    )
    at = {name: box(node(edited, stored)) for name, stored in edited.ids.items()}
    at["far"] = box(node(edited, "far"))
    for frame, held in {"new": "xy", "mixed": ["far", "w"], "outer": ["new", "mixed"]}.items():
        for one in held:
            inner, outer = at[one], at[frame]
            assert outer.x + 20 <= inner.x
            assert outer.y + 20 <= inner.y
            assert inner.right + 20 <= outer.right
            assert inner.bottom + 20 <= outer.bottom
    assert at["far"] == box(PLAIN[-1])
    order = [fields_of(one)["id"] for one in edited.canvas.nodes]
    assert order.index(edited.ids["outer"]) < order.index(edited.ids["mixed"]) < order.index("far")


def test_two_matches_are_an_error_with_both() -> None:
    nodes = [*PLAIN, card("p", 0, 900, type="file", file="Other/Real plan.md"), card("t", 0, 999, text="Alphabet")]
    with pytest.raises(Ambiguous) as caught:
        done({"op": "remove", "card": "Real plan"}, nodes=nodes)
    assert [one.split(" ")[0] for one in caught.value.candidates] == ["n", "p"]
    assert "Operation 1 (remove)" in caught.value.message
    with pytest.raises(Ambiguous):
        done({"op": "remove", "card": "Alph"}, nodes=nodes)
    assert done({"op": "remove", "card": "Alpha"}, nodes=nodes).removed[0].id == "a"  # a whole first line goes first


def test_a_card_that_is_not_there_is_named_with_near_ones() -> None:
    with pytest.raises(NotFound) as caught:
        done({"op": "remove", "card": "Reel plan"})
    assert [one.split(" ")[0] for one in caught.value.candidates] == ["n"]


FAULTS: list[tuple[Any, str]] = [
    (5, "Operation 1 is not an object"),
    ({}, "has no 'op'"),
    ({"op": "explode"}, "use one of add, update"),
    ({"op": ["add"]}, "has the op ['add']"),
    ({"op": "add"}, "has no type"),
    ({"op": "add", "text": 5}, "text 5 is not text"),
    ({"op": "add", "text": "t", "file": "a.md"}, "has no type"),
    ({"op": "add", "type": "portal", "text": "t"}, "type is 'portal'"),
    ({"op": "add", "type": "file", "text": "t"}, "has no 'text'"),
    ({"op": "add", "type": "link"}, "needs 'url'"),
    ({"op": "add", "text": "t", "x": 5}, "only one of x and y"),
    ({"op": "add", "text": "t", "x": True, "y": "4"}, "x True is not a number"),
    ({"op": "add", "text": "t", "width": -5}, "width -5"),
    ({"op": "add", "text": "t", "x": 1e300, "y": 0}, "beyond"),
    ({"op": "add", "label": "L"}, "needs x, y, width and height"),
    ({"op": "add", "text": "t", "near": ["a", {}]}, "names no card"),
    ({"op": "add", "text": "t", "size": 5}, "has no field 'size'"),
    ({"op": "add", "text": "t", "color": "red"}, "'1' to '6'"),
    ({"op": "add", "file": "/a.md"}, "leading slash"),
    ({"op": "add", "file": "a.md", "subpath": "h"}, "must start with '#'"),
    ({"op": "add", "file": "no.md"}, "not in the vault"),
    ({"op": "update", "color": "1"}, "needs 'card'"),
    ({"op": "update", "card": "a", "url": "https://example.com"}, "has no 'url'"),
    ({"op": "update", "card": "a", "type": "file"}, "needs 'file'"),
    ({"op": "update", "card": "a", "type": "portal"}, "no type 'portal'"),
    ({"op": "update", "card": "Inbox", "near": "a"}, "cannot be put near"),
    ({"op": "update", "card": "a", "color": "9"}, "'1' to '6'"),
    ({"op": "remove", "card": "a", "from": "b"}, "it takes card"),
    ({"op": "connect", "from": "a"}, "needs 'to'"),
    ({"op": "connect", "from": "a", "to": "b", "color": "x"}, "'1' to '6'"),
    ({"op": "disconnect", "from": "b", "to": "a"}, "No such edge"),
    ({"op": "disconnect", "from": "a", "to": "b", "label": "other"}, "No such edge"),
    ({"op": "group", "cards": []}, "needs 'cards'"),
    ({"op": "ungroup", "card": "a"}, "is no group"),
]  # fmt: skip


@pytest.mark.parametrize(("operation", "part"), FAULTS, ids=lambda value: json.dumps(value)[:50])
def test_a_fault_is_named_and_nothing_is_changed(operation: Any, part: str) -> None:
    with pytest.raises(Invalid) as caught:
        done(operation, exists=lambda path: path.startswith("Notes/"))
    assert part in caught.value.message


def test_all_faults_are_listed_at_once() -> None:
    operations = [one for one, _ in FAULTS[:6]]
    with pytest.raises(Invalid) as caught:
        done(*operations, {"op": "remove", "card": "zz"}, {"op": "connect", "from": "a", "to": "b"})
    assert caught.value.message.count("\n- ") == 7
    assert "Operation 7 (remove): No card is called 'zz'" in caught.value.message
    with pytest.raises(Invalid, match="is taken"):
        done({"op": "add", "id": "x", "text": "1"}, {"op": "add", "id": "x", "text": "2"})
    with pytest.raises(Invalid, match="another new group"):
        done({"op": "group", "cards": ["a", "b"]}, {"op": "group", "cards": ["b", "n"]})


def test_faults_that_were_there_before_do_not_stand_in_the_way() -> None:
    nodes = [card("a", color="9"), card("d"), card("d", 400, text="other"), {"type": "text", "text": "no id"}, 5]
    edges = [line("a", "gone"), line("d", "a")]
    edited = done({"op": "update", "card": "a", "text": "New"}, nodes=nodes, edges=edges)
    assert [fields_of(one).get("text") for one in edited.canvas.nodes] == ["New", "d", "other", "no id", None]
    removed = done({"op": "remove", "card": "other"}, nodes=nodes, edges=edges)
    assert [fields_of(one)["id"] for one in removed.canvas.edges] == ["a-gone", "d-a"]
    for wanted in ({"op": "connect", "from": "a", "to": "no id"}, {"op": "connect", "from": "other", "to": "a"}):
        with pytest.raises(Invalid, match="no id of its own"):
            done(wanted, nodes=nodes, edges=edges)
    with pytest.raises(Ambiguous):
        done({"op": "remove", "card": "d"}, nodes=[card("d"), card("d")], edges=[])
    with pytest.raises(Invalid, match="no place"):
        done({"op": "group", "cards": ["no id"]}, nodes=nodes, edges=edges)


@pytest.mark.parametrize("text", ["", "{}"])
def test_j1_an_empty_canvas_can_be_edited(text: str) -> None:
    operations: list[Any] = [
        {"op": "add", "text": "A", "id": "a"},
        {"op": "add", "text": "B", "id": "b"},
        {"op": "connect", "from": "a", "to": "b"},
    ]
    edited = edit(loads(text), operations, PATH)
    assert dumps(edited.canvas).startswith('{\n\t"nodes":[\n\t\t{"id":"')
    assert overlaps(cards(edited.canvas), GAP - 1) == 0
    assert len(edited.canvas.edges) == 1


def test_c31_what_we_do_not_know_is_kept() -> None:
    text = '{\n  "metadata": {"version": "1.0"},\n  "nodes": [\n    {"id": "a", "type": "text", "text": "t", "styleAttributes": {"shape": "pill"}, "x": 1.0, "y": 0, "width": 9, "height": 9},\n    {"type": "portal", "id": "p"}\n  ]\n}\n'
    edited = edit(
        loads(text),
        [{"op": "update", "card": "a", "y": 40}, {"op": "add", "text": "N", "id": "0000000000000000"}],
        PATH,
    )
    lines = dumps(edited.canvas).split("\n")
    assert lines[3] == text.split("\n")[3].replace('"y": 0', '"y": 40')
    assert lines[4] == '    {"type": "portal", "id": "p"},'
    assert lines[5].startswith('    {"id": "0000000000000000", "type": "text", "text": "N", "x": ')
    assert dumps(edited.canvas).endswith("\n  ]\n}\n") or '"edges"' in lines[7]


NAMES = st.sampled_from(["a", "b", "c", "g", "n", "Card", "zz", "k0", "k1"])
PLACE = st.fixed_dictionaries({}, optional={"x": st.integers(-900, 900), "y": st.integers(-900, 900)})
OPERATIONS = st.one_of(
    st.builds(
        lambda name, text, near, place: {"op": "add", "id": name, "text": text, "near": near, **place},
        st.sampled_from(["k0", "k1", "k2"]), st.text(max_size=80), st.none() | NAMES | st.lists(NAMES, max_size=2), PLACE,
    ),
    st.builds(
        lambda name, text, near, place: {"op": "update", "card": name, "text": text, "near": near, **place},
        NAMES, st.none() | st.text(max_size=80), st.none() | NAMES, PLACE,
    ),
    st.builds(lambda op, name: {"op": op, "card": name}, st.sampled_from(["remove", "ungroup"]), NAMES),
    st.builds(lambda op, a, b: {"op": op, "from": a, "to": b}, st.sampled_from(["connect", "disconnect"]), NAMES, NAMES),
    st.builds(lambda names: {"op": "group", "cards": names}, st.lists(NAMES, min_size=1, max_size=3)),
)  # fmt: skip
DRAWN = [
    card("g", -60, -80, type="group", width=700, height=300, label="G"),
    card("a"),
    card("b", 300, 0),
    card("c", 0, 500, text="Card"),
    card("n", 400, 500, type="file", file="Note.md"),
]
DRAWN_LINES = [line("a", "b"), line("c", "n", label="of")]
LAYOUTS = [
    written(DRAWN, DRAWN_LINES),
    json.dumps({"nodes": DRAWN, "edges": DRAWN_LINES}, indent=2) + "\n",
    json.dumps({"edges": DRAWN_LINES, "nodes": DRAWN}),
    '{"nodes":[\r\n' + " ,\r\n\r\n".join(json.dumps(one) for one in DRAWN) + '\r\n] , "z":1.50}',
]


@settings(max_examples=120)
@given(st.sampled_from(LAYOUTS), st.lists(OPERATIONS, max_size=5))
def test_law_an_edit_touches_only_what_it_names_and_new_cards_overlap_nothing(text: str, operations: list[Any]) -> None:
    canvas = loads(text)
    try:
        edited = edit(canvas, operations, PATH)
    except SidecarError:
        return
    result = dumps(edited.canvas)
    assert dumps(edit(canvas, operations, PATH).canvas) == result
    again = loads(result)
    assert again.nodes == edited.canvas.nodes
    touched = {one.id for one in (*edited.added, *edited.updated, *edited.removed)}
    old = {fields_of(one)["id"]: text[slot.start : slot.end] for one, slot in _slots(canvas)}
    new = {fields_of(one)["id"]: result[slot.start : slot.end] for one, slot in _slots(again)}
    assert {name: old[name] for name in old.keys() - touched} == {name: new[name] for name in new.keys() - touched}
    moved = {one.id for one in edited.updated}
    if not any(one.get("x") is not None or one.get("y") is not None for one in operations):
        assert overlaps(cards(edited.canvas), GAP - 1) == 0
    before, after = cards(canvas), cards(edited.canvas)
    assert all(after[name] == before[name] for name in before.keys() & after.keys() - moved)
    ends = {fields_of(edge).get(key) for edge in edited.canvas.edges for key in ("fromNode", "toNode")}
    assert ends <= {fields_of(one)["id"] for one in edited.canvas.nodes}
    assert all(fields_of(edge).get("fromSide") for edge in edited.canvas.edges)


def _slots(canvas: Canvas) -> list[tuple[Any, Any]]:
    assert canvas.source
    return list(zip(canvas.nodes, canvas.source.items("nodes"), strict=True))


@pytest.mark.parametrize("file", REAL, ids=lambda file: file.stem)
def test_on_real_canvases_one_line_changes(file: Path) -> None:
    text = file.read_bytes().decode()
    canvas = loads(text)
    name = str(fields_of(canvas.nodes[0])["id"])
    before = text.splitlines()
    after = dumps(edit(canvas, [{"op": "update", "card": name, "x": 12345}], PATH).canvas).splitlines()
    if fields_of(canvas.nodes[0])["type"] != "group":
        assert sum(one != other for one, other in zip(before, after, strict=True)) == 1
    added = dumps(edit(canvas, [{"op": "add", "text": "New"}], PATH).canvas)
    gone = [one for one in before if one not in added.splitlines()]
    assert len(gone) <= 1  # the line that got a comma
    assert len(added.splitlines()) == len(before) + 1


@pytest.mark.parametrize("seed", range(5))
def test_hostile_canvases_can_be_edited(seed: int) -> None:
    state = random.getstate()
    random.seed(seed)
    try:
        made = json_canvas.generate_random_canvas(30, 20, 900, 900)
    finally:
        random.setstate(state)
    canvas = from_json_canvas(made)
    edited = edit(canvas, [{"op": "add", "text": "Zebra"}], PATH)
    assert edited.canvas.nodes[:30] == canvas.nodes
    assert len(edited.canvas.nodes) == 31
