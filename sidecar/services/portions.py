"""A reply's room, shared out among those who want some of it."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

__all__ = ["fitting", "portions", "weight"]

T = TypeVar("T")


def portions(room: int, wants: Sequence[int]) -> tuple[int, ...]:
    """Share out ``room``: small wants are met whole, the others get equal parts of what these leave."""
    shares = [0] * len(wants)
    left = room
    for rank, index in enumerate(sorted(range(len(wants)), key=wants.__getitem__)):
        shares[index] = min(wants[index], max(0, left) // (len(wants) - rank))
        left -= shares[index]
    return tuple(shares)


def fitting(items: Iterable[T], room: int, weigh: Callable[[T], int]) -> tuple[T, ...]:
    """Return the first items whose weights together fit."""
    kept = []
    for item in items:
        room -= weigh(item)
        if room < 0:
            break
        kept.append(item)
    return tuple(kept)


def weight(*texts: str) -> int:
    """Return how many characters these texts take in JSON, the longer of the two forms of a reply."""
    return sum(len(json.dumps(text, ensure_ascii=False)) for text in texts)
