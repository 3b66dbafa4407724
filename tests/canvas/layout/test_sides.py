import pytest

from sidecar.canvas.layout.geometry import Box
from sidecar.canvas.layout.sides import facing_sides

HOME = Box(0, 0, 250, 60)


@pytest.mark.parametrize(
    ("other", "sides"),
    [
        (Box(400, 0, 250, 60), ("right", "left")),
        (Box(-400, 0, 250, 60), ("left", "right")),
        (Box(0, 100, 250, 60), ("bottom", "top")),
        (Box(0, -100, 250, 60), ("top", "bottom")),
        (Box(300, 400, 250, 60), ("bottom", "top")),
        (Box(900, 400, 250, 60), ("right", "left")),
        (Box(10, 10, 20, 20), ("left", "right")),
        (HOME, ("right", "bottom")),
    ],
)
def test_j7_the_wider_gap_decides(other: Box, sides: tuple[str, str]) -> None:
    assert facing_sides(HOME, other) == sides


@pytest.mark.parametrize("x", range(-900, 901, 150))
@pytest.mark.parametrize("y", range(-900, 901, 150))
def test_j7_both_directions_agree(x: int, y: int) -> None:
    other = Box(x + 1, y + 1, 300, 200)
    assert facing_sides(HOME, other) == tuple(reversed(facing_sides(other, HOME)))
