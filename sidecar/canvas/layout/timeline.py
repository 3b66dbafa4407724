"""The layouts ``timeline`` and ``columns``: cards in stacks that stand side by side, and go on below like text."""

import math
from collections.abc import Mapping, Sequence
from typing import Final

from sidecar.canvas.layout.geometry import ASPECT, GAP, Box, Size, snap

__all__ = ["draw_stacks", "draw_timeline"]

_BETWEEN: Final = 100
_LOW: Final = 500
"""Pixels of height up to which no stack is split."""
_FEW: Final = 8
"""Stacks that always stand in one row."""


def draw_timeline(sizes: Mapping[str, Size], moments: Mapping[str, str]) -> dict[str, Box]:
    """Draw cards in the order of their moments, such as ``2026-05-01``; those of one moment stand in one stack.

    A card without a moment comes last.
    """
    stacks: dict[tuple[bool, str], list[str]] = {}
    for card in sorted(sizes):
        moment = moments.get(card, "")
        stacks.setdefault((not moment, moment), []).append(card)
    return draw_stacks(sizes, [stacks[moment] for moment in sorted(stacks)])


def draw_stacks(sizes: Mapping[str, Size], stacks: Sequence[Sequence[str]]) -> dict[str, Box]:
    """Draw each stack as a column, in order; high ones are split, and the row goes on below when it gets too long."""
    if not sizes:
        return {}
    area = sum((size.width + _BETWEEN) * (size.height + GAP) for size in sizes.values())
    best: dict[str, Box] = {}
    for tallest in (math.sqrt(area / ASPECT) * factor for factor in (0.35, 0.5, 0.7, 1.0)):
        columns = [part for stack in stacks for part in _split(stack, sizes, max(tallest, _LOW))]
        for widest in (math.sqrt(area * ASPECT) * factor for factor in (0.8, 1.0, 1.25, 1.6)):
            if len(stacks) <= _FEW and len(columns) == len(stacks):
                drawing = _rows(columns, sizes, math.inf)
            else:
                drawing = _rows(columns, sizes, widest)
            if not best or _off(drawing) < _off(best):
                best = drawing
    return best


def _off(boxes: Mapping[str, Box]) -> float:
    wide = max(box.right for box in boxes.values())
    high = max(box.bottom for box in boxes.values())
    return abs(math.log(wide / high / ASPECT)) + math.log(wide * high)


def _split(stack: Sequence[str], sizes: Mapping[str, Size], tallest: float) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    height = 0.0
    for card in stack:
        height += sizes[card].height + GAP
        if parts[-1] and height > tallest:
            parts.append([])
            height = sizes[card].height + GAP
        parts[-1].append(card)
    return parts


def _rows(columns: Sequence[Sequence[str]], sizes: Mapping[str, Size], widest: float) -> dict[str, Box]:
    placed = {}
    x = top = below = 0
    for column in columns:
        width = max(sizes[card].width for card in column)
        if x and x + width > widest:
            x, top = 0, below + GAP
        y = top
        for card in column:
            placed[card] = Box(x, y, sizes[card].width, sizes[card].height)
            y = snap(y + sizes[card].height + GAP)
        below = max(below, y)
        x = snap(x + width + _BETWEEN)
    return placed
