"""A drawing with groups made better as a whole: members within their group, and groups among each other."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from sidecar.canvas.layout.curve import Labels
from sidecar.canvas.layout.faults import Sheet
from sidecar.canvas.layout.geometry import ASPECT, GAP, GRID, Box, enclose, snap
from sidecar.canvas.layout.refine import BETTER
from sidecar.canvas.layout.widen import widened

__all__ = ["framed", "regrouped", "with_room", "without_room"]

_ABOVE: Final = GAP
"""Free space above a group, besides the gap: the app writes its label there."""
_BESIDE: Final = GRID
"""Free space on its other sides, so that groups can be told apart."""

_SHAPE: Final = 6.0
_AREA: Final = 6.0
"""What it costs if the whole is far from the shape of a screen, or large: for each power of e."""
_NEAR: Final = 8
"""With so many of the others a card or group tries to change places."""
_STEPS: Final = (1.0, 0.7, 0.4, 0.2)
_MOST: Final = 16
"""So many places are tried for a card or group at a time."""

_Move: TypeAlias = dict[str, Box]


def framed(boxes: Iterable[Box], margin: int, head: int) -> Box:
    """Return the group around boxes, on the grid."""
    frame = enclose(boxes)
    left, top = -snap(margin - frame.x), -snap(head - frame.y)
    return Box(left, top, snap(frame.right + margin) - left, snap(frame.bottom + margin) - top)


def with_room(group: Box) -> Box:
    """Return a group's box with the free space that it needs around it."""
    width, height = group.width + 2 * _BESIDE, group.height + _ABOVE + _BESIDE
    return Box(group.x - _BESIDE, group.y - _ABOVE, width, height)


def without_room(room: Box) -> Box:
    """Return the box of a group that has this room."""
    width, height = room.width - 2 * _BESIDE, room.height - _ABOVE - _BESIDE
    return Box(room.x + _BESIDE, room.y + _ABOVE, width, height)


def regrouped(
    boxes: Mapping[str, Box],
    members: Mapping[str, Sequence[str]],
    edges: Iterable[tuple[str, str]],
    labels: Labels,
    *,
    budget: int,
    margin: int,
    head: int,
) -> dict[str, Box]:
    """Return the drawing with no more faults than before; every group still holds what it held, and nothing else.

    ``members`` names what is in each group, inner groups before those that hold them; ``budget`` is a number of
    comparisons of an edge with another or with a card.
    """
    sheet = Sheet({card: box for card, box in boxes.items() if card not in members}, edges, labels, budget)
    board = _Board(sheet, dict(boxes), members, margin, head)
    better = True
    while better and sheet.budget > 0:
        better = False
        for unit in board.worst_first():
            if sheet.budget <= 0:
                break
            better |= board.improve(unit)
    board.tighten()
    board.widen()
    return board.boxes


