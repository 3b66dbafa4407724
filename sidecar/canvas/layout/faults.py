"""What is wrong with a drawing, for the cards that may move: lines that cross, lines and labels over cards."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from sidecar.canvas.layout.curve import Labels, bent, written_on
from sidecar.canvas.layout.geometry import Box
from sidecar.canvas.layout.quality import Chord, chord_of, cross, runs_over
from sidecar.canvas.layout.sides import facing_sides

__all__ = ["Sheet"]

_OVER_CARD: Final = 2.0
"""An edge over a foreign card is worse than two that cross."""
_LABEL: Final = 4.0
"""A label over a card hides what is written there, or is hidden itself."""
_LENGTH: Final = 1 / 2000
"""What a pixel of edge costs: of two drawings with equal faults the shorter edges are better."""

_Edge = tuple[str, str]
_Row = tuple[_Edge, Chord, float, float, float, float]
"""An edge with its line, and how far that reaches: left, right, top, bottom."""
_Others = tuple[list[_Edge], list[_Row], list[tuple[str, Box]], list[Box]]
"""The edges of some cards; then all other edges, cards and labels."""


class Sheet:
    """Cards on a sheet, and the lines between them."""

    def __init__(self, boxes: Mapping[str, Box], edges: Iterable[_Edge], labels: Labels, budget: int) -> None:
        self.boxes = dict(boxes)
        self.budget = budget
        """How many comparisons of a line with another or a card are left."""
        self._edges_of: dict[str, list[_Edge]] = defaultdict(list)
        self._rows: dict[_Edge, _Row] = {}
        self._sizes = {(min(edge), max(edge)): size for edge, size in labels.items()}
        self._texts: dict[_Edge, Box] = {}
        self._costs: dict[tuple[str, ...], float] = {}
        self._asked: tuple[str, ...] | None = None
        self._answer: _Others = ([], [], [], [])
        for edge in sorted({(min(edge), max(edge)) for edge in edges if edge[0] in boxes and edge[1] in boxes}):
            for end in edge:
                self._edges_of[end].append(edge)
            self._set(edge)

    def move(self, moved: Mapping[str, Box]) -> None:
        """Put cards where they shall be."""
        self.boxes.update(moved)
        self._costs.clear()
        self._asked = None
        for edge in {edge for card in moved for edge in self._edges_of[card]}:
            self._set(edge)

    def gain(self, moved: Mapping[str, Box], least: float = 0.0) -> float:
        """Return by how much the drawing were better if these cards stood there, minus infinity if not by ``least``."""
        cards = tuple(moved)
        if cards not in self._costs:
            self._costs[cards] = self.cost(cards)
        now = self._costs[cards]
        cost = self.cost(moved, now - least)
        return now - cost if cost < now - least else -math.inf

    def cost(self, moved: Mapping[str, Box] | Iterable[str], enough: float = math.inf) -> float:
        """Return the faults in which these cards have a part, were they there; it stops when they are ``enough``."""
        places = moved if isinstance(moved, Mapping) else {card: self.boxes[card] for card in moved}
        own, rows, standing, texts = self._others(tuple(places))
        self.budget -= (len(own) + len(places)) * (len(rows) + len(standing))
        cost = 0.0
        drawn: list[_Row] = []
        for edge in own:
            start, end = (places.get(card) or self.boxes[card] for card in edge)
            row = _row(edge, chord_of(start, end))
            cost += _crossings(row, rows) + _crossings(row, drawn)
            cost += _OVER_CARD * (_runs_over(row, standing) + _runs_over(row, places.items()))
            cost += (row[3] - row[2] + row[5] - row[4]) * _LENGTH
            if edge in self._sizes:
                text = self._text(edge, start, end)
                cost += _LABEL * (_met(text, places.values()) + _met(text, (box for _, box in standing)))
            if cost >= enough:
                return cost
            drawn.append(row)
        for box in places.values():
            cost += _OVER_CARD * _lines_over(box, rows)
        if texts:
            cost += _LABEL * sum(_met(box, texts) for box in places.values())
        return cost

    def _others(self, cards: tuple[str, ...]) -> _Others:
        """Return what is of cards and what is not; of the last ones asked for, since they are tried in many places."""
        if cards != self._asked:
            held = set(cards)
            own = sorted({edge for card in cards for edge in self._edges_of[card]})
            mine = set(own)
            self._asked = cards
            self._answer = (
                own,
                [row for edge, row in self._rows.items() if edge not in mine],
                [(card, box) for card, box in self.boxes.items() if card not in held],
                [text for edge, text in self._texts.items() if edge not in mine],
            )
        return self._answer

    def neighbours(self, card: str) -> list[str]:
        """Return the other ends of a card's edges."""
        return [b if a == card else a for a, b in self._edges_of[card]]

    def _set(self, edge: _Edge) -> None:
        start, end = self.boxes[edge[0]], self.boxes[edge[1]]
        self._rows[edge] = _row(edge, chord_of(start, end))
        if edge in self._sizes:
            self._texts[edge] = self._text(edge, start, end)

    def _text(self, edge: _Edge, start: Box, end: Box) -> Box:
        sides = facing_sides(start, end)
        return written_on(bent(chord_of(start, end, sides), sides), self._sizes[edge])


def _row(edge: _Edge, line: Chord) -> _Row:
    ax, ay, bx, by = line
    return edge, line, min(ax, bx), max(ax, bx), min(ay, by), max(ay, by)


def _crossings(row: _Row, others: Iterable[_Row]) -> int:
    (start, end), line, left, right, top, bottom = row
    count = 0
    for edge, other, other_left, other_right, other_top, other_bottom in others:
        if other_left > right or other_right < left or other_top > bottom or other_bottom < top:
            continue
        if start not in edge and end not in edge:
            count += cross(line, other)
    return count


def _runs_over(row: _Row, cards: Iterable[tuple[str, Box]]) -> int:
    edge, line, left, right, top, bottom = row
    count = 0
    for card, box in cards:
        x, y = box.x, box.y
        if x > right or y > bottom or x + box.width < left or y + box.height < top or card in edge:
            continue
        count += runs_over(line, box)
    return count


def _met(box: Box, others: Iterable[Box]) -> int:
    """Count the boxes that meet one; to ask each box would take three times as long."""
    left, top, right, bottom = box.x, box.y, box.right, box.bottom
    count = 0
    for other in others:
        x, y = other.x, other.y
        if x < right and y < bottom and x + other.width > left and y + other.height > top:
            count += 1
    return count


def _lines_over(box: Box, rows: Iterable[_Row]) -> int:
    x, y, right, bottom = box.x, box.y, box.right, box.bottom
    return sum(
        runs_over(row[1], box) for row in rows if not (row[2] > right or row[3] < x or row[4] > bottom or row[5] < y)
    )
