"""A drawing made better card by card: two change places, or one moves to free room, where that untangles edges."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from sidecar.canvas.layout.geometry import GAP, GRID, Box, Occupied
from sidecar.canvas.layout.graph import Graph
from sidecar.canvas.layout.quality import Chord, chord_of, cross, runs_over

__all__ = ["refine"]

_OVER_CARD: Final = 2.0
"""An edge over a foreign card is worse than two that cross."""
_LENGTH: Final = 1 / 2000
"""What a pixel of edge costs: of two drawings with equal faults the shorter edges are better."""
_BETTER: Final = 0.05


def refine(boxes: Mapping[str, Box], graph: Graph, budget: int) -> dict[str, Box]:
    """Return a drawing with no more faults than the given one; ``budget`` is a number of comparisons of two lines."""
    sheet = _Sheet(boxes, graph, budget)
    better = True
    while better and sheet.budget > 0:
        better = False
        for card in sheet.worst_first():
            if sheet.budget <= 0:
                break
            better |= sheet.improve(card)
    return dict(sheet.boxes)


class _Sheet:
    def __init__(self, boxes: Mapping[str, Box], graph: Graph, budget: int) -> None:
        self.boxes = dict(boxes)
        self.budget = budget
        self._graph = graph
        self._lines: dict[tuple[str, str], Chord] = {}
        self._edges_of: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for edge in sorted({(min(edge), max(edge)) for edge in graph.edges}):
            self._lines[edge] = chord_of(boxes[edge[0]], boxes[edge[1]])
            for end in edge:
                self._edges_of[end].append(edge)

    def worst_first(self) -> list[str]:
        costs = {card: self._cost((card,), self.boxes) for card in self.boxes}
        return sorted((card for card in costs if costs[card] >= 1), key=lambda card: (-costs[card], card))

    def improve(self, card: str) -> bool:
        """Try other places for a card; take the first that is better."""
        for moved in self._moves(card):
            if self.budget <= 0:
                return False
            cards = tuple(moved)
            now = self._cost(cards, self.boxes)
            if now - self._cost(cards, {**self.boxes, **moved}, now) > _BETTER:
                self.boxes.update(moved)
                for edge in {edge for one in cards for edge in self._edges_of[one]}:
                    self._lines[edge] = chord_of(self.boxes[edge[0]], self.boxes[edge[1]])
                return True
        return False

    def _moves(self, card: str) -> Iterator[dict[str, Box]]:
        box = self.boxes[card]
        near = self._graph.neighbours[card]
        if near:
            x = sum(self.boxes[other].centre[0] for other in near) / len(near)
            y = sum(self.boxes[other].centre[1] for other in near) / len(near)
            occupied = Occupied(other for name, other in self.boxes.items() if name != card)
            for dx, dy in _around(box):
                spot = Box(_grid(x + dx - box.width / 2), _grid(y + dy - box.height / 2), box.width, box.height)
                if spot != box and occupied.blocker(spot, GAP) is None and self._within(spot):
                    yield {card: spot}
        for other in sorted(self.boxes, key=lambda name: (_apart(box, self.boxes[name]), name)):
            moved = self._swapped(card, other)
            if moved:
                yield moved

    def _within(self, spot: Box) -> bool:
        return (
            spot.x >= min(box.x for box in self.boxes.values())
            and spot.y >= min(box.y for box in self.boxes.values())
            and spot.right <= max(box.right for box in self.boxes.values())
            and spot.bottom <= max(box.bottom for box in self.boxes.values())
        )

    def _swapped(self, card: str, other: str) -> dict[str, Box] | None:
        one, two = self.boxes[card], self.boxes[other]
        if card == other:
            return None
        moved = {card: _centred(one, two), other: _centred(two, one)}
        if (one.width, one.height) != (two.width, two.height):
            for name, box in moved.items():
                for third, standing in self.boxes.items():
                    if third not in moved and box.meets(standing, GAP):
                        return None
                    if third in moved and third != name and box.meets(moved[third], GAP):
                        return None
        return moved

    def _cost(self, cards: Iterable[str], boxes: Mapping[str, Box], enough: float = float("inf")) -> float:
        """Return the faults in which these cards have a part; stops early when they are as many as ``enough``."""
        cost = 0.0
        own = {edge for card in cards for edge in self._edges_of[card]}
        lines = {edge: chord_of(boxes[edge[0]], boxes[edge[1]]) for edge in own}
        standing = {edge: line for edge, line in self._lines.items() if edge not in own}
        for edge in sorted(own):
            cost += self._faults(edge, lines[edge], standing, boxes)
            cost += self._faults(edge, lines[edge], {other: lines[other] for other in own if other < edge}, {})
            if cost >= enough:
                return cost
        self.budget -= len(standing)
        return cost + _OVER_CARD * sum(runs_over(line, boxes[card]) for card in cards for line in standing.values())

    def _faults(
        self, edge: tuple[str, str], line: Chord, others: Mapping[tuple[str, str], Chord], boxes: Mapping[str, Box]
    ) -> float:
        """Return what one line costs: its length, the lines it crosses, the cards it runs over."""
        self.budget -= len(others) + len(boxes)
        left, right = min(line[0], line[2]), max(line[0], line[2])
        top, bottom = min(line[1], line[3]), max(line[1], line[3])
        cost = (right - left + bottom - top) * _LENGTH if boxes else 0.0
        for other, (ax, ay, bx, by) in others.items():
            if (ax < left and bx < left) or (ax > right and bx > right):
                continue
            if (ay < top and by < top) or (ay > bottom and by > bottom):
                continue
            if edge[0] not in other and edge[1] not in other:
                cost += cross(line, (ax, ay, bx, by))
        for card, box in boxes.items():
            if box.x > right or box.right < left or box.y > bottom or box.bottom < top:
                continue
            if card not in edge and runs_over(line, box):
                cost += _OVER_CARD
        return cost


def _around(box: Box) -> Iterator[tuple[float, float]]:
    yield 0, 0
    for ring in (1, 2, 3):
        for column, row in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)):
            yield column * ring * (box.width + GAP) * 0.7, row * ring * (box.height + GAP)


def _grid(value: float) -> int:
    return round(value / GRID) * GRID


def _centred(box: Box, place: Box) -> Box:
    """Return ``box`` with its middle where that of ``place`` is."""
    x, y = place.centre
    return Box(_grid(x - box.width / 2), _grid(y - box.height / 2), box.width, box.height)


def _apart(one: Box, other: Box) -> float:
    return abs(one.centre[0] - other.centre[0]) + abs(one.centre[1] - other.centre[1])