class _Board:
    def __init__(
        self, sheet: Sheet, boxes: dict[str, Box], members: Mapping[str, Sequence[str]], margin: int, head: int
    ) -> None:
        self.boxes = boxes
        self._sheet = sheet
        self._members = members
        self._margin, self._head = margin, head
        self._parent = {card: group for group, held in members.items() for card in held}
        self._outer = sorted(unit for unit in boxes if unit not in self._parent)
        self._cards = {unit: self._leaves(unit) for unit in boxes}

    def _leaves(self, unit: str) -> list[str]:
        if unit not in self._members:
            return [unit]
        return [leaf for member in self._members[unit] for leaf in self._leaves(member)]

    def worst_first(self) -> list[str]:
        """Return what may be moved: outer groups before what is in them, and of these the worst first."""
        costs = {unit: self._sheet.cost(self._cards[unit]) for unit in self.boxes}
        depth = {unit: len(self._around(unit)) for unit in self.boxes}
        return sorted(costs, key=lambda unit: (depth[unit], -costs[unit], unit))

    def improve(self, unit: str) -> bool:
        """Try other places for a card or a group; take the first that is better."""
        outermost = unit not in self._parent
        shape = self._shape({}) if outermost else 0.0
        for moved in self._moves(unit):
            if self._sheet.budget <= 0:
                return False
            cards = {card: box for card, box in moved.items() if card not in self._members}
            better = shape - self._shape(moved) if outermost else 0.0
            if self._sheet.gain(cards, BETTER - better) > BETTER - better:
                self._sheet.move(cards)
                self.boxes.update(moved)
                return True
        return False

    def tighten(self) -> None:
        """Draw each group close around what it holds."""
        for group, held in self._members.items():
            self.boxes[group] = framed((self.boxes[card] for card in held), self._margin, self._head)

    def widen(self) -> None:
        """Draw what is outermost farther apart, where the whole would be too high or too wide for a screen."""
        for unit, box in widened({unit: self.boxes[unit] for unit in self._outer}).items():
            self.boxes.update(self._shifted(unit, box.x - self.boxes[unit].x, box.y - self.boxes[unit].y))

    def _around(self, unit: str) -> list[str]:
        groups = []
        while unit in self._parent:
            unit = self._parent[unit]
            groups.append(unit)
        return groups

    def _shape(self, moved: _Move) -> float:
        """Return how far the whole is from the shape of a screen, and how much of it is empty."""
        frame = enclose(moved.get(unit) or self.boxes[unit] for unit in self._outer)
        off = abs(math.log(frame.width / frame.height / ASPECT))
        return _SHAPE * (off + 2 * off * off) + _AREA * math.log(frame.width * frame.height)

    def _moves(self, unit: str) -> Iterator[_Move]:
        home = self._parent.get(unit)
        beside = [one for one in (self._members[home] if home else self._outer) if one != unit]
        area = self._area(home)
        box = self._room(unit)
        taken = [self._room(one) for one in beside]
        for spot in self._spots(unit, box, area, taken):
            yield self._shifted(unit, spot.x - box.x, spot.y - box.y)
        if unit in self._members:
            for across, along in ((True, False), (False, True), (True, True)):
                yield self._mirrored(unit, across=across, along=along)
        for other in sorted(beside, key=lambda one: (_apart(box, self._room(one)), one))[:_NEAR]:
            moved = self._swapped(unit, other, beside, area)
            if moved:
                yield moved

    def _area(self, home: str | None) -> Box:
        if home is None:
            whole = enclose(self._room(unit) for unit in self._outer)
            wider = _grid(max(0.0, whole.height * ASPECT - whole.width) / 2)
            return Box(whole.x - wider, whole.y, whole.width + 2 * wider, whole.height)
        frame, margin, head = self.boxes[home], self._margin, self._head
        return Box(frame.x + margin, frame.y + head, frame.width - 2 * margin, frame.height - head - margin)

    def _room(self, unit: str) -> Box:
        box = self.boxes[unit]
        return with_room(box) if unit in self._members else box

    def _spots(self, unit: str, box: Box, area: Box, taken: Sequence[Box]) -> list[Box]:
        """Return free places in the area, those first that are nearest to what the unit is linked with."""
        own = set(self._cards[unit])
        near = [other for card in own for other in self._sheet.neighbours(card) if other not in own]
        if not near:
            return []
        centres = [self.boxes[other].centre for other in sorted(near)]
        x, y = sum(one for one, _ in centres) / len(centres), sum(one for _, one in centres) / len(centres)
        dx, dy = x - box.centre[0], y - box.centre[1]
        wanted = [
            box.moved(_grid(dx * a), _grid(dy * b)) for part in _STEPS for a, b in ((part, part), (part, 0), (0, part))
        ]
        wanted += [spot for other in taken for spot in _beside(other, box, x, y)]
        spots = {spot for spot in (_within(spot, area) for spot in wanted) if spot != box}
        free = [spot for spot in spots if not any(spot.meets(other, GAP) for other in taken)]
        return sorted(
            free, key=lambda spot: (abs(spot.centre[0] - x) / ASPECT + abs(spot.centre[1] - y), spot.x, spot.y)
        )[:_MOST]

    def _shifted(self, unit: str, dx: float, dy: float) -> _Move:
        moved = {unit: self.boxes[unit].moved(dx, dy)}
        for member in self._members.get(unit, ()):
            moved |= self._shifted(member, dx, dy)
        return moved

    def _mirrored(self, group: str, *, across: bool, along: bool) -> _Move:
        area = self._area(group)
        moved: _Move = {}
        for member in self._members[group]:
            box = self.boxes[member]
            x = _down(area.right - box.right) + area.x if across else box.x
            y = _down(area.bottom - box.bottom) + area.y if along else box.y
            moved |= self._shifted(member, x - box.x, y - box.y)
        return moved

    def _swapped(self, unit: str, other: str, beside: Sequence[str], area: Box) -> _Move | None:
        one, two = self._room(unit), self._room(other)
        first, second = _within(_centred(one, two), area), _within(_centred(two, one), area)
        rest = [self._room(third) for third in beside if third != other]
        if first.meets(second, GAP) or any(box.meets(first, GAP) or box.meets(second, GAP) for box in rest):
            return None
        return {
            **self._shifted(unit, first.x - one.x, first.y - one.y),
            **self._shifted(other, second.x - two.x, second.y - two.y),
        }


def _beside(home: Box, box: Box, x: float, y: float) -> Iterator[Box]:
    """Yield the places on the four sides of a box: level with its ends, and as near to a point as may be."""
    right, left = snap(home.right + GAP), -snap(GAP + box.width - home.x)
    below, above = snap(home.bottom + GAP), -snap(GAP + box.height - home.y)
    for top in (home.y, home.bottom - box.height, y - box.height / 2):
        yield from (Box(side, _down(top), box.width, box.height) for side in (right, left))
    for start in (home.x, home.right - box.width, x - box.width / 2):
        yield from (Box(_down(start), side, box.width, box.height) for side in (below, above))


def _within(box: Box, area: Box) -> Box:
    """Return the box moved into an area, as far as it must."""
    x = min(max(box.x, area.x), area.x + _down(area.right - box.width - area.x))
    y = min(max(box.y, area.y), area.y + _down(area.bottom - box.height - area.y))
    return Box(x, y, box.width, box.height)


def _centred(box: Box, place: Box) -> Box:
    x, y = place.centre
    return Box(_grid(x - box.width / 2), _grid(y - box.height / 2), box.width, box.height)


def _apart(one: Box, other: Box) -> float:
    return abs(one.centre[0] - other.centre[0]) + abs(one.centre[1] - other.centre[1])


def _grid(value: float) -> int:
    return round(value / GRID) * GRID


def _down(value: float) -> int:
    return int(value // GRID) * GRID
