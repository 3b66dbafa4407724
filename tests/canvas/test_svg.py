import random
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from json_canvas import json_canvas

from sidecar.canvas.codec import loads
from sidecar.canvas.jsoncanvas_bridge import from_json_canvas
from sidecar.canvas.svg import svg
from tests.canvas.boards import board, card, line

REAL = sorted((Path(__file__).parents[1] / "vaults").rglob("*.canvas"))
SPACE = "{http://www.w3.org/2000/svg}"


def drawn(nodes: list[Any], edges: list[Any] | None = None, width: int = 1200) -> ET.Element:
    return ET.fromstring(svg(board(nodes, edges or []), width=width))  # noqa: S314 - our own text


def texts(picture: ET.Element) -> list[str]:
    return [one.text or "" for one in picture.iter(SPACE + "text")]


def test_a_picture_of_two_cards_is_these_bytes() -> None:
    nodes = [card("a", text="# A & <b>\ntext"), card("b", 300, 0, color="4", type="file", file="F/B.md")]
    lines = svg(board(nodes, [line("a", "b", label="x")])).split("\n")
    assert lines[0] == (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-60 -60 620 180" width="1200" height="348" '
        'font-family="Inter, Helvetica, Arial, \'DejaVu Sans\', sans-serif" font-size="15">'
    )
    assert lines[2] == (
        '<path d="M200 30C250 30 250 30 300 30" fill="none" stroke="#a5a5a5" stroke-width="2"/>'
        '<path d="M300 30L286 24.1L286 35.9Z" fill="#a5a5a5"/>'
    )
    assert '<text x="14" y="38.9" font-size="25.5" fill="#222222" font-weight="bold">A &amp; &lt;b&gt;…</text>' in lines
    assert (
        '<rect x="300" y="0" width="200" height="60" rx="8" fill="#ffffff" stroke="#08b94e" stroke-width="3"/>' in lines
    )
    assert lines[-2:] == ["</svg>", ""]


@pytest.mark.parametrize(
    ("fields", "shown"),
    [
        ({"text": "one\n\ntwo"}, ["one…"]),
        ({"text": "one\n\ntwo", "height": 200}, ["one", "two"]),
        ({"text": "---\n- item", "height": 200}, ["• item"]),
        ({"type": "file", "file": "A/Note_one.md", "subpath": "#H", "height": 200}, ["Note_one", "#H", "A"]),
        ({"type": "link", "url": "https://example.com/a_b"}, ["↗\u00a0https://example.co…"]),
        ({"type": "group", "label": "My <group>"}, ["My <group>"]),
        ({"type": "group", "label": 7}, []),
        ({"type": "portal"}, ["portal"]),
        ({"text": "\0\ud800\x0b", "height": 90}, None),
    ],
)
def test_what_a_card_shows(fields: dict[str, Any], shown: list[str] | None) -> None:
    picture = drawn([card("a", **fields)])
    assert shown is None or texts(picture) == shown


def test_colours_are_those_of_the_app_and_nothing_else_gets_in() -> None:
    nodes = [
        card(f"c{number}", 0, 100 * number, color=color)
        for number, color in enumerate(["1", "6", "#AbCdEf", '"/><script>', 4])
    ]
    text = svg(board(nodes, []))
    assert re.findall(r'stroke="(#\w+)"', text) == ["#e93147", "#7852ee", "#AbCdEf", "#a5a5a5", "#a5a5a5"]
    assert "script" not in text


@pytest.mark.parametrize(
    ("edge", "tips"),
    [
        ({}, 1),
        ({"toEnd": "none"}, 0),
        ({"fromEnd": "arrow"}, 2),
        ({"fromSide": "up", "toSide": None}, 1),
        ({"toNode": "z"}, None),
    ],
)
def test_edges_and_their_arrows(edge: dict[str, Any], tips: int | None) -> None:
    paths = [
        one.get("d", "")
        for one in drawn([card("a"), card("b", 400)], [{**line("a", "b"), **edge}]).iter(SPACE + "path")
    ]
    assert len(paths) == (0 if tips is None else tips + 1)
    assert all(path.startswith("M200 30C") for path in paths[:1])


def test_letters_stay_readable_on_a_large_canvas() -> None:
    nodes = [card("a", text="word " * 40, width=600, height=200), card("b", 6000, 3000)]
    picture = drawn(nodes, width=600)
    _, _, width, _ = map(float, picture.get("viewBox", "").split())
    assert float(picture.get("font-size", "0")) / width * 600 == pytest.approx(4.3, abs=0.2)
    assert drawn([card("a")], width=600).get("font-size") == "15"


@pytest.mark.parametrize("text", ["", "{}"])
def test_j1_an_empty_canvas_has_a_picture(text: str) -> None:
    assert "This canvas is empty." in svg(loads(text))


@pytest.mark.parametrize("file", REAL, ids=lambda file: file.stem)
def test_every_real_canvas_has_a_picture(file: Path) -> None:
    canvas = loads(file.read_text(encoding="utf-8"))
    picture = ET.fromstring(svg(canvas))  # noqa: S314
    assert len(picture.findall(SPACE + "svg")) == sum('"type":"group"' not in row for row in _rows(file))
    assert svg(canvas) == svg(loads(file.read_text(encoding="utf-8")))


def _rows(file: Path) -> list[str]:
    return re.findall(r'\{"id":[^\n]*"width":[^\n]*', file.read_text(encoding="utf-8"))


@given(
    st.lists(
        st.fixed_dictionaries(
            {"text": st.text(max_size=120)}, optional={"width": st.floats(1, 900), "height": st.integers(1, 500)}
        ),
        max_size=5,
    )
)
def test_law_every_text_makes_a_valid_picture(given_cards: list[Any]) -> None:
    drawn([card(f"c{number}", 300 * number, **fields) for number, fields in enumerate(given_cards)])


@pytest.mark.parametrize("seed", range(5))
def test_hostile_canvases_have_pictures(seed: int) -> None:
    state = random.getstate()
    random.seed(seed)
    try:
        made = json_canvas.generate_random_canvas(40, 30, 900, 900)
    finally:
        random.setstate(state)
    ET.fromstring(svg(from_json_canvas(made)))  # noqa: S314
