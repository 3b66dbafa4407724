"""Linked cards in columns that read from left to right, without any regard to what else is on the canvas."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sidecar.canvas.layout.geometry import GAP, Box, Size, snap

__all__ = ["columns", "components"]

_COLUMN_GAP: Final = 120
"""Wide enough for an arrow and a short label."""
_LEAST_HEIGHT: Final = 900
_LEAST_WIDTH: Final = 2800
_SWEEPS = 4

Links = Sequence[tuple[int, int]]


def components(cards: Sequence[int], links: Links) -> list[list[int]]:
    """Return the connected parts, each and all in the order of ``cards``."""
    neighbours = defaultdict(list)
    for start, end in links:
        neighbours[start].append(end)
        neighbours[end].append(start)
    seen: set[int] = set()
    parts = []
    for card in cards:
        if card in seen:
            continue
        part, stack = {card}, [card]
        while stack:
            new = [other for other in neighbours[stack.pop()] if other not in part]
            part.update(new)
            stack.extend(new)
        seen |= part
        parts.append(sorted(part))
    return parts


def columns(sizes: Mapping[int, Size], links: Links) -> dict[int, Box]:
    """Place the cards of ``sizes`` in columns along their links, from the origin; long rows wrap like text."""
    ordered = _order(_ranks(sorted(sizes), links), links)
    area = sum((size.width + _COLUMN_GAP) * (size.height + GAP) for size in sizes.values())
    tallest = max(*(size.height for size in sizes.values()), _LEAST_HEIGHT, 0.9 * area**0.5)
    widest = max(_LEAST_WIDTH, 1.8 * area**0.5)
    wrapped = [part for column in ordered for part in _split(column, sizes, tallest)]
    placed: dict[int, Box] = {}
    top = 0
    for band in _bands(wrapped, sizes, widest):
        heights = [sum(sizes[card].height + GAP for card in column) - GAP for column in band]
        left = 0
        for column, height in zip(band, heights, strict=True):
            y = top + snap((max(heights) - height) / 2)
            for card in column:
                placed[card] = Box(left, y, sizes[card].width, sizes[card].height)
                y += snap(sizes[card].height + GAP)
            left += snap(max(sizes[card].width for card in column) + _COLUMN_GAP)
        top = snap(max(placed[card].bottom for column in band for card in column) + 2 * GAP)
    return placed


def _ranks(cards: Sequence[int], links: Links) -> dict[int, int]:
    """Give each card the length of the longest way to it; links that would close a circle do not count."""
    followers = defaultdict(list)
    for start, end in links:
        followers[start].append(end)
    ends = {end for _, end in links}
    state: dict[int, bool] = {}
    finished: list[int] = []
    forward: list[tuple[int, int]] = []
    for root in sorted(cards, key=lambda card: (card in ends, card)):
        if root in state:
            continue
        state[root] = False
        stack = [(root, iter(followers[root]))]
        while stack:
            card, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                stack.pop()
                state[card] = True
                finished.append(card)
            elif state.get(following, True):
                forward.append((card, following))
                if following not in state:
                    state[following] = False
                    stack.append((following, iter(followers[following])))
    onward = defaultdict(list)
    for start, end in forward:
        onward[start].append(end)
    rank = dict.fromkeys(cards, 0)
    for card in reversed(finished):
        for following in onward[card]:
            rank[following] = max(rank[following], rank[card] + 1)
    return rank


def _order(ranks: Mapping[int, int], links: Links) -> list[list[int]]:
    """Order the cards of each column by the middle of their neighbours in the columns already ordered."""
    ordered: list[list[int]] = [[] for _ in range(max(ranks.values()) + 1)]
    for card in sorted(ranks):
        ordered[ranks[card]].append(card)
    neighbours = defaultdict(list)
    for start, end in links:
        neighbours[start].append(end)
        neighbours[end].append(start)
    place = {card: float(row) for column in ordered for row, card in enumerate(column)}
    for sweep in range(_SWEEPS):
        for column in ordered if sweep % 2 == 0 else reversed(ordered):
            middles = {card: _middle(card, neighbours[card], ranks, place, before=sweep % 2 == 0) for card in column}
            column.sort(key=lambda card: (middles[card], card))
            place.update((card, float(row)) for row, card in enumerate(column))
    return ordered


def _middle(
    card: int, neighbours: Iterable[int], ranks: Mapping[int, int], place: Mapping[int, float], *, before: bool
) -> float:
    near = [place[n] for n in neighbours if (ranks[n] < ranks[card]) == before and ranks[n] != ranks[card]]
    return sum(near) / len(near) if near else place[card]


def _split(column: Sequence[int], sizes: Mapping[int, Size], tallest: float) -> list[list[int]]:
    parts: list[list[int]] = [[]]
    height = 0
    for card in column:
        height += sizes[card].height + GAP
        if parts[-1] and height - GAP > tallest:
            parts.append([])
            height = sizes[card].height + GAP
        parts[-1].append(card)
    return parts


def _bands(parts: Sequence[list[int]], sizes: Mapping[int, Size], widest: float) -> list[list[list[int]]]:
    bands: list[list[list[int]]] = [[]]
    width = 0
    for column in parts:
        own = max(sizes[card].width for card in column) + _COLUMN_GAP
        width += own
        if bands[-1] and width - _COLUMN_GAP > widest:
            bands.append([])
            width = own
        bands[-1].append(column)
    return bands
