"""Rectangles on a canvas and the grid they stand on (contract J8)."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, TypeGuard

from sidecar.model.note import Json

__all__ = [
    "ASPECT",
    "FARTHEST",
    "GAP",
    "GEOMETRY",
    "GRID",
    "Box",
    "Occupied",
    "Size",
    "box_of",
    "enclose",
    "is_number",
    "snap",
]

GRID: Final = 20
GAP: Final = 40
"""Free space between two cards that we place; never less than the grid."""

ASPECT: Final = 1.6
"""The shape of a drawing that fits a screen: so many times wider than high."""

GEOMETRY: Final = ("x", "y", "width", "height")
FARTHEST: Final = 10_000_000
"""No coordinate or size is larger; beyond it browsers stop drawing."""

_CELL = 600
_MANY_CELLS = 64


def is_number(value: object) -> TypeGuard[int | float]:
    """Tell whether a JSON value is a number that can be drawn (``true`` is none, nor is 1e300)."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -FARTHEST <= value <= FARTHEST


def snap(value: float) -> int:
    """Round up to the grid."""
    return math.ceil(value / GRID) * GRID


@dataclass(frozen=True, slots=True)
class Size:
    """How much room a card takes."""

    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle; ``x`` and ``y`` are its top left corner, y grows downwards."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The x of the right side."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The y of the lower side."""
        return self.y + self.height

    @property
    def centre(self) -> tuple[float, float]:
        """The middle."""
        return self.x + self.width / 2, self.y + self.height / 2

    def meets(self, other: "Box", gap: float = 0) -> bool:
        """Tell whether the two overlap or are nearer than ``gap``."""
        return (
            self.x < other.right + gap
            and other.x < self.right + gap
            and self.y < other.bottom + gap
            and other.y < self.bottom + gap
        )

    def moved(self, dx: float, dy: float) -> "Box":
        """Return the box elsewhere."""
        return Box(self.x + dx, self.y + dy, self.width, self.height)


def box_of(fields: Mapping[str, Json]) -> Box | None:
    """Return a node's rectangle, ``None`` when its geometry is missing, no numbers, or cannot be drawn."""
    x, y, width, height = (fields.get(name) for name in GEOMETRY)
    if is_number(x) and is_number(y) and is_number(width) and is_number(height) and width > 0 and height > 0:
        return Box(x, y, width, height)
    return None


def enclose(boxes: Iterable[Box]) -> Box:
    """Return the smallest box around at least one box."""
    held = list(boxes)
    x, y = min(box.x for box in held), min(box.y for box in held)
    return Box(x, y, max(box.right for box in held) - x, max(box.bottom for box in held) - y)


class Occupied:
    """The boxes that stand on a canvas already, sorted into cells so that a look around a place is quick."""

    def __init__(self, boxes: Iterable[Box] = ()) -> None:
        self._cells: dict[tuple[int, int], list[Box]] = {}
        self._large: list[Box] = []
        for box in boxes:
            self.add(box)

    def add(self, box: Box) -> None:
        """Put a box on the canvas."""
        if (box.width // _CELL + 2) * (box.height // _CELL + 2) > _MANY_CELLS:
            self._large.append(box)
            return
        for cell in self._around(box, 0):
            self._cells.setdefault(cell, []).append(box)

    def blocker(self, box: Box, gap: float) -> Box | None:
        """Return a box that is nearer than ``gap``, the first one added if there are several in one cell."""
        for other in self._large:
            if other.meets(box, gap):
                return other
        if (box.width // _CELL + 2) * (box.height // _CELL + 2) > _MANY_CELLS:
            return next((other for held in self._cells.values() for other in held if other.meets(box, gap)), None)
        for cell in self._around(box, gap):
            for other in self._cells.get(cell, ()):
                if other.meets(box, gap):
                    return other
        return None

    @staticmethod
    def _around(box: Box, gap: float) -> Iterable[tuple[int, int]]:
        left, top = int((box.x - gap) // _CELL), int((box.y - gap) // _CELL)
        right, bottom = int((box.right + gap) // _CELL), int((box.bottom + gap) // _CELL)
        return ((column, row) for column in range(left, right + 1) for row in range(top, bottom + 1))
