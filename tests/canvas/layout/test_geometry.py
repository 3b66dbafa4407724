from typing import Any

import pytest

from sidecar.canvas.layout.geometry import FARTHEST, Box, Occupied, box_of, enclose, is_number, snap


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (0, True),
        (-1.5, True),
        (FARTHEST, True),
        (FARTHEST + 1, False),
        (10**400, False),
        (True, False),
        ("1", False),
        (None, False),
        (float("inf"), False),
        (float("nan"), False),
    ],
)
def test_numbers_that_can_be_drawn(value: object, number: bool) -> None:
    assert is_number(value) is number


@pytest.mark.parametrize(("value", "snapped"), [(0, 0), (1, 20), (20, 20), (20.1, 40), (-1, 0), (-20, -20), (-21, -20)])
def test_snap_rounds_up(value: float, snapped: int) -> None:
    assert snap(value) == snapped


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"x": 0, "y": 0, "width": 0, "height": 1},
        {"x": "0", "y": 0, "width": 1, "height": 1},
        {"x": 0, "y": 1e300, "width": 1, "height": 1},
    ],
)
def test_a_box_needs_four_good_numbers(fields: dict[str, Any]) -> None:
    assert box_of(fields) is None


def test_boxes_meet_when_nearer_than_the_gap() -> None:
    box = box_of({"x": 0, "y": 0, "width": 100, "height": 50})
    assert box == Box(0, 0, 100, 50)
    assert box is not None
    assert not box.meets(Box(100, 0, 10, 10))
    assert box.meets(Box(119, 0, 10, 10), 20)
    assert not box.meets(Box(120, 0, 10, 10), 20)


def test_enclose_is_tight() -> None:
    assert enclose([Box(0, 0, 10, 10), Box(-5, 20, 5, 5)]) == Box(-5, 0, 15, 25)


@pytest.mark.parametrize("size", [10, 700, 100_000])
@pytest.mark.parametrize("probe", [10, 700, 100_000])
def test_occupied_finds_what_is_near(size: int, probe: int) -> None:
    box = Box(-50, -50, size, size)
    occupied = Occupied([box])
    assert occupied.blocker(Box(-50 + size + 19, -50, probe, probe), 20) == box
    assert occupied.blocker(Box(-50 + size + 20, -50, probe, probe), 20) is None
    assert occupied.blocker(Box(-50 - probe - 19, -50, probe, probe), 20) == box
