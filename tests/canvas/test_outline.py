import random
from pathlib import Path
from typing import Any

import pytest
from json_canvas import json_canvas

from sidecar.canvas.codec import loads
from sidecar.canvas.jsoncanvas_bridge import from_json_canvas
from sidecar.canvas.model import Canvas, edge_of, node_of
from sidecar.canvas.outline import outline
from tests.canvas.boards import board, card, line

SAMPLE = Path(__file__).parents[1] / "vaults/jsoncanvas/sample.canvas"


def test_the_official_sample() -> None:
    assert outline(loads(SAMPLE.read_text(encoding="utf-8"))).text() == (
        "4 cards, 1 group, 1 edge\n"
        "\n"
        "- group: JSON Canvas\n"
        "  - file: _site/logo.svg\n"
        "  - text: Learn more: / - [Apps](/docs/apps.md) / - [Spec](spec/1.0.md) / - [Github](https://github.com/obsidianmd/jsoncanvas)\n"
        "- file: spec/1.0.md\n"
        "- file: readme.md [purple]\n"
        "\n"
        "logo.svg -> Learn more:"
    )


def test_groups_are_a_tree_and_cards_stand_in_reading_order() -> None:
    nodes = [
        card("last", 0, 900),
        card("outer", -50, -100, type="group", width=900, height=600, label="Outer"),
        card("inner", 300, 0, type="group", width=400, height=300),
        card("second", 320, 40),
        card("first", 320, 0, color="#ff0000"),
        card("across", 600, 200),
        card("web", 0, 1000, type="link", url="https://example.com"),
        card("note", 0, 300, type="file", file="A/Note.md", subpath="#H"),
    ]
    assert outline(board(nodes, []), {"A/Note.md": "A fine title"}).text().split("\n")[2:] == [
        "- group: Outer",
        "  - group: (inner)",
        "    - text: first [#ff0000]",
        "    - text: second",
        "  - text: across",
        "  - file: A/Note.md#H (A fine title)",
        "- text: last",
        "- link: https://example.com",
    ]


@pytest.mark.parametrize(
    ("edge", "expected"),
    [
        ({}, "a -> b"),
        ({"label": "leads\nto"}, "a -leads to-> b"),
        ({"fromEnd": "arrow"}, "a <-> b"),
        ({"fromEnd": "arrow", "label": "x"}, "a <-x-> b"),
        ({"fromEnd": "arrow", "toEnd": "none", "label": "x"}, "b -x-> a"),
        ({"toEnd": "none"}, "a -- b"),
        ({"toEnd": "none", "label": "x", "color": "4"}, "a -x- b [green]"),
        ({"toNode": "gone"}, "a -> ?"),
        ({"fromNode": None}, "? -> b"),
    ],
)
def test_edges_are_arrows(edge: dict[str, Any], expected: str) -> None:
    text = outline(board([card("a"), card("b", 300)], [{**line("a", "b"), **edge}])).text()
    assert text.split("\n")[-1] == expected


def test_edges_are_sorted_by_their_cards() -> None:
    nodes = [card("c", 0, 200), card("b", 0, 100), card("a")]
    text = outline(board(nodes, [line("c", "a"), line("a", "c"), line("b", "a"), line("a", "b")])).text()
    assert text.split("\n")[-4:] == ["a -> b", "a -> c", "b -> a", "c -> a"]


def test_positions_are_told_only_when_asked_for() -> None:
    canvas = board([card("a", -20, 40.5)], [])
    assert "@" not in outline(canvas).text()
    assert outline(canvas).text(positions=True).endswith("- text: a @ -20,40.5 200x60")


def test_a_long_text_is_cut_and_a_name_that_two_share_is_an_id() -> None:
    nodes = [card("a", text="Same " * 100), card("b", 0, 100, text="Same " * 100)]
    lines = outline(board(nodes, [line("a", "b")])).text().split("\n")
    assert lines[2].endswith("… (219 more characters) (a)")
    assert lines[-1] == "a -> b"


@pytest.mark.parametrize("text", ["", "{}", '{"nodes":[],"edges":[]}', '{"nodes":null,"metadata":{}}'])
def test_j1_an_empty_canvas_says_so(text: str) -> None:
    assert outline(loads(text)).text() == "The canvas is empty."


def test_faulty_parts_are_told_not_fatal() -> None:
    parts: tuple[Any, ...] = (5, {"type": "portal"}, {"id": "a", "type": "text", "text": 4, "x": 1e999})
    nodes = tuple(node_of(part) for part in parts)
    text = outline(Canvas(nodes, (edge_of(7), edge_of({"id": "e", "fromNode": "a"})))).text()
    assert text == "3 cards, 0 groups, 1 edge\n\n- unknown: (nodes[0])\n- portal: (nodes[1])\n- text: (a)\n\na -> ?"


def test_groups_within_groups_without_end_are_told() -> None:
    frames = [
        card(f"g{number}", number, number, type="group", width=9000 - 2 * number, height=9000 - 2 * number)
        for number in range(2000)
    ]
    lines = outline(board(frames, [])).text().split("\n")
    assert len(lines) == 2002
    assert max(len(one) - len(one.lstrip()) for one in lines) == 40


@pytest.mark.parametrize("seed", range(5))
def test_hostile_canvases_are_told(seed: int) -> None:
    state = random.getstate()
    random.seed(seed)
    try:
        made = json_canvas.generate_random_canvas(40, 30, 900, 900)
    finally:
        random.setstate(state)
    canvas = from_json_canvas(made)
    told = outline(canvas)
    assert told.card_count + told.group_count == 40
    assert told.text() == outline(canvas).text()
