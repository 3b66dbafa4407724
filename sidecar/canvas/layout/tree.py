"""The layout ``tree``: a root, and what hangs on it in columns to the right, to both sides, or in rows below."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, TypeAlias

from sidecar.canvas.layout.curve import room_for
from sidecar.canvas.layout.geometry import GAP, GRID, Box, Size, snap
from sidecar.canvas.layout.graph import Graph
from sidecar.canvas.layout.sides import Axis

__all__ = ["Growth", "draw_tree"]

Growth: TypeAlias = Literal["right", "both", "down"]
_BETWEEN: Final = 120
"""Pixels between a column and the next: room for an arrow and a short label."""

_Children: TypeAlias = Mapping[str, Sequence[str]]


def draw_tree(graph: Graph, growth: Growth, share: float = 0.5) -> dict[str, Box]:
    """Draw a connected graph without circles; edges never cross, nor do they run over a card of another branch.

    The root is the only card that no edge leads to, else the one in the middle. Where it grows to both sides, about
    ``share`` of it goes to the right.
    """
    root = _root(graph)
    children = _children(graph, root)
    axis: Axis = "down" if growth == "down" else "across"
    rooms = {
        child: room_for(label, axis)
        for card, held in children.items()
        for child in held
        if (label := graph.labels.get((card, child)) or graph.labels.get((child, card)))
    }
    if growth == "down":
        turned = {card: Size(size.height, size.width) for card, size in graph.sizes.items()}
        placed = _Side(turned, children, rooms).draw(root, children[root])
        return {
            card: Box(box.y, box.x, graph.sizes[card].width, graph.sizes[card].height) for card, box in placed.items()
        }
    if growth == "right":
        return _Side(graph.sizes, children, rooms).draw(root, children[root])
    right, left = _halves(children[root], lambda card: _weight(card, children, graph.sizes), share)
    placed = _Side(graph.sizes, children, rooms).draw(root, right)
    middle = placed[root]
    mirrored = _Side(graph.sizes, children, rooms).draw(root, left)
    home = mirrored[root]
    for card, box in mirrored.items():
        if card != root:
            far = box.x - home.right
            placed[card] = Box(
                (middle.x - far - box.width) // GRID * GRID, box.y - home.y + middle.y, box.width, box.height
            )
    return placed


class _Side:
    """Columns of cards by their distance from the root, each subtree as near to the one above as its cards allow."""

    def __init__(self, sizes: Mapping[str, Size], children: _Children, rooms: Mapping[str, int]) -> None:
        self._rooms = rooms
        self._sizes = sizes
        self._children = children

    def draw(self, root: str, first: Sequence[str]) -> dict[str, Box]:
        below: _Children = {**self._children, root: first}
        levels = [[root]]
        while levels[-1]:
            levels.append([child for card in levels[-1] for child in below[card]])
        levels.pop()
        tops = self._tops(levels, below)
        placed, x = {}, 0
        for cards in levels:
            for card in cards:
                size = self._sizes[card]
                placed[card] = Box(x, snap(tops[card]), size.width, size.height)
            between = max(_BETWEEN, *(self._rooms.get(child, 0) for card in cards for child in below[card]), 0)
            x += snap(max(self._sizes[card].width for card in cards) + between)
        return placed

    def _tops(self, levels: Sequence[Sequence[str]], below: _Children) -> dict[str, float]:
        """Return the y of each card; the lowest cards are placed first, their parents in their middle."""
        offset: dict[str, float] = {}  # of a card's subtree within its parent's
        top: dict[str, float] = {}  # of a card within its own subtree
        outline: dict[str, list[tuple[float, float]]] = {}  # of a subtree: top and bottom of each level
        for card in (card for cards in reversed(levels) for card in cards):
            height = snap(self._sizes[card].height)
            held: list[tuple[float, float]] = []
            for child in below[card]:
                own = outline.pop(child)
                down = max((held[n][1] + GAP - own[n][0] for n in range(min(len(held), len(own)))), default=0.0)
                offset[child] = down
                for level, (upper, lower) in enumerate(own):
                    if level < len(held):
                        held[level] = held[level][0], lower + down
                    else:
                        held.append((upper + down, lower + down))
            if below[card]:
                first, last = below[card][0], below[card][-1]
                upper = offset[first] + top[first] + snap(self._sizes[first].height) / 2
                lower = offset[last] + top[last] + snap(self._sizes[last].height) / 2
                top[card] = (upper + lower - height) / 2
            else:
                top[card] = 0.0
            outline[card] = [(top[card], top[card] + height), *held]
        start = {levels[0][0]: 0.0}
        tops = {}
        for card in (card for cards in levels for card in cards):
            tops[card] = start[card] + top[card]
            start.update({child: start[card] + offset[child] for child in below[card]})
        return tops


def _root(graph: Graph) -> str:
    sources = set(graph.sizes) - {end for _, end in graph.edges}
    if len(sources) == 1:
        return sources.pop()
    remaining = {card: len(near) for card, near in graph.neighbours.items()}
    while len(remaining) > 2:  # noqa: PLR2004 - the middle of a tree is one card or two
        leaves = [card for card, links in remaining.items() if links <= 1]
        for card in leaves:
            del remaining[card]
            for other in graph.neighbours[card]:
                if other in remaining:
                    remaining[other] -= 1
    return min(remaining)


def _children(graph: Graph, root: str) -> dict[str, list[str]]:
    children: dict[str, list[str]] = {root: []}
    queue = [root]
    for card in queue:
        for other in graph.neighbours[card]:
            if other not in children:
                children[card].append(other)
                children[other] = []
                queue.append(other)
    return children


def _weight(card: str, children: _Children, sizes: Mapping[str, Size]) -> int:
    cards = [card]
    for one in cards:
        cards += children[one]
    return sum(sizes[one].height + GAP for one in cards if not children[one])


def _halves(cards: Sequence[str], weight: Callable[[str], int], share: float) -> tuple[list[str], list[str]]:
    """Split into two groups that are as heavy as they should be; the heaviest card goes to the right."""
    right: list[str] = []
    left: list[str] = []
    total, heavy = sum(map(weight, cards)), 0
    for card in sorted(cards, key=lambda card: (-weight(card), card)):
        if not right or heavy + weight(card) / 2 <= share * total:
            right.append(card)
            heavy += weight(card)
        else:
            left.append(card)
    return sorted(right), sorted(left)
