import hashlib
import itertools
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.canvas.check import Severity, check
from sidecar.canvas.codec import dumps
from sidecar.canvas.complete import Completed, complete
from sidecar.canvas.layout.geometry import GRID, Box, box_of
from sidecar.canvas.model import fields_of
from sidecar.model.path import VaultPath

PATH = VaultPath("maps/C.canvas")


def made(nodes: list[dict[str, Any]], edges: list[dict[str, Any]] | None = None) -> Completed:
    return complete(nodes, edges or [], PATH)


def node_fields(completed: Completed) -> list[dict[str, Any]]:
    return [dict(fields_of(node)) for node in completed.canvas.nodes]


def edge_fields(completed: Completed) -> list[dict[str, Any]]:
    return [dict(fields_of(edge)) for edge in completed.canvas.edges]


def hashed(name: str) -> str:
    return hashlib.sha256(f"maps/C.canvas\0{name}".encode()).hexdigest()[:16]


def boxes(completed: Completed) -> list[Box]:
    found = [box_of(fields) for fields in node_fields(completed)]
    assert None not in found
    return [box for box in found if box]


def test_j2_j3_j4_the_bytes_of_a_small_canvas() -> None:
    completed = made(
        [
            {"text": "hello", "id": "core-values", "color": "", "y": 7.5, "x": -0.4},
            {"id": "0123456789abcdef", "file": "a.md", "subpath": None, "x": 400, "y": 0, "color": "6", "zIndex": 1},
            {
                "id": "g",
                "type": "group",
                "backgroundStyle": "cover",
                "label": "",
                "x": -40,
                "y": -40,
                "width": 900,
                "height": 500,
            },
        ],
        [
            {
                "toEnd": "arrow",
                "label": "to",
                "fromEnd": "none",
                "toNode": "0123456789abcdef",
                "id": "e",
                "fromNode": "core-values",
            }
        ],
    )
    a, g, e = hashed("core-values"), hashed("g"), hashed("e")
    assert dumps(completed.canvas) == (
        '{\n\t"nodes":[\n'
        f'\t\t{{"id":"{g}","type":"group","x":-40,"y":-40,"width":900,"height":500}},\n'
        f'\t\t{{"id":"{a}","type":"text","text":"hello","x":0,"y":8,"width":250,"height":60}},\n'
        '\t\t{"id":"0123456789abcdef","type":"file","file":"a.md","x":400,"y":0,"width":400,"height":400,"color":"6","zIndex":1}\n'
        '\t],\n\t"edges":[\n'
        f'\t\t{{"id":"{e}","fromNode":"{a}","fromSide":"right","toNode":"0123456789abcdef","toSide":"left","label":"to"}}\n'
        "\t]\n}"
    )
    assert completed.ids == {"core-values": a, "g": g, "e": e}
    assert completed.names == {a: "core-values", g: "g", e: "e"}


def test_c32_ids_that_are_no_16_hex_digits_become_so() -> None:
    completed = made(
        [{"id": name, "text": name} for name in ("core-values", "ABCDEF0123456789", "0123456789abcdef", "0123")]
        + [{"id": 7, "text": ""}]
    )
    assert completed.ids == {name: hashed(name) for name in ("core-values", "ABCDEF0123456789", "0123", "7")}
    assert [fields["id"] for fields in node_fields(completed)][2] == "0123456789abcdef"


def test_c32_missing_ids_are_made_of_content_and_rank() -> None:
    cards: list[dict[str, Any]] = [{"text": "a"}, {"text": "b"}, {"text": "a", "id": None}, {"text": "a", "id": ""}]
    ids = {}
    for order in itertools.permutations(cards):
        found = sorted(fields["id"] for fields in node_fields(made(list(order))) if fields["text"] == "a")
        ids[tuple(found)] = len(set(found))
    assert list(ids.values()) == [3]  # the same three ids whatever the order
    assert all(len(part) == 16 for found in ids for part in found)


