"""Edges as the app bends them: which way a line leaves and enters its cards, and where its label stands."""

import math
from collections.abc import Mapping
from typing import Final, TypeAlias

from sidecar.canvas.layout.geometry import GAP, Box, Size, snap
from sidecar.canvas.layout.sides import Axis, Side

__all__ = ["WAYS", "Curve", "Labels", "bent", "reach_of", "room_for", "traced", "written_on"]

Curve: TypeAlias = tuple[float, float, float, float, float, float, float, float]
"""The four points of a cubic curve: where it begins, two that it bends towards, where it ends."""

WAYS: Final[Mapping[Side, tuple[int, int]]] = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)}
Labels: TypeAlias = Mapping[tuple[str, str], Size]
"""How much room the label of an edge takes; edges without one are not named."""

_ARM: Final = 50.0
_STEPS: Final = 8
_FLAT: Final = 1e-9


def bent(chord: tuple[float, float, float, float], sides: tuple[Side, Side]) -> Curve:
    """Return the curve between the two ends of a straight line that leaves and enters cards at these sides."""
    ax, ay, bx, by = chord
    (au, av), (bu, bv) = WAYS[sides[0]], WAYS[sides[1]]
    arm = max(_ARM, (abs(ax - bx) + abs(ay - by)) / 3)
    return ax, ay, ax + au * arm, ay + av * arm, bx + bu * arm, by + bv * arm, bx, by


def _point_on(curve: Curve, part: float) -> tuple[float, float]:
    """Return the point after a part of the way, from 0 to 1."""
    ax, ay, cx, cy, dx, dy, bx, by = curve
    rest = 1 - part
    first, second, third, last = rest**3, 3 * rest * rest * part, 3 * rest * part * part, part**3
    return first * ax + second * cx + third * dx + last * bx, first * ay + second * cy + third * dy + last * by


def traced(curve: Curve) -> list[tuple[float, float]]:
    """Return points along a curve, so near that the straight lines between them are as good as the curve."""
    return [_point_on(curve, step / _STEPS) for step in range(_STEPS + 1)]


def reach_of(curve: Curve) -> Box:
    """Return the smallest box around a curve: it is farthest out at its ends, or where it turns."""
    left, right = _reach(curve[::2])
    top, bottom = _reach(curve[1::2])
    return Box(left, top, right - left, bottom - top)


def _reach(along: tuple[float, ...]) -> tuple[float, float]:
    """Return the least and the greatest value of a curve along one axis, from its four points there."""
    first, second, third, last = along
    a, b, c = last - first + 3 * (second - third), 2 * (first - 2 * second + third), second - first
    inside = b * b - 4 * a * c
    if abs(a) < _FLAT:
        turns = [-c / b] if b else []
    else:
        turns = [(-b + sign * math.sqrt(inside)) / (2 * a) for sign in (1, -1)] if inside >= 0 else []
    values = [first, last]
    for part in turns:
        if 0 < part < 1:
            rest = 1 - part
            values.append(
                rest**3 * first + 3 * rest * rest * part * second + 3 * rest * part * part * third + part**3 * last
            )
    return min(values), max(values)


def written_on(curve: Curve, label: Size) -> Box:
    """Return the room that a label takes on its curve: half way, where the app writes it."""
    x, y = _point_on(curve, 0.5)
    return Box(x - label.width / 2, y - label.height / 2, label.width, label.height)


def room_for(label: Size, axis: Axis) -> int:
    """Return how far two cards that an edge joins must be from each other, so that its label is between them."""
    return snap((label.width if axis == "across" else label.height) + GAP)
