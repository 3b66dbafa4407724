"""The state of the index after one commit: its segments, and which file has which number."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Protocol

from sidecar.model.path import VaultPath

__all__ = ["Generation", "Part", "SegmentRecord"]

_SMALL = 500
_SMALL_KEPT = 8
_MERGED = 1000
"""A merge takes about two milliseconds a file."""


class SegmentRecord(Protocol):
    """What the engine's table of contents says of a segment."""

    def segment_id(self) -> str: ...
    def doc_count_all(self) -> int: ...
    def deleted_count(self) -> int: ...
    def deleted_docs(self) -> "Iterator[int] | tuple[int, ...]": ...


@dataclass(frozen=True, slots=True)
class Part:
    """A segment with the paths of its files; ``live`` are the numbers that are not deleted."""

    segment: SegmentRecord
    paths: tuple[VaultPath, ...]
    numbers: Mapping[VaultPath, int]
    live: frozenset[int]

    @classmethod
    def of(cls, segment: SegmentRecord, paths: tuple[VaultPath, ...]) -> "Part":
        """Make the part of a segment whose files are these, by number."""
        numbers = {path: number for number, path in enumerate(paths)}
        return cls(segment, paths, numbers, frozenset(range(len(paths))).difference(segment.deleted_docs()))

    @property
    def id(self) -> str:
        """The name that stays the same from one generation to the next."""
        return self.segment.segment_id()

    def at(self, segment: SegmentRecord) -> "Part":
        """Return it as a later generation has it, with more files deleted."""
        if segment.deleted_count() == self.segment.deleted_count():
            return replace(self, segment=segment)
        return replace(self, segment=segment, live=self.live.difference(segment.deleted_docs()))


@dataclass(frozen=True, slots=True)
class Generation:
    """All segments after one commit, in the engine's order."""

    number: int
    parts: tuple[Part, ...]

    def paths(self) -> Iterator[VaultPath]:
        """Go through the files that can be found."""
        return (part.paths[number] for part in self.parts for number in part.live)

    def numbers_of(self, paths: AbstractSet[VaultPath]) -> Iterator[int]:
        """Go through the engine's numbers of these files, which count on from segment to segment."""
        first = 0
        for part in self.parts:
            known = (part.numbers[path] for path in paths if path in part.numbers)
            yield from (first + number for number in known if number in part.live)
            first += len(part.paths)

    def next(self, number: int, segments: Sequence[SegmentRecord], fresh: tuple[VaultPath, ...]) -> "Generation":
        """Return the generation after a commit; the one segment that is new holds the files ``fresh``."""
        known = {part.id: part for part in self.parts}
        parts = (known[s.segment_id()].at(s) if s.segment_id() in known else Part.of(s, fresh) for s in segments)
        return Generation(number, tuple(parts))

    def mergeable(self) -> tuple[Part, ...]:
        """Return the small segments to make one of, or none while they are few.

        The smallest are taken, as long as none is much larger than those before it together: a segment of hundreds of
        files is not written again for the sake of one.
        """
        small = sorted((part for part in self.parts if len(part.live) < _SMALL), key=lambda part: len(part.live))
        if len(small) <= _SMALL_KEPT:
            return ()
        chosen = small[:2]
        for part in small[2:]:
            files = sum(len(p.live) for p in chosen)
            if len(part.live) > 2 * files or files + len(part.live) > _MERGED:
                break
            chosen.append(part)
        return tuple(part for part in self.parts if part in chosen)
