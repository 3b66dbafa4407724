"""Drawings that have nothing to do with one another are set on one sheet, in rows, the whole about 16 to 10."""

import math
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from sidecar.canvas.layout.geometry import ASPECT, Box, enclose, snap

__all__ = ["pack"]

_GAP: Final = 80
_WIDTHS: Final = (0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.25, 1.4, 1.6, 2.0)

Drawing: TypeAlias = Mapping[str, Box]


def pack(drawings: Sequence[Drawing]) -> dict[str, Box]:
    """Return all boxes of the drawings, each moved as a whole, with the sheet's top left corner at the origin."""
    frames = [enclose(drawing.values()) for drawing in drawings]
    order = sorted(range(len(drawings)), key=lambda n: (-frames[n].height, -frames[n].width, min(drawings[n])))
    area = sum((frame.width + _GAP) * (frame.height + _GAP) for frame in frames)
    widest = max((frame.width for frame in frames), default=0)
    best: tuple[float, list[tuple[int, int]]] | None = None
    for factor in _WIDTHS:
        spots, width, height = _rows([frames[n] for n in order], max(widest, math.sqrt(area * ASPECT) * factor))
        cost = width * height * (1 + abs(math.log(width / height / ASPECT)))
        if best is None or cost < best[0]:
            best = cost, spots
    placed: dict[str, Box] = {}
    for number, (x, y) in zip(order, best[1] if best else (), strict=True):
        frame = frames[number]
        placed.update({card: box.moved(x - frame.x, y - frame.y) for card, box in drawings[number].items()})
    return placed


def _rows(frames: Sequence[Box], widest: float) -> tuple[list[tuple[int, int]], float, float]:
    spots = []
    x = y = below = 0
    width = 0.0
    for frame in frames:
        if x and x + frame.width > widest:
            x, y = 0, below
        spots.append((x, y))
        width = max(width, x + frame.width)
        below = max(below, snap(y + frame.height + _GAP))
        x = snap(x + frame.width + _GAP)
    return spots, width, below - _GAP
