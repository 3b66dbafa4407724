"""Which sides of two cards an edge joins (contract J7)."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from sidecar.canvas.layout.geometry import Box

__all__ = ["Axis", "Side", "Sides", "facing_sides"]

Side: TypeAlias = Literal["top", "right", "bottom", "left"]
Axis: TypeAlias = Literal["across", "down"]
"""The way a drawing is read: edges leave and enter on these sides wherever the cards allow it."""


Sides: TypeAlias = Mapping[tuple[str, str], tuple[Side, Side]]
"""For an edge, by the cards it leads from and to: on which side it leaves and where it enters."""


def facing_sides(start: Box, end: Box, axis: Axis | None = None) -> tuple[Side, Side]:
    """Choose the sides that face each other, those of the ``axis`` if there is one, else across the wider gap.

    A card joined to itself uses a corner.
    """
    if start == end:
        return "right", "bottom"
    across = max(end.x - start.right, start.x - end.right)
    along = max(end.y - start.bottom, start.y - end.bottom)
    (start_x, start_y), (end_x, end_y) = start.centre, end.centre
    level = across >= along if axis is None else across >= 0 if axis == "across" else along < 0 <= across
    if level:
        return ("right", "left") if end_x >= start_x else ("left", "right")
    return ("bottom", "top") if end_y >= start_y else ("top", "bottom")
