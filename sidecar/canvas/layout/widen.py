"""A drawing that is too high or too wide for a screen, drawn out until it fits."""

from collections.abc import Mapping
from typing import Final

from sidecar.canvas.layout.geometry import GRID, Box, enclose

__all__ = ["widened"]

_NARROWEST, _WIDEST = 1.35, 1.95
_FARTHER: Final = 1.08
_MOST: Final = 8


def widened(boxes: Mapping[str, Box]) -> dict[str, Box]:
    """Return boxes on the grid farther apart, across or along, where their whole is not about 16 to 10.

    What does not overlap still does not: all moves away from the middle, the more the farther it is from there.
    """
    placed = dict(boxes)
    for _ in range(_MOST):
        frame = enclose(placed.values())
        shape = frame.width / frame.height
        if _NARROWEST <= shape <= _WIDEST:
            break
        across, along = (_FARTHER - 1, 0.0) if shape < _NARROWEST else (0.0, _FARTHER - 1)
        x, y = frame.centre
        placed = {
            name: box.moved(_grid((box.centre[0] - x) * across), _grid((box.centre[1] - y) * along))
            for name, box in placed.items()
        }
    return placed


def _grid(value: float) -> int:
    return round(value / GRID) * GRID
