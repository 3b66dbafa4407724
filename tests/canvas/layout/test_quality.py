import pytest

from sidecar.canvas.layout.geometry import Box
from sidecar.canvas.layout.quality import (
    aspect,
    badness,
    containment_faults,
    crossings,
    cut_through,
    drift,
    fill,
    foreign_cards,
    off_grid,
    overlaps,
)

SQUARE = {
    "a": Box(0, 0, 100, 100),
    "b": Box(900, 0, 100, 100),
    "c": Box(0, 900, 100, 100),
    "d": Box(900, 900, 100, 100),
}


def test_two_diagonals_cross_once() -> None:
    assert crossings(SQUARE, [("a", "d"), ("b", "c"), ("c", "b")]) == 1
    assert crossings(SQUARE, [("a", "b"), ("c", "d")]) == 0


def test_edges_that_share_a_card_do_not_cross() -> None:
    assert crossings(SQUARE, [("a", "d"), ("a", "b"), ("a", "c")]) == 0


def test_given_sides_count() -> None:
    edges = [("a", "b"), ("c", "d")]
    assert crossings(SQUARE, edges, {("a", "b"): ("bottom", "bottom"), ("c", "d"): ("top", "top")}) == 0
    low = {**SQUARE, "b": Box(900, 1800, 100, 100)}
    assert crossings(low, edges, {("a", "b"): ("bottom", "top")}) == 1


@pytest.mark.parametrize(("x", "y", "count"), [(400, 400, 1), (400, 0, 0), (950, 950, 0)])
def test_an_edge_over_a_foreign_card(x: float, y: float, count: int) -> None:
    boxes = {"a": SQUARE["a"], "d": SQUARE["d"], "x": Box(x, y, 200, 200) if count else Box(x, y, 40, 40)}
    assert cut_through(boxes, [("a", "d")]) == count


def test_an_edge_along_a_border_only_grazes() -> None:
    boxes = {"a": Box(0, 0, 100, 100), "b": Box(400, 0, 100, 100), "x": Box(200, 50, 100, 100)}
    assert cut_through(boxes, [("a", "b")]) == 0


def test_overlaps_and_gaps() -> None:
    boxes = {"a": Box(0, 0, 100, 100), "b": Box(110, 0, 100, 100), "c": Box(50, 50, 100, 100)}
    assert overlaps(boxes) == 2
    assert overlaps(boxes, 20) == 3


def test_shape_and_fill() -> None:
    boxes = {"a": Box(0, 0, 100, 100), "b": Box(200, 0, 100, 100)}
    assert aspect(boxes) == 3
    assert fill(boxes) == pytest.approx(2 / 3)


def test_members_and_strangers() -> None:
    boxes = {"g": Box(0, 0, 400, 400), "a": Box(40, 60, 100, 100), "b": Box(350, 60, 100, 100), "x": Box(0, 390, 9, 9)}
    groups = {"g": ["a", "b"]}
    assert containment_faults(boxes, groups, 20, 40) == ["b"]
    assert foreign_cards(boxes, groups) == [("g", "x")]


def test_a_group_within_a_group_is_no_stranger() -> None:
    boxes = {"g": Box(0, 0, 400, 400), "h": Box(40, 60, 200, 200), "a": Box(80, 120, 50, 50)}
    assert foreign_cards(boxes, {"g": ["h"], "h": ["a"]}) == []


def test_drift_is_a_part_of_the_diagonal() -> None:
    before = {"a": Box(0, 0, 100, 100), "b": Box(200, 0, 100, 300)}
    assert drift(before, before) == 0
    assert drift(before, {"a": Box(0, 424.26, 100, 100), "new": Box(0, 0, 1, 1)}) == pytest.approx(1, abs=0.01)
    assert drift({}, before) == 0


def test_off_the_grid() -> None:
    assert off_grid({"a": Box(10, 0, 100, 100), "b": Box(20, 40, 100, 100), "c": Box(0, 0, 1.5, 1)}, 20) == ["a", "c"]


def test_fewer_faults_are_better() -> None:
    assert badness(SQUARE, [("a", "b"), ("c", "d")]) < badness(SQUARE, [("a", "d"), ("b", "c")])
