"""The sides of edges chosen once all cards stand: where the usual ones lead over a card, others that do not."""

import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from sidecar.canvas.layout.curve import WAYS, Labels, bent, written_on
from sidecar.canvas.layout.geometry import GRID, Box, Size
from sidecar.canvas.layout.quality import Chord, chord_of, cross, curve_runs_over, runs_over
from sidecar.canvas.layout.sides import Side, Sides

__all__ = ["ported"]

_OVER_CARD: Final = 2.0
_STRAIGHT: Final = 1.0
"""What it costs if the straight line between the two sides leads over a card, though the curve does not."""
_LABEL: Final = 3.0
_ON_LABEL: Final = 2.0
"""What it costs if the label covers a card, or another label."""
_BOW: Final = 1.0
"""What it costs to go round: the way is longer, and harder to follow."""
_MANY: Final = 300
"""Of more edges only some are looked at, to see how many are crossed; they stand for the others."""


def ported(boxes: Mapping[str, Box], sides: Sides, free: Iterable[tuple[str, str]], labels: Labels) -> Sides:
    """Return ``sides`` with those of the ``free`` edges changed where that keeps an edge or its label off others.

    An edge changes its sides only if that takes away more than it adds: cards that it, or its label, leads over,
    labels upon labels, edges that cross it.
    Edges to or from what has no box here, a group, keep theirs.
    """
    chosen = dict(sides)
    lines = {
        edge: chord_of(boxes[edge[0]], boxes[edge[1]], pair)
        for edge, pair in sorted(sides.items())
        if edge[0] in boxes and edge[1] in boxes
    }
    texts = {edge: _text(lines[edge], chosen[edge], labels[edge]) for edge in labels if edge in lines}
    each = len(lines) // _MANY + 1
    rivals = dict(itertools.islice(lines.items(), 0, None, each))
    for edge in sorted(lines.keys() & set(free)):
        start, end = boxes[edge[0]], boxes[edge[1]]
        label = labels.get(edge)
        best = _faults(boxes, edge, chosen[edge], label) + _on_labels(edge, texts.get(edge), texts)
        if best == 0:
            continue
        best += each * _crossings(edge, lines[edge], rivals)
        pairs = _others(start, end, chosen[edge])
        if each == 1:
            pairs = itertools.chain(pairs, _bows(start, end, chosen[edge]))
        for pair in pairs:
            line = chord_of(start, end, pair)
            cost = _faults(boxes, edge, pair, label) + _BOW * (pair[0] == pair[1])
            text = _text(line, pair, label) if label else None
            if cost < best:
                cost += _on_labels(edge, text, texts) + each * _crossings(edge, line, rivals)
            if cost < best:
                best, chosen[edge], lines[edge] = cost, pair, line
                if text is not None:
                    texts[edge] = text
    return chosen


def _text(line: Chord, pair: tuple[Side, Side], label: Size) -> Box:
    return written_on(bent(line, pair), label)


def _on_labels(edge: tuple[str, str], text: Box | None, texts: Mapping[tuple[str, str], Box]) -> float:
    if text is None:
        return 0.0
    return _ON_LABEL * sum(text.meets(other) for ends, other in texts.items() if ends != edge)


def _others(start: Box, end: Box, usual: tuple[Side, Side]) -> Iterator[tuple[Side, Side]]:
    """Yield pairs of sides that look towards the other card: opposite ones, then those around a corner."""
    (ax, ay), (bx, by) = start.centre, end.centre
    across: tuple[Side, Side] = ("right", "left") if bx >= ax else ("left", "right")
    along: tuple[Side, Side] = ("bottom", "top") if by >= ay else ("top", "bottom")
    room = GRID
    gap_x = end.x - start.right if bx >= ax else start.x - end.right
    gap_y = end.y - start.bottom if by >= ay else start.y - end.bottom
    pairs = [across] * (gap_x >= room) + [along] * (gap_y >= room)
    if abs(bx - ax) > start.width / 2 + room and abs(by - ay) > end.height / 2 + room:
        pairs.append((across[0], along[1]))
    if abs(by - ay) > start.height / 2 + room and abs(bx - ax) > end.width / 2 + room:
        pairs.append((along[0], across[1]))
    return (pair for pair in pairs if pair != usual)


def _bows(start: Box, end: Box, usual: tuple[Side, Side]) -> Iterator[tuple[Side, Side]]:
    """Yield the pairs of like sides from which an edge goes round what is between, but not over its own cards."""
    for side in WAYS:
        curve = bent(chord_of(start, end, (side, side)), (side, side))
        if usual != (side, side) and not curve_runs_over(curve, start) and not curve_runs_over(curve, end):
            yield side, side


def _faults(boxes: Mapping[str, Box], edge: tuple[str, str], pair: tuple[Side, Side], label: Size | None) -> float:
    """Return what is wrong with an edge by itself: the cards that it, or its label, leads over."""
    chord = chord_of(boxes[edge[0]], boxes[edge[1]], pair)
    curve = bent(chord, pair)
    text = written_on(curve, label) if label else None
    xs, ys = curve[::2], curve[1::2]
    left, right, top, bottom = min(xs), max(xs), min(ys), max(ys)
    cost = 0.0
    for card, box in boxes.items():
        if text is not None and text.meets(box) and not _holds(box, text):
            cost += _LABEL
        if box.x > right or box.right < left or box.y > bottom or box.bottom < top or card in edge:
            continue
        if _holds(box, boxes[edge[0]]) or _holds(box, boxes[edge[1]]):
            continue  # a group that stands
        cost += _OVER_CARD * curve_runs_over(curve, box) + _STRAIGHT * runs_over(chord, box)
    return cost


def _crossings(edge: tuple[str, str], line: Chord, others: Mapping[tuple[str, str], Chord]) -> int:
    return sum(cross(line, other) for ends, other in others.items() if edge[0] not in ends and edge[1] not in ends)


def _holds(frame: Box, box: Box) -> bool:
    return frame.x <= box.x and frame.y <= box.y and frame.right >= box.right and frame.bottom >= box.bottom
