"""The layout ``map``: linked cards near one another, the whole about 16 to 10; for notes and their links."""

import math
from collections.abc import Mapping
from typing import Final

from sidecar.canvas.layout.aside import stepped_aside
from sidecar.canvas.layout.geometry import ASPECT, GAP, Box, Size
from sidecar.canvas.layout.graph import Graph
from sidecar.canvas.layout.quality import badness
from sidecar.canvas.layout.refine import refine
from sidecar.canvas.layout.separate import separate
from sidecar.canvas.layout.stress import Point, spread
from sidecar.canvas.layout.widen import widened

__all__ = ["draw_map"]

_FILL: Final = 0.3
_LEAST: Final = 200.0
_STRETCH: Final = 1.35
_MANY: Final = 8
"""From so many cards on the shape of the whole matters."""
_EFFORT: Final = ((30, 6, 400_000), (60, 6, 400_000), (120, 4, 1_000_000), (300, 2, 2_500_000))
"""Up to so many cards, so many drawings are made, and the best is refined with such a budget."""


def draw_map(graph: Graph) -> dict[str, Box]:
    """Draw a connected graph."""
    if len(graph.sizes) == 1:
        ((card, size),) = graph.sizes.items()
        return {card: Box(0, 0, size.width, size.height)}
    tries, budget = next(((tries, budget) for most, tries, budget in _EFFORT if len(graph.sizes) <= most), (1, 0))
    drawings = [
        separate(_shaped(spread(graph, seed), graph.sizes), graph.sizes, ASPECT, graph.labels) for seed in range(tries)
    ]
    best = min(drawings, key=lambda boxes: badness(boxes, graph.edges))
    refined = refine(best, graph, budget)
    return stepped_aside(widened(refined) if len(refined) >= _MANY else refined, graph)


def _shaped(points: Mapping[str, Point], sizes: Mapping[str, Size]) -> dict[str, Point]:
    """Turn the longer way of a cloud level, stretch it a little towards 16 to 10, and give its cards room."""
    turned = _levelled(points)
    wide, high = _extent(turned)
    stretch = min(max(math.sqrt(ASPECT * high / wide), 1 / _STRETCH), _STRETCH)
    area = sum((size.width + GAP) * (size.height + GAP) for size in sizes.values())
    grown = max(0.4, math.sqrt(area / _FILL / (wide * high)))
    return {card: (x * stretch * grown, y / stretch * grown) for card, (x, y) in turned.items()}


def _levelled(points: Mapping[str, Point]) -> dict[str, Point]:
    count = len(points)
    middle_x, middle_y = sum(x for x, _ in points.values()) / count, sum(y for _, y in points.values()) / count
    centred = {card: (x - middle_x, y - middle_y) for card, (x, y) in points.items()}
    across = sum(x * x for x, _ in centred.values())
    along = sum(y * y for _, y in centred.values())
    mixed = sum(x * y for x, y in centred.values())
    angle = -math.atan2(2 * mixed, across - along) / 2
    cosine, sine = math.cos(angle), math.sin(angle)
    return {card: (x * cosine - y * sine, x * sine + y * cosine) for card, (x, y) in centred.items()}


def _extent(points: Mapping[str, Point]) -> tuple[float, float]:
    xs, ys = [x for x, _ in points.values()], [y for _, y in points.values()]
    # Cards in one line have no height of their own to be stretched.
    return max(max(xs) - min(xs), _LEAST), max(max(ys) - min(ys), _LEAST)
