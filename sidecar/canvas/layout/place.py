"""Where new cards go: beside what they are linked with, else in rows below, never onto anything and never moving it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from sidecar.canvas.layout.columns import columns, components
from sidecar.canvas.layout.geometry import GAP, Box, Occupied, Size, enclose, snap

__all__ = ["place"]

_LEAST_ROW = 900
_ASPECT = 1.6
_DETOUR = 200
"""How many pixels further a card may go to stay on the better side of its neighbour."""
_MOST_STEPS = 50

_Anchor: TypeAlias = tuple[int, bool]
"""A card that stands already, and whether the link leads from it to the new one."""


def place(sizes: Mapping[int, Size], links: Iterable[tuple[int, int]], fixed: Mapping[int, Box]) -> dict[int, Box]:
    """Return a box for each card of ``sizes``: on the grid, at least 20 px from every other and from ``fixed``.

    Links name cards of both; their order does not matter, the order of the cards' numbers does.
    """
    pairs = sorted({(start, end) for start, end in links if start != end})
    anchors = _anchors(sizes, pairs, fixed)
    beside: dict[_Anchor, list[int]] = {}
    loose: list[dict[int, Box]] = []
    single: list[int] = []
    for part in components(sorted(sizes), [pair for pair in pairs if pair[0] in sizes and pair[1] in sizes]):
        anchor = next((anchors[card] for card in part if card in anchors), None)
        if anchor:
            beside.setdefault(anchor, []).extend(part)
        elif len(part) == 1:
            single.extend(part)
        else:
            loose.append(_block(part, sizes, pairs))
    board = _Board(fixed)
    placed: dict[int, Box] = {}
    for anchor, cards in beside.items():
        block = _block(cards, sizes, pairs)
        moved = board.put_beside(block, *anchor)
        placed.update(moved)
        if not moved:
            loose.append(block)
    loose.extend(_grid(single, sizes))
    placed.update(_below(loose, [*fixed.values(), *placed.values()]))
    return placed


def _block(cards: Sequence[int], sizes: Mapping[int, Size], pairs: Sequence[tuple[int, int]]) -> dict[int, Box]:
    held = {card: sizes[card] for card in cards}
    return columns(held, [pair for pair in pairs if pair[0] in held and pair[1] in held])


def _anchors(
    sizes: Mapping[int, Size], pairs: Sequence[tuple[int, int]], fixed: Mapping[int, Box]
) -> dict[int, _Anchor]:
    """Find for each new card its first neighbour that has a place, and whether the link leads from there."""
    found: dict[int, _Anchor] = {}
    for start, end in pairs:
        for card, anchor, leads in ((end, start, True), (start, end, False)):
            if card in sizes and anchor in fixed:
                found[card] = min(found.get(card, (anchor, leads)), (anchor, leads))
    return found


@dataclass(frozen=True, slots=True)
class _Way:
    """Beside which side of a neighbour to look, and which way to go from there when the place is taken."""

    side: str
    step: int


_FROM = tuple(_Way(side, step) for side in ("right", "bottom", "left", "top") for step in (1, -1))
_TO = tuple(_Way(side, step) for side in ("left", "top", "right", "bottom") for step in (1, -1))


class _Board:
    """What stands on the canvas while blocks are set beside cards, one after the other."""

    def __init__(self, fixed: Mapping[int, Box]) -> None:
        self._fixed = fixed
        self._occupied = Occupied(fixed.values())

    def put_beside(self, block: Mapping[int, Box], anchor: int, leads: bool) -> dict[int, Box]:
        """Place a block of cards as one at the nearest free place beside a card; nowhere when all is full there."""
        frame = enclose(block.values())
        home = self._fixed[anchor]
        found = []
        for rank, way in enumerate(_FROM if leads else _TO):
            start = _start(frame, home, way)
            spot = self._slide(start, way)
            if spot:
                found.append((abs(spot.x - start.x) + abs(spot.y - start.y) + _DETOUR * (rank // 2), rank, spot))
        if not found:
            return {}
        _, _, spot = min(found, key=lambda candidate: candidate[:2])
        moved = {card: box.moved(spot.x - frame.x, spot.y - frame.y) for card, box in block.items()}
        for box in moved.values():
            self._occupied.add(box)
        return moved

    def _slide(self, box: Box, way: _Way) -> Box | None:
        """Go on in one direction until nothing is in the way, but not too far."""
        for _ in range(_MOST_STEPS):
            blocker = self._occupied.blocker(box, GAP)
            if blocker is None:
                return box
            box = _past(box, blocker, way.step, upright=way.side in {"left", "right"})
        return None


def _start(frame: Box, home: Box, way: _Way) -> Box:
    x, y = _down(home.x), _down(home.y)
    match way.side:
        case "right":
            x = snap(home.right + 2 * GAP)
        case "left":
            x = _down(home.x - 2 * GAP - frame.width)
        case "bottom":
            y = snap(home.bottom + 2 * GAP)
        case _:
            y = _down(home.y - 2 * GAP - frame.height)
    return Box(x, y, frame.width, frame.height)


def _past(box: Box, blocker: Box, step: int, *, upright: bool) -> Box:
    if upright:
        y = snap(blocker.bottom + GAP) if step > 0 else _down(blocker.y - GAP - box.height)
        return Box(box.x, y, box.width, box.height)
    x = snap(blocker.right + GAP) if step > 0 else _down(blocker.x - GAP - box.width)
    return Box(x, box.y, box.width, box.height)


def _down(value: float) -> int:
    return -snap(-value)


def _grid(cards: Sequence[int], sizes: Mapping[int, Size]) -> list[dict[int, Box]]:
    """Make one block of the cards that no link holds."""
    if not cards:
        return []
    boxes = [Box(0, 0, sizes[card].width, sizes[card].height) for card in cards]
    return [dict(zip(cards, _rows(boxes, GAP), strict=True))]


def _below(blocks: Sequence[Mapping[int, Box]], standing: Sequence[Box]) -> dict[int, Box]:
    """Set blocks in rows beneath everything that stands, or from the origin on an empty canvas."""
    if not blocks:
        return {}
    around = enclose(standing) if standing else None
    left, top = (_down(around.x), snap(around.bottom + 2 * GAP)) if around else (0, 0)
    frames = [enclose(block.values()) for block in blocks]
    placed = {}
    for block, frame, spot in zip(blocks, frames, _rows(frames, 2 * GAP), strict=True):
        for card, box in block.items():
            placed[card] = box.moved(left + spot.x - frame.x, top + spot.y - frame.y)
    return placed


def _rows(boxes: Sequence[Box], gap: int) -> list[Box]:
    """Set boxes in rows like words, in their order, the whole about 16 to 10."""
    area = sum((box.width + gap) * (box.height + gap) for box in boxes)
    widest = max(_LEAST_ROW, (area * _ASPECT) ** 0.5, *(box.width for box in boxes))
    placed = []
    x = y = below = 0
    for box in boxes:
        if x and x + box.width > widest:
            x, y = 0, below
        placed.append(Box(x, y, box.width, box.height))
        x = snap(x + box.width + gap)
        below = max(below, snap(y + box.height + gap))
    return placed
