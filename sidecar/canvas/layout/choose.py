"""Which layout fits cards and their edges best, where several can draw them."""

import math
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final, Literal, TypeAlias

from sidecar.canvas.layout.curve import Labels
from sidecar.canvas.layout.flow import draw_flow
from sidecar.canvas.layout.geometry import ASPECT, GAP, Box, Size
from sidecar.canvas.layout.graph import Graph, graph_of
from sidecar.canvas.layout.map import draw_map
from sidecar.canvas.layout.pack import pack
from sidecar.canvas.layout.quality import badness
from sidecar.canvas.layout.sides import Axis, Side, Sides, facing_sides
from sidecar.canvas.layout.timeline import draw_stacks, draw_timeline
from sidecar.canvas.layout.tree import Growth, draw_tree

__all__ = ["MOST", "Direction", "Layout", "Pencil"]

MOST: Final = 300
"""Cards that are drawn by their links; the time grows with their square. More are set in stacks."""

Direction: TypeAlias = Literal["right", "down"]
"""Which way steps follow one another."""

_FEW: Final = 12
"""Up to so many cards it is worth while to try every layout."""
_MANY: Final = 8
"""From so many cards on the shape of the whole matters, so that a flow may turn back."""
_BETWEEN_LAYERS: Final = 120
_WIDTHS: Final = (0.7, 1.0, 9.0)
_BANDS: Final = (1, 2, 3, 4, 5)
_SHARES: Final = (0.5, 0.6, 0.7, 0.8)

_Candidate: TypeAlias = tuple[dict[str, Box], Sides]


class Layout(StrEnum):
    """How cards are set: by their links, as steps, as a tree, by date, or in stacks."""

    AUTO = "auto"
    MAP = "map"
    FLOW = "flow"
    TREE = "tree"
    TIMELINE = "timeline"
    COLUMNS = "columns"


class Pencil:
    """Draws what stands side by side, and remembers the sides that a layout chose itself."""

    def __init__(self, layout: Layout, direction: Direction | None, moments: Mapping[str, str], labels: Labels) -> None:
        self._layout = layout
        self._direction = direction
        self._moments = moments
        self._labels = labels
        self.sides: dict[tuple[str, str], tuple[Side, Side]] = {}
        self._apart: dict[tuple[str, str], tuple[float, float]] = {}

    def draw(self, sizes: Mapping[str, Size], links: Sequence[tuple[str, str]]) -> dict[str, Box]:
        """Draw cards from the origin; what is not linked with the rest stands apart from it."""
        graph = graph_of(sizes, links, self._labels)
        if self._layout is Layout.TIMELINE:
            return draw_timeline(graph.sizes, self._moments)
        if self._layout is Layout.COLUMNS or len(graph.sizes) > MOST:
            return draw_stacks(graph.sizes, [list(graph.sizes)])
        parts = graph.components()
        single = {card: size for part in parts if len(part.sizes) == 1 for card, size in part.sizes.items()}
        drawings = [self._drawn(part) for part in parts if len(part.sizes) > 1]
        if single:
            drawings.append(draw_stacks(single, [list(single)]))
        return pack(drawings) if len(drawings) > 1 else drawings[0] if drawings else {}

    def forget_turned(self, after: Mapping[str, Box]) -> None:
        """Forget the sides of edges whose two cards have changed sides since: their group was turned over."""
        for start, end in list(self.sides):
            pairs = zip(self._apart[start, end], _apart(after[start], after[end]), strict=True)
            if any(old * new < 0 for old, new in pairs):
                del self.sides[start, end]

    def forget_moved(self, before: Mapping[str, Box], after: Mapping[str, Box]) -> None:
        """Forget the sides of edges whose two cards no longer stand to one another as they were drawn."""
        for start, end in list(self.sides):
            old, new = (_offset(boxes[start], boxes[end]) for boxes in (before, after))
            if old != new:
                del self.sides[start, end]

    def _drawn(self, graph: Graph) -> dict[str, Box]:
        boxes, sides = min(self._candidates(graph), key=lambda drawn: badness(drawn[0], graph.edges, drawn[1]))
        self.sides.update(sides)
        self._apart |= {(start, end): _apart(boxes[start], boxes[end]) for start, end in sides}
        return boxes

    def _candidates(self, graph: Graph) -> Iterator[_Candidate]:
        layout = self._layout
        tree = graph.is_forest
        if layout is Layout.AUTO:
            if self._direction is not None:
                layout = Layout.TREE if tree else Layout.FLOW
            elif len(graph.sizes) > _FEW and not tree:
                layout = Layout.MAP
        if layout in (Layout.MAP, Layout.AUTO):
            yield draw_map(graph), {}
        if tree and layout in (Layout.TREE, Layout.AUTO):
            yield from _trees(graph, self._direction)
        elif layout is not Layout.MAP:
            yield from _flows(graph, self._direction)


def _offset(one: Box, other: Box) -> tuple[float, float]:
    return other.x - one.x, other.y - one.y


def _apart(one: Box, other: Box) -> tuple[float, float]:
    return other.centre[0] - one.centre[0], other.centre[1] - one.centre[1]


def _trees(graph: Graph, direction: Direction | None) -> Iterator[_Candidate]:
    growths: list[tuple[Growth, float]] = [("right", 1.0)]
    if direction == "down":
        growths = [("down", 1.0)]
    elif direction is None:
        growths += [("both", share) for share in _SHARES]
    for growth, share in growths:
        boxes = draw_tree(graph, growth, share)
        yield boxes, _sides(graph, boxes, "down" if growth == "down" else "across")


def _flows(graph: Graph, direction: Direction | None) -> Iterator[_Candidate]:
    axes: dict[Direction | None, tuple[Axis, ...]] = {None: ("across", "down"), "right": ("across",), "down": ("down",)}
    area = sum((size.width + GAP) * (size.height + _BETWEEN_LAYERS) for size in graph.sizes.values())
    for axis in axes[direction]:
        side = math.sqrt(area * ASPECT if axis == "down" else area / ASPECT)
        for width in _WIDTHS:
            for bands in _BANDS if len(graph.sizes) >= _MANY else _BANDS[:1]:
                yield draw_flow(graph, axis, side * width, bands)


def _sides(graph: Graph, boxes: Mapping[str, Box], axis: Axis) -> Sides:
    return {(start, end): facing_sides(boxes[start], boxes[end], axis) for start, end in graph.edges}
