"""The order of the cards in each layer of a flow, such that few edges cross."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Layered", "ordered"]

_SWEEPS = 24
_BY_MEDIAN = 12
"""Sweeps that go by the median of the neighbours; later ones go by their mean, which separates ties."""


@dataclass(frozen=True, slots=True)
class Layered:
    """Layers with their cards in order. Where an edge passes a layer, a name that is no card's stands in its row."""

    rows: tuple[tuple[str, ...], ...]
    above: Mapping[str, Sequence[str]]
    below: Mapping[str, Sequence[str]]


def ordered(layers: Mapping[str, int], edges: Sequence[tuple[str, str]]) -> Layered:
    """Order the cards of each layer: sweeps down and up, each followed by swaps of neighbours; the best is kept."""
    rows: list[list[str]] = [[] for _ in range(max(layers.values()) + 1)]
    for card in sorted(layers):
        rows[layers[card]].append(card)
    above: dict[str, list[str]] = defaultdict(list)
    below: dict[str, list[str]] = defaultdict(list)
    for start, end in edges:
        last = start
        for layer in range(layers[start] + 1, layers[end]):
            passing = f"\0{start}\0{end}\0{layer}"
            rows[layer].append(passing)
            below[last].append(passing)
            above[passing].append(last)
            last = passing
        below[last].append(end)
        above[end].append(last)
    rows = _from_the_roots(rows, below)
    best, fewest = [list(row) for row in rows], _crossings(rows, below)
    for sweep in range(_SWEEPS):
        if not fewest:
            break
        down = sweep % 2 == 0
        numbers = range(1, len(rows)) if down else range(len(rows) - 2, -1, -1)
        for number in numbers:
            other = rows[number - 1 if down else number + 1]
            _sort(rows[number], other, above if down else below, by_median=sweep < _BY_MEDIAN)
        _swap(rows, above, below)
        count = _crossings(rows, below)
        if count < fewest:
            best, fewest = [list(row) for row in rows], count
    return Layered(tuple(tuple(row) for row in best), above, below)


def _from_the_roots(rows: Sequence[Sequence[str]], below: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Start with each branch together: cards in the order in which a walk from the first layer comes upon them."""
    met: dict[str, None] = {}
    for row in rows:
        for root in row:
            stack = [root]
            while stack:
                card = stack.pop()
                if card not in met:
                    met[card] = None
                    stack += sorted(below[card], reverse=True)
    rank = {card: number for number, card in enumerate(met)}
    return [sorted(row, key=rank.__getitem__) for row in rows]


def _sort(row: list[str], other: Sequence[str], near: Mapping[str, Sequence[str]], *, by_median: bool) -> None:
    place = {card: number for number, card in enumerate(other)}
    spread = len(other) / max(1, len(row))

    def wanted(item: tuple[int, str]) -> tuple[float, int]:
        number, card = item
        places = sorted(place[neighbour] for neighbour in near[card])
        if not places:
            return number * spread, number
        if by_median:
            return (places[len(places) // 2] + places[(len(places) - 1) // 2]) / 2, number
        return sum(places) / len(places), number

    row[:] = [card for _, card in sorted(enumerate(row), key=wanted)]


def _swap(rows: Sequence[list[str]], above: Mapping[str, Sequence[str]], below: Mapping[str, Sequence[str]]) -> None:
    """Swap neighbours in a row as long as that leaves fewer crossings."""
    better = True
    while better:
        better = False
        for number, row in enumerate(rows):
            upper = {card: place for place, card in enumerate(rows[number - 1])} if number else {}
            lower = {card: place for place, card in enumerate(rows[number + 1])} if number + 1 < len(rows) else {}
            for place in range(len(row) - 1):
                one, other = row[place], row[place + 1]
                gain = 0
                for near, places in ((above, upper), (below, lower)):
                    for a in near[one]:
                        for b in near[other]:
                            gain += (places[a] > places[b]) - (places[a] < places[b])
                if gain > 0:
                    row[place], row[place + 1] = other, one
                    better = True


def _crossings(rows: Sequence[Sequence[str]], below: Mapping[str, Sequence[str]]) -> int:
    """Count inversions between each two layers, with a tree of counts (Barth, Jünger and Mutzel)."""
    total = 0
    for number in range(len(rows) - 1):
        place = {card: n + 1 for n, card in enumerate(rows[number + 1])}
        ends = [end for card in rows[number] for end in sorted(place[other] for other in below[card])]
        counts = [0] * (len(place) + 1)
        for seen, end in enumerate(ends):
            smaller, at = 0, end
            while at:
                smaller += counts[at]
                at &= at - 1
            total += seen - smaller
            at = end
            while at <= len(place):
                counts[at] += 1
                at += at & -at
    return total
