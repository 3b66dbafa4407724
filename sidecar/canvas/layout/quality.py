"""How good a drawing is, in numbers: each goal for a canvas is one function here."""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from sidecar.canvas.layout.curve import Curve, bent, traced, written_on
from sidecar.canvas.layout.geometry import ASPECT, Box, Size, enclose
from sidecar.canvas.layout.sides import Side, Sides, facing_sides

__all__ = [
    "Chord",
    "aspect",
    "badness",
    "chord_of",
    "chords",
    "containment_faults",
    "cross",
    "crossings",
    "curve_runs_over",
    "curved_through",
    "cut_through",
    "drift",
    "fill",
    "foreign_cards",
    "labels_over",
    "off_grid",
    "overlaps",
    "runs_over",
]

Boxes: TypeAlias = Mapping[str, Box]
Edges: TypeAlias = Iterable[tuple[str, str]]
Chord: TypeAlias = tuple[float, float, float, float]
_FILL = 0.2
"""Cards that cover less of the sheet are scattered."""
_INSIDE = 1.0
"""An edge that only grazes a card's border does not run through it."""


def overlaps(boxes: Boxes, gap: float = 0) -> int:
    """Count the pairs of cards that overlap, or are nearer than ``gap`` pixels."""
    ordered = sorted(boxes.values(), key=lambda box: box.x)
    count = 0
    for number, box in enumerate(ordered):
        for other in ordered[number + 1 :]:
            if other.x >= box.right + gap:
                break
            count += box.meets(other, gap)
    return count


def chords(boxes: Boxes, edges: Edges, sides: Sides | None = None) -> list[tuple[str, str, Chord]]:
    """Return each edge as the straight line between the middles of the sides it joins, those that face each other.

    Edges there and back between the same two cards are one line.
    """
    pairs: dict[tuple[str, str], tuple[str, str]] = {}
    for start, end in sorted(edges):
        if start != end:
            pairs.setdefault((min(start, end), max(start, end)), (start, end))
    return [
        (start, end, chord_of(boxes[start], boxes[end], sides.get((start, end)) if sides else None))
        for start, end in pairs.values()
    ]


def chord_of(start: Box, end: Box, sides: tuple[Side, Side] | None = None) -> Chord:
    """Return the straight line between the middles of two sides."""
    from_side, to_side = sides or facing_sides(start, end)
    return (*_middle(start, from_side), *_middle(end, to_side))


def crossings(boxes: Boxes, edges: Edges, sides: Sides | None = None) -> int:
    """Count the pairs of edges that cross; two that share a card do not."""
    lines = sorted(chords(boxes, edges, sides), key=lambda line: min(line[2][0], line[2][2]))
    count = 0
    for number, (start, end, one) in enumerate(lines):
        right, top, bottom = max(one[0], one[2]), min(one[1], one[3]), max(one[1], one[3])
        for other_start, other_end, other in lines[number + 1 :]:
            if min(other[0], other[2]) >= right:
                break
            if (other[1] < top and other[3] < top) or (other[1] > bottom and other[3] > bottom):
                continue
            if start in (other_start, other_end) or end in (other_start, other_end):
                continue
            count += cross(one, other)
    return count


def cut_through(boxes: Boxes, edges: Edges, sides: Sides | None = None) -> int:
    """Count how often an edge runs over a card that it does not join."""
    ordered = sorted(boxes.items(), key=lambda item: item[1].x)
    widest = max((box.width for box in boxes.values()), default=0)
    count = 0
    for start, end, chord in chords(boxes, edges, sides):
        left, right = min(chord[0], chord[2]), max(chord[0], chord[2])
        for card, box in ordered:
            if box.x > right:
                break
            if box.x < left - widest or card in (start, end):
                continue
            count += runs_over(chord, box)
    return count


def curved_through(boxes: Boxes, edges: Edges, sides: Sides) -> int:
    """Count how often an edge, bent as the app draws it, runs over a card that it does not join."""
    return sum(
        curve_runs_over(curve, box)
        for start, end, curve in _curves(boxes, edges, sides)
        for card, box in boxes.items()
        if card not in (start, end)
    )


def labels_over(boxes: Boxes, labels: Mapping[tuple[str, str], Size], sides: Sides) -> tuple[int, int]:
    """Count how often an edge's label covers a card, be it one that it joins, and the pairs of labels that overlap."""
    texts = []
    for (start, end), size in sorted(labels.items()):
        pair = sides.get((start, end)) or facing_sides(boxes[start], boxes[end])
        texts.append(written_on(bent(chord_of(boxes[start], boxes[end], pair), pair), size))
    covered = sum(text.meets(box) for text in texts for box in boxes.values())
    return covered, overlaps({str(number): text for number, text in enumerate(texts)})