def test_j6_an_edge_may_bear_the_name_of_a_card() -> None:
    completed = made([{"id": "a", "text": ""}, {"id": "b", "text": ""}], [{"id": "a", "fromNode": "a", "toNode": "b"}])
    assert edge_fields(completed)[0]["fromNode"] == completed.ids["a"] == hashed("a") != edge_fields(completed)[0]["id"]
    assert check(completed.canvas) == ()


def test_edges_may_name_cards_by_number_or_stored_id() -> None:
    completed = made([{"id": 1, "text": ""}, {"id": 2, "text": ""}], [{"fromNode": 1, "toNode": hashed("2")}])
    assert check(completed.canvas) == ()


@pytest.mark.parametrize(
    ("fields", "node_type"),
    [
        ({"text": ""}, "text"),
        ({"file": "a.md", "subpath": "#h"}, "file"),
        ({"url": "https://example.com"}, "link"),
        ({"label": "g"}, "group"),
        ({"label": "g", "background": "a.png"}, "group"),
        ({"text": "a", "type": "group"}, "group"),
        ({"text": "a", "file": "a.md"}, None),
        ({"text": "a", "label": "g"}, None),
        ({}, None),
    ],
)
def test_a_missing_type_is_read_from_an_unmistakable_key(fields: dict[str, Any], node_type: str | None) -> None:
    assert node_fields(made([fields]))[0].get("type") == node_type


@pytest.mark.parametrize(
    ("fields", "size"),
    [
        ({"text": "short"}, (250, 60)),
        ({"file": "a.md"}, (400, 400)),
        ({"url": "https://example.com"}, (640, 360)),
        ({"file": "a.md", "height": 100.6}, (400, 101)),
        ({"text": "short", "width": 500}, (500, 60)),
        ({"text": "word " * 40, "width": 100, "height": None}, (100, 1000)),
    ],
)
def test_j8_missing_sizes_are_filled(fields: dict[str, Any], size: tuple[int, int]) -> None:
    (found,) = node_fields(made([fields]))
    assert (found["width"], found["height"]) == size


def test_j8_groups_come_first_and_large_ones_below_small_ones() -> None:
    def group(name: str, size: int) -> dict[str, Any]:
        return {"id": name, "type": "group", "label": name, "x": 0, "y": 0, "width": size, "height": size}

    nodes = [{"text": "1"}, group("inner", 100), {"text": "2"}, group("outer", 300), group("twin", 100)]
    found = node_fields(made(nodes))
    assert [fields.get("label") or fields["text"] for fields in found] == ["outer", "inner", "twin", "1", "2"]


@pytest.mark.parametrize(
    ("place", "sides"),
    [
        ((400, 0), ("right", "left")),
        ((-400, 30), ("left", "right")),
        ((20, 300), ("bottom", "top")),
        ((0, -300), ("top", "bottom")),
        ((300, 900), ("bottom", "top")),
    ],
)
def test_c33_j7_edges_get_the_sides_that_face(place: tuple[int, int], sides: tuple[str, str]) -> None:
    nodes = [{"id": "a", "text": "", "x": 0, "y": 0}, {"id": "b", "text": "", "x": place[0], "y": place[1]}]
    (edge,) = edge_fields(made(nodes, [{"fromNode": "a", "toNode": "b", "toSide": None, "toEnd": None}]))
    assert (edge["fromSide"], edge["toSide"]) == sides
    assert list(edge) == ["id", "fromNode", "fromSide", "toNode", "toSide"]


def test_c33_a_side_that_was_given_stays() -> None:
    nodes = [{"id": "a", "text": "", "x": 0, "y": 0}, {"id": "b", "text": "", "x": 400, "y": 0}]
    (edge,) = edge_fields(made(nodes, [{"fromNode": "a", "toNode": "b", "fromSide": "top"}]))
    assert (edge["fromSide"], edge["toSide"]) == ("top", "left")


