"""Which sides of two cards an edge joins (contract J7)."""

from typing import Literal, TypeAlias

from sidecar.canvas.layout.geometry import Box

__all__ = ["Side", "facing_sides"]

Side: TypeAlias = Literal["top", "right", "bottom", "left"]


def facing_sides(start: Box, end: Box) -> tuple[Side, Side]:
    """Choose the sides that face each other across the wider gap; a card joined to itself uses a corner."""
    if start == end:
        return "right", "bottom"
    across = max(end.x - start.right, start.x - end.right)
    along = max(end.y - start.bottom, start.y - end.bottom)
    (start_x, start_y), (end_x, end_y) = start.centre, end.centre
    if across >= along:
        return ("right", "left") if end_x >= start_x else ("left", "right")
    return ("bottom", "top") if end_y >= start_y else ("top", "bottom")
