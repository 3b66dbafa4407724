"""Which step of a flow comes in which layer: circles are cut, layers bounded, and edges kept short."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from sidecar.canvas.layout.graph import Graph

__all__ = ["layers_of", "onward"]

_SWEEPS = 8

Edges = Sequence[tuple[str, str]]


def onward(graph: Graph) -> list[tuple[str, str]]:
    """Return the edges with those turned round that would close a circle (the greedy rule of Eades, Lin and Smyth)."""
    after: dict[str, set[str]] = {card: set() for card in graph.sizes}
    before: dict[str, set[str]] = {card: set() for card in graph.sizes}
    for start, end in graph.edges:
        after[start].add(end)
        before[end].add(start)
    left: list[str] = []
    right: list[str] = []
    remaining = dict.fromkeys(graph.sizes)
    while remaining:
        sink = next((card for card in remaining if not after[card]), None)
        source = next((card for card in remaining if not before[card]), None) if sink is None else None
        if sink is not None:
            chosen, side = sink, right
        elif source is not None:
            chosen, side = source, left
        else:
            chosen, side = max(remaining, key=lambda card: len(after[card]) - len(before[card])), left
        side.append(chosen)
        del remaining[chosen]
        for other in after[chosen]:
            before[other].discard(chosen)
        for other in before[chosen]:
            after[other].discard(chosen)
    rank = {card: number for number, card in enumerate([*left, *reversed(right)])}
    return sorted({(start, end) if rank[start] < rank[end] else (end, start) for start, end in graph.edges})


def layers_of(graph: Graph, edges: Edges, room: Mapping[str, float], widest: float) -> dict[str, int]:
    """Give each card the number of its layer, from 0 without a gap; every edge leads to a later one."""
    after: dict[str, list[str]] = defaultdict(list)
    before: dict[str, list[str]] = defaultdict(list)
    for start, end in edges:
        after[start].append(end)
        before[end].append(start)
    height = _heights(graph.sizes, after)
    waits = {card: len(before[card]) for card in graph.sizes}
    ready = [card for card in graph.sizes if not waits[card]]
    layers: dict[str, int] = {}
    layer = 0
    while ready:
        ready.sort(key=lambda card: (-height[card], card))
        used, rest, freed = 0.0, [], []
        for card in ready:
            if used and used + room[card] > widest:
                rest.append(card)
                continue
            used += room[card]
            layers[card] = layer
            for following in after[card]:
                waits[following] -= 1
                if not waits[following]:
                    freed.append(following)
        ready = rest + freed
        layer += 1
    _shorten(layers, before, after, room, widest)
    return _without_gaps(layers)


def _heights(cards: Iterable[str], after: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return the length of the longest way on from each card."""
    heights: dict[str, int] = {}
    for card in cards:
        stack = [card]
        while stack:
            waiting = [other for other in after[stack[-1]] if other not in heights]
            if waiting:
                stack += waiting
            else:
                one = stack.pop()
                heights[one] = 1 + max((heights[other] for other in after[one]), default=-1)
    return heights


def _shorten(
    layers: dict[str, int],
    before: Mapping[str, Sequence[str]],
    after: Mapping[str, Sequence[str]],
    room: Mapping[str, float],
    widest: float,
) -> None:
    """Move cards to where their edges are shorter in sum, as far as their neighbours and the layers' width allow."""
    used: dict[int, float] = defaultdict(float)
    for card, layer in layers.items():
        used[layer] += room[card]
    for _ in range(_SWEEPS):
        moved = False
        for card in sorted(layers, key=lambda card: (-layers[card], card)):
            lowest = max((layers[other] + 1 for other in before[card]), default=0)
            highest = min((layers[other] - 1 for other in after[card]), default=layers[card])
            pull = len(after[card]) - len(before[card])
            target = highest if pull > 0 else lowest if pull < 0 else layers[card]
            way = range(target, layers[card], -1 if target > layers[card] else 1)
            spot = next((layer for layer in way if used[layer] + room[card] <= widest), layers[card])
            if spot != layers[card]:
                used[layers[card]] -= room[card]
                used[spot] += room[card]
                layers[card] = spot
                moved = True
        if not moved:
            return


def _without_gaps(layers: Mapping[str, int]) -> dict[str, int]:
    number = {layer: place for place, layer in enumerate(sorted(set(layers.values())))}
    return {card: number[layer] for card, layer in layers.items()}
