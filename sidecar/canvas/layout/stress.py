"""Places for linked cards such that what is near in links is near on the sheet: stress, by small steps of one pair."""

import heapq
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sidecar.canvas.layout.graph import Graph

__all__ = ["Point", "spread"]

Point = tuple[float, float]

_GAP: Final = 50
_TIGHTNESS: Final = 0.8
"""Cards seldom meet corner to corner, so their half diagonals count for a little less."""
_HUB: Final = 0.15
"""Edges between cards with many links are made longer, for the sake of their other neighbours."""
_ROUNDS: Final = 20
_ORDERS: Final = 5
"""So many orders of the pairs take turns; a new one for every round would cost half of the time."""
_LAST_STEP: Final = 0.05
_GOLDEN_ANGLE: Final = 2.399963


@dataclass(frozen=True, slots=True)
class _Pair:
    one: int
    other: int
    distance: float
    weight: float


def spread(graph: Graph, seed: int) -> dict[str, Point]:
    """Return a centre for each card of a connected graph, round about the origin; cards may still overlap.

    The stress of all pairs is lowered pair by pair with shrinking steps (stochastic gradient descent), from a spiral
    that ``seed`` turns and shuffles: the same graph and seed always give the same places.
    """
    cards = list(graph.sizes)
    chance = random.Random(seed)  # noqa: S311 - a drawing, not a secret
    reach = _reach(graph)
    ring = reach * math.sqrt(len(cards)) / 2
    order = list(range(len(cards)))
    chance.shuffle(order)
    xs, ys = [0.0] * len(cards), [0.0] * len(cards)
    for place, card in enumerate(order):
        angle, far = _GOLDEN_ANGLE * place, ring * math.sqrt(place / len(cards))
        xs[card], ys[card] = far * math.cos(angle) + chance.random(), far * math.sin(angle) + chance.random()
    pairs = _pairs(graph, reach)
    if pairs:
        _settle(xs, ys, pairs, _ROUNDS, chance)
    return dict(zip(cards, zip(xs, ys, strict=True), strict=True))


def _settle(xs: list[float], ys: list[float], pairs: list[_Pair], rounds: int, chance: random.Random) -> None:
    loose = 1 / min(pair.weight for pair in pairs)
    tight = _LAST_STEP / max(pair.weight for pair in pairs)
    decay = math.log(loose / tight) / (rounds - 1)
    plain = [(pair.one, pair.other, pair.distance, pair.weight) for pair in pairs]
    orders = [chance.sample(plain, len(plain)) for _ in range(_ORDERS)]
    for turn in range(rounds):
        step = loose * math.exp(-decay * turn)
        for one, other, distance, weight in orders[turn % _ORDERS]:
            pull = weight * step
            dx, dy = xs[one] - xs[other], ys[one] - ys[other]
            apart = math.sqrt(dx * dx + dy * dy) or 1e-6
            held = pull if pull < 1 else 1  # noqa: FURB136 - a call here would cost a third of the time
            share = held * (apart - distance) / (2 * apart)
            xs[one] -= share * dx
            ys[one] -= share * dy
            xs[other] += share * dx
            ys[other] += share * dy


def _pairs(graph: Graph, reach: float) -> list[_Pair]:
    cards = list(graph.sizes)
    number = {card: place for place, card in enumerate(cards)}
    near = [[number[other] for other in graph.neighbours[card]] for card in cards]
    radii = [math.hypot(size.width, size.height) / 2 for size in graph.sizes.values()]
    longer = {(number[start], number[end]): label.width / 2 for (start, end), label in graph.labels.items()}
    longer |= {(b, a): more for (a, b), more in longer.items()}
    unlike = max(radii) > 2 * min(radii)
    pairs = []
    for one in range(len(cards)):
        steps = _steps(near, one)
        ways = _ways(near, radii, one, longer) if unlike else steps
        for other in range(one):
            if steps[other] < 0:
                continue
            if unlike:
                distance = ways[other]
            else:
                distance = reach * steps[other]
                if steps[other] == 1:
                    distance *= 1 + _HUB * math.log(1 + min(len(near[one]), len(near[other])))
                    distance += longer.get((one, other), 0.0)
            pairs.append(_Pair(one, other, distance, 1 / (distance * distance)))
    return pairs


def _reach(graph: Graph) -> float:
    """Return the distance of two linked cards."""
    diagonals = [math.hypot(size.width, size.height) for size in graph.sizes.values()]
    return sum(diagonals) / len(diagonals) * _TIGHTNESS + _GAP


def _steps(near: Sequence[Sequence[int]], start: int) -> list[float]:
    steps = [-1.0] * len(near)
    steps[start] = 0
    queue = [start]
    for card in queue:
        for other in near[card]:
            if steps[other] < 0:
                steps[other] = steps[card] + 1
                queue.append(other)
    return steps


def _ways(
    near: Sequence[Sequence[int]], radii: Sequence[float], start: int, more: Mapping[tuple[int, int], float]
) -> list[float]:
    """Return the length of the shortest way to each card, through cards that take room themselves."""
    far = [math.inf] * len(near)
    far[start] = 0
    queue = [(0.0, start)]
    while queue:
        length, card = heapq.heappop(queue)
        if length > far[card]:
            continue
        for other in near[card]:
            longer = length + radii[card] + radii[other] + _GAP + more.get((card, other), 0.0)
            if longer < far[other]:
                far[other] = longer
                heapq.heappush(queue, (longer, other))
    return far