def _curves(boxes: Boxes, edges: Edges, sides: Sides) -> list[tuple[str, str, Curve]]:
    return [
        (start, end, bent(chord, sides.get((start, end)) or facing_sides(boxes[start], boxes[end])))
        for start, end, chord in chords(boxes, edges, sides)
    ]


def aspect(boxes: Boxes) -> float:
    """Return how many times wider than high the drawing is."""
    frame = enclose(boxes.values())
    return frame.width / frame.height


def fill(boxes: Boxes) -> float:
    """Return the part of the drawing that cards cover."""
    frame = enclose(boxes.values())
    return sum(box.width * box.height for box in boxes.values()) / (frame.width * frame.height)


def badness(boxes: Boxes, edges: Edges, sides: Sides | None = None) -> float:
    """Return one number for what makes a drawing hard to read; of two drawings the better one has the lower."""
    edges = list(edges)
    shape = abs(math.log(aspect(boxes) / ASPECT))
    scattered = max(0.0, math.log(_FILL / fill(boxes)))
    faults = 2 * crossings(boxes, edges, sides) + 3 * cut_through(boxes, edges, sides)
    return faults + 4 * shape + 8 * shape * shape + 6 * scattered


def containment_faults(boxes: Boxes, groups: Mapping[str, Sequence[str]], margin: float, head: float) -> list[str]:
    """Name the members that are not wholly inside their group, with its margin and room for its label above."""
    faults = []
    for group, members in groups.items():
        frame = boxes[group]
        for card in members:
            box = boxes[card]
            inside = (
                box.x >= frame.x + margin
                and box.y >= frame.y + head
                and box.right <= frame.right - margin
                and box.bottom <= frame.bottom - margin
            )
            faults += [] if inside else [card]
    return sorted(faults)


def foreign_cards(boxes: Boxes, groups: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """Name each group with each card or other group that touches it without belonging there."""
    within: dict[str, set[str]] = {}

    def held(group: str) -> set[str]:
        if group not in within:
            within[group] = set(groups[group])
            for member in groups[group]:
                within[group] |= held(member) if member in groups else set()
        return within[group]

    return sorted(
        (group, card)
        for group in groups
        for card, box in boxes.items()
        if card != group
        and card not in held(group)
        and not (card in groups and group in held(card))
        and box.meets(boxes[group])
    )


def off_grid(boxes: Boxes, grid: int) -> list[str]:
    """Name the cards whose corner is not on the grid, or whose geometry is not whole numbers."""
    return sorted(
        card
        for card, box in boxes.items()
        if box.x % grid or box.y % grid or not float(box.width).is_integer() or not float(box.height).is_integer()
    )


def drift(before: Boxes, after: Boxes) -> float:
    """Return how far cards moved on average, as a part of the first drawing's diagonal."""
    both = [card for card in before if card in after]
    if not both:
        return 0.0
    frame = enclose(before.values())
    moved = [math.dist(before[card].centre, after[card].centre) for card in both]
    return sum(moved) / len(moved) / math.hypot(frame.width, frame.height)


def _middle(box: Box, side: Side) -> tuple[float, float]:
    x, y = box.centre
    match side:
        case "left":
            return box.x, y
        case "right":
            return box.right, y
        case "top":
            return x, box.y
        case _:
            return x, box.bottom


def cross(one: Chord, other: Chord) -> bool:
    """Tell whether two lines cross; that they only touch does not count."""
    ax, ay, bx, by = one
    cx, cy, dx, dy = other
    ex, ey, fx, fy = bx - ax, by - ay, dx - cx, dy - cy
    first = ex * (cy - ay) - ey * (cx - ax)
    second = ex * (dy - ay) - ey * (dx - ax)
    if first * second >= 0:
        return False
    return bool((fx * (ay - cy) - fy * (ax - cx)) * (fx * (by - cy) - fy * (bx - cx)) < 0)


def curve_runs_over(curve: Curve, box: Box) -> bool:
    """Tell whether an edge as it is drawn runs over a box."""
    points = traced(curve)
    return any(runs_over((*one, *other), box) for one, other in itertools.pairwise(points))


def runs_over(chord: Chord, box: Box) -> bool:
    """Tell whether a line runs over a box and does not just graze it.

    It does unless it ends before the box, or all corners of the box are on one side of it.
    """
    ax, ay, bx, by = chord
    left, right = box.x + _INSIDE, box.x + box.width - _INSIDE
    if (ax <= left and bx <= left) or (ax >= right and bx >= right):
        return False
    top, bottom = box.y + _INSIDE, box.y + box.height - _INSIDE
    if (ay <= top and by <= top) or (ay >= bottom and by >= bottom):
        return False
    dx, dy = bx - ax, by - ay
    off = dx * ((top + bottom) / 2 - ay) - dy * ((left + right) / 2 - ax)
    return abs(off) < (abs(dx) * (bottom - top) + abs(dy) * (right - left)) / 2 or not (dx or dy)