def test_c35_new_cards_never_land_on_what_stands() -> None:
    standing = [{"id": f"s{n}", "text": "", "x": n % 3 * 290, "y": n // 3 * 100} for n in range(9)]
    completed = made([*standing, {"id": "new", "text": ""}, {"text": "loose"}], [{"fromNode": "s4", "toNode": "new"}])
    assert [(box.x, box.y) for box in boxes(completed)[:9]] == [(n % 3 * 290, n // 3 * 100) for n in range(9)]
    assert_apart(boxes(completed))


def test_a_group_is_drawn_around_the_cards_it_names() -> None:
    completed = made(
        [
            {"id": "a", "text": "a"},
            {"id": "outer", "label": "o", "nodes": ["inner", "c"]},
            {"id": "inner", "label": "i", "nodes": ["a", "b"]},
            {"id": "b", "text": "b"},
            {"id": "c", "text": "c"},
            {"id": "d", "text": "d"},
        ],
        [{"fromNode": "a", "toNode": "c"}, {"fromNode": "d", "toNode": "b"}, {"fromNode": "a", "toNode": "outer"}],
    )
    assert check(completed.canvas) == ()
    by_name = {
        completed.names[fields["id"]]: box for fields, box in zip(node_fields(completed), boxes(completed), strict=True)
    }
    assert_inside(by_name["outer"], by_name["inner"], by_name["c"])
    assert_inside(by_name["inner"], by_name["a"], by_name["b"])
    assert not by_name["outer"].meets(by_name["d"], GRID)
    assert not by_name["inner"].meets(by_name["c"], GRID)
    assert not any("nodes" in fields for fields in node_fields(completed))


def test_a_group_is_drawn_around_cards_that_stand() -> None:
    completed = made(
        [
            {"id": "a", "text": "", "x": 100, "y": 100},
            {"id": "b", "text": "", "x": 400, "y": 305},
            {"nodes": ["a", "b"]},
        ]
    )
    assert [(box.x, box.y, box.right, box.bottom) for box in boxes(completed)[:1]] == [(60, 40, 700, 420)]


@pytest.mark.parametrize(
    "groups",
    [
        [{"id": "g", "label": "g"}],
        [{"id": "g", "nodes": []}],
        [{"id": "g", "nodes": ["nobody"]}],
        [{"id": "g", "nodes": ["a", "g"]}],
        [{"id": "g", "nodes": ["stands", "a"]}],
        [{"id": "g", "nodes": ["a"]}, {"id": "h", "nodes": ["a"]}],
        [{"id": "g", "nodes": ["h"]}, {"id": "h", "nodes": ["g"]}],
        [{"id": "g", "nodes": ["a"], "x": 5}],
        [{"id": "g", "nodes": ["a"], "x": 5, "y": 5, "width": 9, "height": 9}],
    ],
)
def test_a_group_that_cannot_be_drawn_is_an_error(groups: list[dict[str, Any]]) -> None:
    cards: list[dict[str, Any]] = [{"id": "a", "text": ""}, {"id": "stands", "text": "", "x": 0, "y": 0}]
    completed = made([*cards, *({"type": "group", **group} for group in groups)])
    findings = [f for f in check(completed.canvas, names=completed.names) if f.severity is Severity.ERROR]
    assert {finding.subject for finding in findings} == {f'node "{group["id"]}"' for group in groups}
    assert {finding.code for finding in findings} <= {"no_place", "members"}
    assert sum(fields.get("x") is not None for fields in node_fields(completed) if fields["type"] == "text") == 2


HOSTILE: list[tuple[list[dict[str, Any]], list[dict[str, Any]], set[str]]] = [
    ([{"id": "a", "text": "1"}, {"id": "a", "text": "2"}], [], {"id_repeated"}),
    ([{"id": ["a"], "text": "1"}], [], {"id"}),
    ([{"text": "a"}], [{"fromNode": "x", "toNode": None}], {"dangling"}),
    ([{"text": "a", "x": 1}], [], {"no_place"}),
    ([{"text": "a", "x": "1", "y": "2"}], [], {"geometry"}),
    ([{"text": "a", "x": 1e300, "y": float("inf")}], [], {"geometry"}),
    ([{"text": "a", "width": -3}, {"text": "b", "height": 1e12}], [], {"no_place", "geometry"}),
    ([{"text": {"a": 1}, "color": ["1"]}], [], {"text", "color", "no_place"}),
    ([{"type": "image", "src": "a.png"}, {}], [], {"type", "no_place"}),
    ([{"type": ["text"], "text": "a"}], [], {"type", "no_place"}),
    ([{"type": "group", "nodes": [["a"], None, 3.5]}], [], {"no_place"}),
    (
        [{"id": "a", "text": ""}],
        [{"fromNode": "a", "toNode": "a", "fromSide": "up", "toEnd": "x", "color": 9}],
        {"side", "end", "color"},
    ),
]


@pytest.mark.parametrize(("nodes", "edges", "codes"), HOSTILE)
def test_what_cannot_be_filled_in_is_left_for_the_check(nodes: list[Any], edges: list[Any], codes: set[str]) -> None:
    completed = made(nodes, edges)
    assert {finding.code for finding in check(completed.canvas)} == codes
    assert all(finding.severity is Severity.ERROR for finding in check(completed.canvas))
    dumps(completed.canvas)


def test_what_was_given_is_not_touched() -> None:
    nodes: list[dict[str, Any]] = [{"text": "a", "color": None}]
    edges: list[dict[str, Any]] = [{"fromNode": "a", "toNode": "b", "label": ""}]
    made(nodes, edges)
    assert nodes == [{"text": "a", "color": None}]
    assert edges == [{"fromNode": "a", "toNode": "b", "label": ""}]


def assert_inside(frame: Box, *held: Box) -> None:
    for box in held:
        assert frame.x + GRID <= box.x
        assert frame.y + GRID <= box.y
        assert box.right + GRID <= frame.right
        assert box.bottom + GRID <= frame.bottom


def assert_apart(placed: list[Box]) -> None:
    for one, other in itertools.combinations(placed, 2):
        assert not one.meets(other, GRID)


@st.composite
def calls(draw: st.DrawFn) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Make cards without places, a few that stand apart from each other, and edges among all."""
    floating = draw(st.integers(0, 12))
    standing = draw(st.lists(st.tuples(st.integers(-4, 4), st.integers(-4, 4)), max_size=6, unique=True))
    nodes: list[dict[str, Any]] = [{"id": f"f{n}", "text": "word " * draw(st.integers(0, 60))} for n in range(floating)]
    nodes += [{"id": f"s{n}", "text": "", "x": x * 280, "y": y * 90 + 3} for n, (x, y) in enumerate(standing)]
    nodes = draw(st.permutations(nodes))
    if not nodes:
        return [], []
    name = st.sampled_from([str(node["id"]) for node in nodes])
    return nodes, draw(st.lists(st.fixed_dictionaries({"fromNode": name, "toNode": name}), max_size=15))


@settings(max_examples=60, deadline=None)
@given(calls(), st.randoms(use_true_random=False))
def test_law_nothing_overlaps_every_edge_has_sides_and_the_order_of_edges_does_not_show(
    call: tuple[Any, Any], random: Any
) -> None:
    nodes, edges = call
    completed = made(nodes, edges)
    assert check(completed.canvas) == ()
    assert_apart(boxes(completed))
    for given_node in nodes:
        if "x" in given_node:
            stored = next(f for f in node_fields(completed) if f["id"] == hashed(str(given_node["id"])))
            assert (stored["x"], stored["y"]) == (given_node["x"], given_node["y"])
    for fields in node_fields(completed):
        assert all(isinstance(fields[key], int) for key in ("x", "y", "width", "height"))
    assert all(edge["fromSide"] and edge["toSide"] for edge in edge_fields(completed))
    shuffled = list(edges)
    random.shuffle(shuffled)
    assert dumps(made(nodes, shuffled).canvas) == dumps(completed.canvas)
