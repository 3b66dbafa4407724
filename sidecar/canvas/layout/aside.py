"""Cards of a map step aside where the label of an edge covers one of them, or another label."""

from collections.abc import Iterator, Mapping
from typing import Final

from sidecar.canvas.layout.curve import bent, written_on
from sidecar.canvas.layout.geometry import GAP, GRID, Box, Occupied
from sidecar.canvas.layout.graph import Graph
from sidecar.canvas.layout.ports import ported
from sidecar.canvas.layout.quality import chord_of, crossings, cut_through, labels_over
from sidecar.canvas.layout.sides import Sides, facing_sides

__all__ = ["stepped_aside"]

_STEPS: Final = (2 * GRID, 4 * GRID, 7 * GRID, 11 * GRID, 16 * GRID)
"""How far a card steps, in pixels."""
_WAYS: Final = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1))
_MOST: Final = 40
"""So many places are tried."""
_ON_CARD: Final = 4.0
_ON_LABEL: Final = 2.0
_OVER_CARD: Final = 2.0
"""What it costs if a label covers a card or another label, or if an edge leads over a card; a crossing costs 1."""

_Boxes = dict[str, Box]
_Edge = tuple[str, str]


def stepped_aside(boxes: Mapping[str, Box], graph: Graph) -> dict[str, Box]:
    """Return the drawing with no more faults than before; most cards stay.

    A card moves only if a label is free then. It stays on the grid, with the gap to all others. The number of places
    that are tried is limited.
    """
    if not graph.labels:
        return dict(boxes)
    walk = _Walk(dict(boxes), graph)
    while walk.left > 0 and any(walk.clear(edge) for edge in walk.faulty()):
        pass
    return walk.boxes


class _Walk:
    def __init__(self, boxes: _Boxes, graph: Graph) -> None:
        self.boxes = boxes
        self.left = _MOST
        self._graph = graph
        facing: Sides = {(start, end): facing_sides(boxes[start], boxes[end]) for start, end in graph.edges}
        self._sides = ported(boxes, facing, graph.edges, graph.labels)
        self._cost = self._judged(boxes, self._sides)

    def faulty(self) -> list[_Edge]:
        """Return the edges whose labels cover a card or another label."""
        return [edge for edge in sorted(self._graph.labels) if self._is_faulty(edge, self.boxes, self._sides)]

    def clear(self, edge: _Edge) -> bool:
        """Move one of the cards that have to do with an edge's label, to the nearest place where all is better."""
        for moved in self._moves(edge):
            if self.left <= 0:
                return False
            after = {**self.boxes, **moved}
            self.left -= 1
            free = sorted({edge, *(other for other in self._graph.edges if not moved.keys().isdisjoint(other))})
            facing = {(start, end): facing_sides(after[start], after[end]) for start, end in free}
            sides = ported(after, {**self._sides, **facing}, free, self._graph.labels)
            if self._is_faulty(edge, after, sides):
                continue
            cost = self._judged(after, sides)
            if cost < self._cost:
                self.boxes, self._sides, self._cost = after, sides, cost
                return True
        return False

    def _moves(self, edge: _Edge) -> Iterator[_Boxes]:
        text = self._text(edge, self.boxes, self._sides)
        cards = dict.fromkeys([*sorted(card for card, box in self.boxes.items() if text.meets(box)), *edge])
        occupied = {card: Occupied(box for name, box in self.boxes.items() if name != card) for card in cards}
        for step in _STEPS:
            for card in cards:
                for across, along in _WAYS:
                    spot = self.boxes[card].moved(across * step, along * step)
                    if occupied[card].blocker(spot, GAP) is None:
                        yield {card: spot}

    def _is_faulty(self, edge: _Edge, boxes: _Boxes, sides: Sides) -> bool:
        text = self._text(edge, boxes, sides)
        if any(text.meets(box) for box in boxes.values()):
            return True
        return any(text.meets(self._text(other, boxes, sides)) for other in self._graph.labels if other != edge)

    def _judged(self, boxes: _Boxes, sides: Sides) -> float:
        on_cards, on_labels = labels_over(boxes, self._graph.labels, sides)
        lines = crossings(boxes, self._graph.edges, sides) + _OVER_CARD * cut_through(boxes, self._graph.edges, sides)
        return _ON_CARD * on_cards + _ON_LABEL * on_labels + lines

    def _text(self, edge: _Edge, boxes: _Boxes, sides: Sides) -> Box:
        start, end, pair = boxes[edge[0]], boxes[edge[1]], sides[edge]
        return written_on(bent(chord_of(start, end, pair), pair), self._graph.labels[edge])
