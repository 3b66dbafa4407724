"""New cards on a canvas that has some: each at the nearest free place by its neighbours; what stands never moves."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from sidecar.canvas.layout.geometry import GAP, GRID, Box, Occupied, Size, snap
from sidecar.canvas.layout.quality import chord_of, cross, runs_over

__all__ = ["insert"]

_APART: Final = 2 * GAP
"""Pixels that are left between a new card and its neighbour, where there is room: enough for an arrow."""
_CROSSING: Final = 250.0
"""How many pixels of edge a crossing is worth, or an edge over a card."""
_RINGS: Final = 12
_HOMES: Final = 8
"""Beside so many of its neighbours a place is looked for."""
_CLOSEST: Final = 32
"""So many places are compared in full, those with the shortest edges."""
_STEPS: Final = 40
_MANY: Final = 600
"""On a canvas with more cards only the length of edges counts."""
_AGAINST: Final = 200.0
"""How many pixels longer an edge may be, so that it leads to the right or down."""


def insert(sizes: Mapping[str, Size], edges: Iterable[tuple[str, str]], fixed: Mapping[str, Box]) -> dict[str, Box]:
    """Return a box for each card that is linked with what stands, if only by way of other new cards.

    On the grid, at least the gap from everything. The others are not in the result.
    """
    board = _Board(fixed, sorted({edge for edge in edges if edge[0] != edge[1]}))
    waiting = dict.fromkeys(sorted(sizes))
    while waiting:
        near = {card: board.standing(card) for card in waiting}
        card = max(waiting, key=lambda one: len(near[one]))
        if not near[card]:
            break
        del waiting[card]
        board.put(card, sizes[card], near[card])
    return {card: board.boxes[card] for card in sizes if card in board.boxes}


class _Board:
    def __init__(self, fixed: Mapping[str, Box], edges: Sequence[tuple[str, str]]) -> None:
        self.boxes = dict(fixed)
        self._leading_to: dict[str, list[str]] = defaultdict(list)
        self._led_from: dict[str, list[str]] = defaultdict(list)
        for start, end in edges:
            self._leading_to[end].append(start)
            self._led_from[start].append(end)
        self._occupied = Occupied(fixed.values())
        self._lines = [chord_of(fixed[a], fixed[b]) for a, b in edges if a in fixed and b in fixed]

    def standing(self, card: str) -> list[tuple[str, bool]]:
        """Return the neighbours that stand, and for each whether an edge leads from there to the card."""
        leading = [start for start in self._leading_to[card] if start in self.boxes]
        led = [end for end in self._led_from[card] if end in self.boxes and end not in leading]
        return [*((start, True) for start in leading), *((end, False) for end in led)]

    def put(self, card: str, size: Size, near: Sequence[tuple[str, bool]]) -> None:
        """Place a card where it costs least among the free places beside its neighbours."""
        spots = sorted(set(self._places(size, near)), key=lambda spot: (self._length(spot, near), spot.y, spot.x))
        best = min(spots[:_CLOSEST], key=lambda spot: (self._cost(spot, near), spot.y, spot.x))
        self.boxes[card] = best
        self._occupied.add(best)
        self._lines += [chord_of(self.boxes[other], best) for other, _ in near]

    def _places(self, size: Size, near: Sequence[tuple[str, bool]]) -> Iterator[Box]:
        found = False
        homes = [self.boxes[other] for other, _ in near]
        x, y = sum(home.centre[0] for home in homes) / len(homes), sum(home.centre[1] for home in homes) / len(homes)
        # Beside a few of many neighbours, those in their midst, there are places enough.
        homes = sorted(homes, key=lambda home: (math.dist(home.centre, (x, y)), home.y, home.x))[:_HOMES]
        for home in homes:
            for spot in _beside(home, size):
                for way in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                    free = self._slide(spot, way)
                    if free:
                        found = True
                        yield free
        if not found:
            yield self._outside(size)

    def _slide(self, spot: Box, way: tuple[int, int]) -> Box | None:
        for _ in range(_STEPS):
            blocker = self._occupied.blocker(spot, GAP)
            if blocker is None:
                return spot
            if way[0]:
                x = snap(blocker.right + GAP) if way[0] > 0 else _down(blocker.x - GAP - spot.width)
                spot = Box(x, spot.y, spot.width, spot.height)
            else:
                y = snap(blocker.bottom + GAP) if way[1] > 0 else _down(blocker.y - GAP - spot.height)
                spot = Box(spot.x, y, spot.width, spot.height)
        return None

    def _outside(self, size: Size) -> Box:
        left = min(box.x for box in self.boxes.values())
        below = max(box.bottom for box in self.boxes.values())
        return Box(_down(left), snap(below + _APART), size.width, size.height)

    def _length(self, spot: Box, near: Sequence[tuple[str, bool]]) -> float:
        """Return the length of the card's edges, were it there, and something for those that lead back."""
        cost = 0.0
        for other, leads in near:
            home = self.boxes[other]
            (x, y), (home_x, home_y) = spot.centre, home.centre
            cost += abs(x - home_x) + abs(y - home_y)
            backwards = spot.right <= home.x or spot.bottom <= home.y
            cost += _AGAINST if backwards == leads else 0
        return cost

    def _cost(self, spot: Box, near: Sequence[tuple[str, bool]]) -> float:
        cost = self._length(spot, near)
        if len(self.boxes) > _MANY:
            return cost
        lines = [chord_of(self.boxes[other], spot) for other, _ in near]
        names = {other for other, _ in near}
        for line in lines:
            cost += _CROSSING * sum(cross(line, standing) for standing in self._lines)
            cost += _CROSSING * sum(
                runs_over(line, box) for name, box in self.boxes.items() if name not in names and not _holds(box, spot)
            )
        return cost + _CROSSING * sum(runs_over(standing, spot) for standing in self._lines)


def _beside(home: Box, size: Size) -> Iterator[Box]:
    """Yield the places on the four sides of a card, level with its top, its middle, and its lower edge."""
    right, left = snap(home.right + _APART), _down(home.x - _APART - size.width)
    below, above = snap(home.bottom + _APART), _down(home.y - _APART - size.height)
    levels = (home.y, home.centre[1] - size.height / 2, home.bottom - size.height)
    yield from (Box(x, _down(y), size.width, size.height) for x in (right, left) for y in levels)
    starts = (home.x, home.centre[0] - size.width / 2, home.right - size.width)
    yield from (Box(_down(x), y, size.width, size.height) for y in (below, above) for x in starts)
    for ring in range(2, _RINGS, 3):
        far = ring * GAP
        yield Box(snap(home.right + far), snap(home.bottom + far), size.width, size.height)
        yield Box(_down(home.x - far - size.width), snap(home.bottom + far), size.width, size.height)


def _holds(box: Box, spot: Box) -> bool:
    """Tell whether a box, then a group's, lies around the place."""
    return box.x <= spot.x and box.y <= spot.y and box.right >= spot.right and box.bottom >= spot.bottom


def _down(value: float) -> int:
    return int(value // GRID) * GRID
