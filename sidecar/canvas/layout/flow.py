"""The layout ``flow``: steps in layers that follow one another, for processes, plans and whatever has a direction."""

import itertools
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sidecar.canvas.layout.curve import room_for
from sidecar.canvas.layout.geometry import GAP, GRID, Box, Size, snap
from sidecar.canvas.layout.graph import Graph
from sidecar.canvas.layout.layers import layers_of, onward
from sidecar.canvas.layout.ordering import Layered, ordered
from sidecar.canvas.layout.sides import Axis, Side, Sides, facing_sides

__all__ = ["draw_flow"]

_BETWEEN: Final = 120
"""Pixels between two layers: room for an arrow and a short label."""
_LANE: Final = 24
"""What an edge needs that passes a layer between its cards."""
_SWEEPS: Final = 12
_UNEVEN: Final = 0.4
"""How much longer or shorter a band may be than the mean, so that it ends at a good place."""
_STIFF: Final = 4.0
"""Edges that pass a layer are to be straighter than others."""


def draw_flow(graph: Graph, axis: Axis, widest: float, bands: int = 1) -> tuple[dict[str, Box], Sides]:
    """Draw a connected graph in layers, to the right or downwards; a layer is about ``widest`` pixels at most.

    Edges that would close a circle lead back. Within a layer cards stand so that few edges cross, near their
    neighbours. A long flow may turn back at its end, so that it runs in several ``bands``.

    Returns the boxes, and the sides of all edges: those of the axis, but the outer ones where the flow turns back.
    """
    sizes = graph.sizes if axis == "down" else {c: Size(s.height, s.width) for c, s in graph.sizes.items()}
    edges = onward(graph)
    layers = layers_of(graph, edges, {card: size.width + GAP for card, size in sizes.items()}, widest)
    layered = ordered(layers, edges)
    centres = _along(layered, {card: float(snap(size.width)) for card, size in sizes.items()})
    rows = [[card for card in row if card in sizes] for row in layered.rows]
    between = _between(graph, rows, axis)
    placed = {}
    turns: list[tuple[list[str], list[str], bool]] = []
    deep, aside, forward = 0, 0, True
    last: list[str] = []
    for band in _bands(rows, sizes, edges, bands):
        cards = [card for row in band for card in row]
        if last:
            turns.append((last, band[0], not forward))
        last = band[-1]
        first = min(centres[card] - snap(sizes[card].width) / 2 for card in cards)
        end = max(centres[card] + snap(sizes[card].width) / 2 for card in cards)
        heights = [snap(max(sizes[card].height for card in row)) for row in band]
        for row, height in zip(band, heights, strict=True):
            top = deep if forward else deep - height
            for card in row:
                size = sizes[card]
                # What runs back is turned round as a whole, so that edges around the bend lie within one another.
                middle = centres[card] - first if forward else end - centres[card]
                x = _down(middle - snap(size.width) / 2) + aside
                y = top + snap((height - size.height) / 2)
                given = graph.sizes[card]
                placed[card] = Box(*((x, y) if axis == "down" else (y, x)), given.width, given.height)
            deep += (height + between[row[0]]) * (1 if forward else -1)
        # The next band begins beside the last layer of this one and runs back.
        deep += -between[last[0]] if forward else between[last[0]]
        aside = snap(max(_far(placed[card], axis) for card in cards) + 2 * GAP)
        forward = not forward
    return placed, _sides(graph, placed, axis, turns)


def _sides(
    graph: Graph, boxes: Mapping[str, Box], axis: Axis, turns: Iterable[tuple[list[str], list[str], bool]]
) -> Sides:
    sides = {(start, end): facing_sides(boxes[start], boxes[end], axis) for start, end in graph.edges}
    for before, after, at_the_end in turns:
        outer: Side = ("right" if at_the_end else "left") if axis == "across" else ("bottom" if at_the_end else "top")
        near, far = set(before), set(after)
        for start, end in graph.edges:
            if (start in near and end in far) or (start in far and end in near):
                sides[start, end] = outer, outer
    return sides


