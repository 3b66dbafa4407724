"""Groups that name their members: the inside is placed first, then the group as one card (contract J8)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sidecar.canvas.layout.geometry import GAP, GRID, Box, Size, enclose, snap
from sidecar.canvas.layout.place import place

__all__ = ["arrange"]

_MARGIN: Final = GAP
_HEAD: Final = GAP + GRID
"""Room above the members, so that the group's label and its cards do not touch."""


def arrange(
    sizes: Mapping[int, Size],
    links: Iterable[tuple[int, int]],
    fixed: Mapping[int, Box],
    members: Mapping[int, Sequence[int]],
) -> dict[int, Box]:
    """Place the cards of ``sizes`` and the groups of ``members``; what is ``fixed`` stays.

    A group whose members all stand is drawn around them; one whose members all float is placed with them inside. Any
    other group (a member in two groups, some standing and some not, a circle, no member) is not in the result.
    """
    nest = _Nest(sizes, fixed, members)
    levels = nest.links_by_level(links)
    inside: dict[int, dict[int, Box]] = {}
    sizes_now = dict(sizes)
    for group in nest.floating:
        held = {card: sizes_now[card] for card in nest.members[group]}
        inside[group] = place(held, levels[group], {})
        frame = enclose(inside[group].values())
        sizes_now[group] = Size(snap(frame.width + 2 * _MARGIN), snap(frame.height + _HEAD + _MARGIN))
    top = {card: size for card, size in sizes_now.items() if card not in nest.parent}
    placed = place(top, levels[None], {**fixed, **nest.standing})
    for group in reversed(nest.floating):
        frame, home = enclose(inside[group].values()), placed[group]
        dx, dy = home.x + _MARGIN - frame.x, home.y + _HEAD - frame.y
        placed.update({card: box.moved(dx, dy) for card, box in inside[group].items()})
    return {**placed, **nest.standing}


class _Nest:
    """Which groups can be drawn from their members, innermost first."""

    def __init__(
        self, sizes: Mapping[int, Size], fixed: Mapping[int, Box], members: Mapping[int, Sequence[int]]
    ) -> None:
        self.standing: dict[int, Box] = {}
        self.floating: list[int] = []
        self.parent: dict[int, int] = {}
        self.members: dict[int, Sequence[int]] = {}
        claims: dict[int, int] = defaultdict(int)
        for held in members.values():
            for card in held:
                claims[card] += 1
        waiting = {group: held for group, held in members.items() if held and all(claims[card] == 1 for card in held)}
        progress = True
        while progress:
            progress = False
            for group, held in sorted(waiting.items()):
                boxes = [box for card in held if (box := self.standing.get(card) or fixed.get(card))]
                if len(boxes) == len(held):
                    self.standing[group] = _around(boxes)
                elif all(card in sizes or card in self.floating for card in held):
                    self.floating.append(group)
                    self.parent.update(dict.fromkeys(held, group))
                else:
                    continue
                self.members[group] = held
                del waiting[group]
                progress = True

    def links_by_level(self, links: Iterable[tuple[int, int]]) -> dict[int | None, list[tuple[int, int]]]:
        """Lift each link to the two cards that stand side by side: in one group, or on the canvas itself."""
        levels: dict[int | None, list[tuple[int, int]]] = defaultdict(list)
        for start, end in links:
            ups, others = self._ancestry(start), self._ancestry(end)
            while ups and others and ups[-1] == others[-1]:
                ups.pop()
                others.pop()
            if ups and others:
                levels[self.parent.get(ups[-1])].append((ups[-1], others[-1]))
        return levels

    def _ancestry(self, card: int) -> list[int]:
        line = [card]
        while line[-1] in self.parent:
            line.append(self.parent[line[-1]])
        return line


def _around(boxes: Sequence[Box]) -> Box:
    frame = enclose(boxes)
    left, top = -snap(_MARGIN - frame.x), -snap(_HEAD - frame.y)
    return Box(left, top, snap(frame.right + _MARGIN) - left, snap(frame.bottom + _MARGIN) - top)
