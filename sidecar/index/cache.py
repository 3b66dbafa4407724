"""The postings that searches read last, in a bounded amount of memory."""

from array import array
from collections import OrderedDict
from dataclasses import dataclass
from typing import TypeAlias

from sidecar.index.occurrences import Occurrences

__all__ = ["Cached", "PostingsCache"]

_LIMIT = 32_000_000
_ENTRY_SIZE = 500

Key: TypeAlias = tuple[str, str, str]
"""Segment, field and term. Segments never change, so what is kept is never stale."""


@dataclass(frozen=True, slots=True)
class Cached:
    """The files of a term, how often it stands in each, and where if that was asked for."""

    numbers: "array[int]"
    counts: "array[float] | None"
    """``None`` when once in all."""
    occurrences: Occurrences | None = None

    @property
    def size(self) -> int:
        """About how many bytes of memory it takes."""
        return _ENTRY_SIZE + 8 * len(self.numbers) + (self.occurrences.size if self.occurrences else 0)


class PostingsCache:
    """Keeps what was used last; one thread at a time may use it."""

    def __init__(self, limit: int = _LIMIT) -> None:
        self._limit = limit
        self._size = 0
        self._kept: OrderedDict[Key, tuple[Cached, int]] = OrderedDict()

    def get(self, key: Key) -> Cached | None:
        """Return what is kept under a key."""
        found = self._kept.get(key)
        if found is None:
            return None
        self._kept.move_to_end(key)
        return found[0]

    def keep(self, key: Key, cached: Cached) -> None:
        """Keep it, and give up what was not used for longest."""
        _, before = self._kept.pop(key, (None, 0))
        size = cached.size
        self._kept[key] = cached, size
        self._size += size - before
        while self._size > self._limit:
            _, (_, freed) = self._kept.popitem(last=False)
            self._size -= freed

    def clear(self) -> None:
        """Give up everything."""
        self._kept.clear()
        self._size = 0