def _between(graph: Graph, rows: Sequence[list[str]], axis: Axis) -> dict[str, int]:
    """Return for each card how far its layer is from the next one: there is room for the labels of edges."""
    layer_of = {card: number for number, row in enumerate(rows) for card in row}
    gaps = [_BETWEEN] * len(rows)
    for (start, end), label in graph.labels.items():
        first, last = sorted((layer_of[start], layer_of[end]))
        if last == first + 1:
            gaps[first] = max(gaps[first], room_for(label, axis))
    return {card: gaps[number] for card, number in layer_of.items()}


def _down(value: float) -> int:
    return int(value // GRID) * GRID


def _far(box: Box, axis: Axis) -> float:
    return box.right if axis == "down" else box.bottom


def _bands(
    rows: Sequence[list[str]], sizes: Mapping[str, Size], edges: Iterable[tuple[str, str]], bands: int
) -> list[list[list[str]]]:
    """Cut layers into bands of about the same length, there where few edges pass the cut from farther away."""
    ends = [0.0]
    for row in rows:
        ends.append(ends[-1] + max(sizes[card].height for card in row) + _BETWEEN)
    layer_of = {card: number for number, row in enumerate(rows) for card in row}
    passing = [0] * (len(rows) + 1)
    for start, end in edges:
        for cut in range(layer_of[start] + 1, layer_of[end] + 1):
            passing[cut] += layer_of[end] - layer_of[start] > 1
    cuts, length = [0], ends[-1] / bands
    for number in range(1, bands):
        near = [
            (passing[cut] + abs(ends[cut] - number * length) / length, cut)
            for cut in range(cuts[-1] + 1, len(rows))
            if abs(ends[cut] - number * length) <= _UNEVEN * length
        ]
        if near:
            cuts.append(min(near)[1])
    return [list(rows[start:end]) for start, end in itertools.pairwise([*cuts, len(rows)])]


def _along(layered: Layered, widths: Mapping[str, float]) -> dict[str, float]:
    """Return the middle of each card along its layer: as near to those of its neighbours as the others allow."""
    width = defaultdict(lambda: 0.0, widths)
    middle: dict[str, float] = {}
    for row in layered.rows:
        x = 0.0
        for card in row:
            middle[card] = x + width[card] / 2
            x += width[card] + GAP
        for card in row:
            middle[card] -= x / 2
    for sweep in range(_SWEEPS):
        down = sweep % 2 == 0
        last = sweep >= _SWEEPS - 2
        for row in layered.rows if down else reversed(layered.rows):
            wanted, weights = [], []
            for card in row:
                near = layered.above[card] if down else layered.below[card]
                near = [*layered.above[card], *layered.below[card]] if last else near
                wanted.append(sum(middle[other] for other in near) / len(near) if near else middle[card])
                weights.append(_STIFF if card not in widths else max(1.0, len(near)))
            apart = [_apart(row[n], row[n + 1], width, widths) for n in range(len(row) - 1)]
            middle.update(zip(row, _kept_apart(wanted, weights, apart), strict=True))
    return middle


def _apart(one: str, other: str, width: Mapping[str, float], cards: Iterable[str]) -> float:
    # What is set on the grid afterwards may come nearer by one line of it.
    return (width[one] + width[other]) / 2 + (GAP + GRID if one in cards and other in cards else _LANE)


def _kept_apart(wanted: Sequence[float], weights: Sequence[float], apart: Sequence[float]) -> list[float]:
    """Return places in this order, so far apart, with the least weighted squares of what they are off (pooling)."""
    offsets = [0.0]
    for distance in apart:
        offsets.append(offsets[-1] + distance)
    pools: list[tuple[float, float, int]] = []
    for want, weight, offset in zip(wanted, weights, offsets, strict=True):
        value, heavy, count = want - offset, weight, 1
        while pools and pools[-1][0] > value:
            other, other_weight, other_count = pools.pop()
            value = (value * heavy + other * other_weight) / (heavy + other_weight)
            heavy, count = heavy + other_weight, count + other_count
        pools.append((value, heavy, count))
    flat = [value for value, _, count in pools for _ in range(count)]
    return [value + offset for value, offset in zip(flat, offsets, strict=True)]
