import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.canvas.layout.geometry import Box, enclose
from sidecar.canvas.picture import shown, zoom_of
from sidecar.canvas.svg import svg
from tests.canvas.boards import board, card, line

SIDES = ("left", "right", "top", "bottom")
_RECT = re.compile(r'<rect x="([^"]+)" y="([^"]+)" width="([^"]+)" height="([^"]+)" rx')
_PATH = re.compile(r'<path d="M([^"]+)"')
_SAMPLED = 24


def drawn(text: str) -> list[Box]:
    """Return the rooms of all cards, groups and labels of a picture, and points along its edges and arrows."""
    boxes = [Box(*map(float, found)) for found in _RECT.findall(text)]
    for path in _PATH.findall(text):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", path)]
        if "C" in path:
            ax, ay, bx, by, cx, cy, dx, dy = numbers
            for step in range(_SAMPLED + 1):
                part = step / _SAMPLED
                rest = 1 - part
                weights = rest**3, 3 * rest * rest * part, 3 * rest * part * part, part**3
                x = sum(w * v for w, v in zip(weights, (ax, bx, cx, dx), strict=True))
                y = sum(w * v for w, v in zip(weights, (ay, by, cy, dy), strict=True))
                boxes.append(Box(x, y, 0, 0))
        else:
            boxes += [Box(x, y, 0, 0) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
    return boxes


@given(
    st.lists(st.tuples(st.integers(-3000, 3000), st.integers(-3000, 3000)), min_size=2, max_size=5),
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from(SIDES), st.sampled_from(SIDES), st.text("ab ")),
        max_size=5,
    ),
    st.sampled_from([300, 1200]),
)
def test_law_all_that_is_drawn_is_within_the_picture(
    places: list[tuple[int, int]], edges: list[tuple[int, int, str, str, str]], width: int
) -> None:
    nodes: list[Any] = [card(f"c{number}", x, y) for number, (x, y) in enumerate(places)]
    nodes.append(card("g", -200, -200, type="group", label="Group", width=500, height=400))
    lines = [
        line(f"c{start}", f"c{end}", fromSide=one, toSide=two, label=label * 9) for start, end, one, two, label in edges
    ]
    text = svg(board(nodes, lines), width=width)
    found = re.search(r'viewBox="([^"]+)"', text)
    assert found is not None
    frame = Box(*map(float, found[1].split()))
    whole = enclose([*drawn(text), frame])
    assert (whole.x, whole.y) == pytest.approx((frame.x, frame.y), abs=1)
    assert (whole.right, whole.bottom) == pytest.approx((frame.right, frame.bottom), abs=1)


def test_a_label_beside_all_cards_makes_the_picture_wider() -> None:
    nodes = [card("a"), card("b", 0, 300)]
    bow = {"fromSide": "right", "toSide": "right"}
    without, with_label = (
        shown(board(nodes, [line("a", "b", **bow, **label)])) for label in ({}, {"label": "why it is so " * 3})
    )
    assert with_label.right > without.right
    assert (with_label.x, with_label.y, with_label.bottom) == (without.x, without.y, without.bottom)


@pytest.mark.parametrize(("wide", "zoom"), [(100, 1), (1800, 1), (3600, 2), (90_000, 3)])
def test_letters_are_larger_on_a_large_canvas_up_to_three_times(wide: float, zoom: float) -> None:
    assert zoom_of(Box(0, 0, wide, 10)) == pytest.approx(zoom)
    assert zoom_of(Box(0, 0, wide, 10), 600) >= zoom
