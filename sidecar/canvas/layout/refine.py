"""A drawing made better card by card: two change places, or one moves to free room, where that untangles edges."""

from collections.abc import Iterator, Mapping
from typing import Final

from sidecar.canvas.layout.faults import Sheet
from sidecar.canvas.layout.geometry import GAP, GRID, Box, Occupied
from sidecar.canvas.layout.graph import Graph

__all__ = ["refine"]

_NUDGES: Final = (2 * GRID, 4 * GRID, 8 * GRID)
"""How far a card is moved out of the way of a line or a label, in pixels."""
_FOUR_WAYS: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))
BETTER: Final = 0.05
"""What a change must gain, so that it is worth while."""


def refine(boxes: Mapping[str, Box], graph: Graph, budget: int) -> dict[str, Box]:
    """Return a drawing with no more faults than the given one; ``budget`` is a number of comparisons of two lines."""
    tries = _Tries(Sheet(boxes, graph.edges, graph.labels, budget), graph)
    better = True
    while better and tries.sheet.budget > 0:
        better = False
        for card in tries.worst_first():
            if tries.sheet.budget <= 0:
                break
            better |= tries.improve(card)
    return dict(tries.sheet.boxes)


class _Tries:
    def __init__(self, sheet: Sheet, graph: Graph) -> None:
        self.sheet = sheet
        self.boxes = sheet.boxes
        self._graph = graph

    def worst_first(self) -> list[str]:
        costs = {card: self.sheet.cost((card,)) for card in self.boxes}
        return sorted((card for card in costs if costs[card] >= 1), key=lambda card: (-costs[card], card))

    def improve(self, card: str) -> bool:
        """Try other places for a card; take the first that is better."""
        for moved in self._moves(card):
            if self.sheet.budget <= 0:
                return False
            if self.sheet.gain(moved, BETTER) > BETTER:
                self.sheet.move(moved)
                return True
        return False

    def _moves(self, card: str) -> Iterator[dict[str, Box]]:
        box = self.boxes[card]
        near = self._graph.neighbours[card]
        if near:
            x = sum(self.boxes[other].centre[0] for other in near) / len(near)
            y = sum(self.boxes[other].centre[1] for other in near) / len(near)
            occupied = Occupied(other for name, other in self.boxes.items() if name != card)
            spots = [
                Box(_grid(x + dx - box.width / 2), _grid(y + dy - box.height / 2), box.width, box.height)
                for dx, dy in _around(box)
            ]
            spots += [box.moved(column * step, row * step) for step in _NUDGES for column, row in _FOUR_WAYS]
            for spot in spots:
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
