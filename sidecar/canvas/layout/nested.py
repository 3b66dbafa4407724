"""Groups that name their members: the inside is drawn first, then the group as one card (contract J8)."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from sidecar.canvas.layout.geometry import GAP, GRID, Box, Size, enclose, snap
from sidecar.canvas.layout.regroup import framed, with_room, without_room

__all__ = ["HEAD", "MARGIN", "Nest"]

MARGIN: Final = GAP
HEAD: Final = GAP + GRID
"""Room above the members, so that the group's label and its cards do not touch."""

Edges: TypeAlias = Sequence[tuple[str, str]]
Draw: TypeAlias = Callable[[Mapping[str, Size], Edges], dict[str, Box]]
"""Draws cards and edges that stand side by side."""


class Nest:
    """Which groups can be drawn from their members, innermost first.

    A group whose members all stand is drawn around them (``standing``); one whose members all float is drawn with
    them inside. Any other group is left out: a member in two groups, some standing and some not, a circle, no member.
    """

    def __init__(
        self, sizes: Mapping[str, Size], fixed: Mapping[str, Box], groups: Mapping[str, Sequence[str]]
    ) -> None:
        self.standing: dict[str, Box] = {}
        self.parent: dict[str, str] = {}
        self._sizes = sizes
        self._floating: list[str] = []
        self._members: dict[str, Sequence[str]] = {}
        claims: dict[str, int] = defaultdict(int)
        for held in groups.values():
            for card in held:
                claims[card] += 1
        waiting = {group: held for group, held in groups.items() if held and all(claims[card] == 1 for card in held)}
        progress = True
        while progress:
            progress = False
            for group, held in sorted(waiting.items()):
                boxes = [box for card in held if (box := self.standing.get(card) or fixed.get(card))]
                if len(boxes) == len(held):
                    self.standing[group] = framed(boxes, MARGIN, HEAD)
                elif all(card in sizes or card in self._floating for card in held):
                    self._floating.append(group)
                    self.parent.update(dict.fromkeys(held, group))
                else:
                    continue
                self._members[group] = held
                del waiting[group]
                progress = True

    def draw(self, edges: Edges, inside: Draw, outside: Draw) -> dict[str, Box]:
        """Draw the floating cards and groups: ``inside`` draws within groups, ``outside`` what is in none."""
        levels = self._by_level(edges)
        drawn: dict[str, dict[str, Box]] = {}
        sizes = dict(self._sizes)
        for group in self._floating:
            drawn[group] = self._framed(inside({card: sizes[card] for card in self._members[group]}, levels[group]))
            frame = enclose(drawn[group].values())
            room = with_room(Box(0, 0, snap(frame.width + 2 * MARGIN), snap(frame.height + HEAD + MARGIN)))
            sizes[group] = Size(int(room.width), int(room.height))
        outer = {card: size for card, size in sizes.items() if card not in self.parent}
        placed = self._framed(outside(outer, levels[None]))
        for group in reversed(self._floating):
            placed.update(self._filled(placed[group], drawn[group], placed, edges))
        return placed

    def _framed(self, boxes: Mapping[str, Box]) -> dict[str, Box]:
        return {card: without_room(box) if card in self.drawn else box for card, box in boxes.items()}

    @property
    def drawn(self) -> Mapping[str, Sequence[str]]:
        """What is in each group that is drawn with its members, inner groups first."""
        return {group: self._members[group] for group in self._floating}

    def outermost(self, card: str) -> str:
        """Return the outermost floating group that a card is in, else the card."""
        return self._ancestry(card)[-1]

    def _filled(self, home: Box, drawn: Mapping[str, Box], placed: Mapping[str, Box], edges: Edges) -> dict[str, Box]:
        """Put the inside of a group into its frame, turned over so that members face what they are linked with."""
        frame = enclose(drawn.values())
        ways = [
            {
                card: Box(
                    home.x + MARGIN + _down(frame.right - box.right if across else box.x - frame.x),
                    home.y + HEAD + _down(frame.bottom - box.bottom if along else box.y - frame.y),
                    box.width,
                    box.height,
                )
                for card, box in drawn.items()
            }
            for across in (False, True)
            for along in (False, True)
        ]
        leaving = [(a, b) if a in drawn else (b, a) for a, b in edges if (a in drawn) != (b in drawn)]
        outer = [(card, self._shown(other, placed)) for card, other in leaving]
        return min(ways, key=lambda way: sum(_apart(way[card], box) for card, box in outer if box))

    def _shown(self, card: str, placed: Mapping[str, Box]) -> Box | None:
        """Return where a card is, or the innermost group around it that has a place by now."""
        while card not in placed and card in self.parent:
            card = self.parent[card]
        return placed.get(card)

    def _by_level(self, edges: Edges) -> dict[str | None, list[tuple[str, str]]]:
        """Lift each edge to the two cards that stand side by side: in one group, or on the canvas itself."""
        levels: dict[str | None, list[tuple[str, str]]] = defaultdict(list)
        for start, end in edges:
            line, other = self._ancestry(start), self._ancestry(end)
            while line and other and line[-1] == other[-1]:
                line.pop()
                other.pop()
            if line and other:
                levels[self.parent.get(line[-1])].append((line[-1], other[-1]))
        return levels

    def _ancestry(self, card: str) -> list[str]:
        line = [card]
        while line[-1] in self.parent:
            line.append(self.parent[line[-1]])
        return line


def _down(value: float) -> int:
    return int(value // GRID) * GRID


def _apart(one: Box, other: Box) -> float:
    return abs(one.centre[0] - other.centre[0]) + abs(one.centre[1] - other.centre[1])
