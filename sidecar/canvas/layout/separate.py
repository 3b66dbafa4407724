"""Cards that overlap are pushed apart, no further than they must, and set on the grid."""

from collections.abc import Mapping
from typing import Final

from sidecar.canvas.layout.curve import Labels, room_for
from sidecar.canvas.layout.geometry import GAP, GRID, Box, Size

__all__ = ["separate"]

_ROUNDS: Final = 400
_SLACK: Final = 0.5
_USUAL: Final = (GAP, GAP)


def separate(
    centres: Mapping[str, tuple[float, float]], sizes: Mapping[str, Size], wide: float, labels: Labels
) -> dict[str, Box]:
    """Return boxes on the grid, none nearer to another than the gap, from centres that may be too near.

    Each pair gives way across its smaller overlap; ``wide`` says how much rather sideways than up and down. Between
    two that are joined by an edge with a label there is room for that.
    """
    cards = sorted(centres)
    # What is rounded to the grid afterwards must not come nearer than the gap by that.
    halves = {card: (_up(sizes[card].width) / 2, _up(sizes[card].height) / 2) for card in cards}
    xs = {card: centres[card][0] for card in cards}
    ys = {card: centres[card][1] for card in cards}
    gaps = {pair: (room_for(size, "across"), room_for(size, "down")) for pair, size in labels.items()}
    gaps |= {(end, start): gap for (start, end), gap in gaps.items()}
    reach = dict.fromkeys(cards, GAP)
    for (card, _), (across, _) in gaps.items():
        reach[card] = max(reach[card], across)
    for _ in range(_ROUNDS):
        if not _push(cards, xs, ys, halves, wide, gaps, reach):
            break
    boxes = {}
    for card in cards:
        half_width, half_height = halves[card]
        left, top = round((xs[card] - half_width) / GRID) * GRID, round((ys[card] - half_height) / GRID) * GRID
        boxes[card] = Box(left, top, sizes[card].width, sizes[card].height)
    return _cleared(boxes)


def _push(
    cards: list[str],
    xs: dict[str, float],
    ys: dict[str, float],
    halves: Mapping[str, tuple[float, float]],
    wide: float,
    gaps: Mapping[tuple[str, str], tuple[int, int]],
    reach: Mapping[str, int],
) -> bool:
    ordered = sorted(cards, key=lambda card: (xs[card] - halves[card][0], card))
    moved = False
    for number, one in enumerate(ordered):
        half_width, half_height = halves[one]
        room = half_width + reach[one] + 1
        for other in ordered[number + 1 :]:
            other_width, other_height = halves[other]
            if xs[other] - other_width >= xs[one] + room:
                break
            dx, dy = xs[other] - xs[one], ys[other] - ys[one]
            gap_x, gap_y = gaps.get((one, other), _USUAL) if gaps else _USUAL
            across = half_width + other_width + gap_x - abs(dx)
            along = half_height + other_height + gap_y - abs(dy)
            if across <= _SLACK or along <= _SLACK:
                continue
            moved = True
            if across / wide < along:
                step = across / 2 if dx >= 0 else -across / 2
                xs[one] -= step
                xs[other] += step
            else:
                step = along / 2 if dy >= 0 else -along / 2
                ys[one] -= step
                ys[other] += step
    return moved


def _cleared(boxes: dict[str, Box]) -> dict[str, Box]:
    """Push what is still too near, after rounding or a crowd that did not come to rest, on to the right or down."""
    placed: list[Box] = []
    cleared = {}
    for card, given in sorted(boxes.items(), key=lambda item: (item[1].x + item[1].y, item[0])):
        box, right = given, True
        while blocker := next((other for other in placed if box.meets(other, GAP)), None):
            to_right, down = blocker.right + GAP - box.x, blocker.bottom + GAP - box.y
            right = to_right <= down
            box = box.moved(_up(to_right), 0) if right else box.moved(0, _up(down))
        placed.append(box)
        cleared[card] = box
    return {card: cleared[card] for card in sorted(cleared)}


def _up(value: float) -> int:
    return -int(-value // GRID) * GRID
