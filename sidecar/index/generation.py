"""The state of the index after one commit: its segments, and which file has which number."""

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from sidecar.model.path import VaultPath

__all__ = ["Generation", "Part", "SegmentRecord"]

_SMALL = 500
_SMALL_KEPT = 8
_MERGED = 1000
_MOST_AT_ONCE = 32
"""Segments merged at once: as many as can be opened, and deleted afterwards, while an agent waits for it."""


@dataclass(frozen=True, slots=True)
class SegmentRecord:
    """What the table of contents says of a segment."""

    id: str
    count: int
    """Files in it, those that are deleted too."""
    totals: Mapping[str, int]
    """How many words each field has in all its files together."""
    deleted: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Part:
    """A segment with the paths of its files, and their numbers; those that are deleted are among both."""

    segment: SegmentRecord
    paths: tuple[VaultPath, ...]
    numbers: Mapping[VaultPath, int]

    @classmethod
    def of(cls, segment: SegmentRecord, paths: Iterable[VaultPath]) -> "Part":
        """Make the part of a segment whose files are these, by number."""
        paths = tuple(paths)
        deleted = segment.deleted
        return cls(segment, paths, {path: number for number, path in enumerate(paths) if number not in deleted})

    @property
    def id(self) -> str:
        """The name that stays the same from one generation to the next."""
        return self.segment.id

    @property
    def live(self) -> int:
        """How many of its files are not deleted."""
        return self.segment.count - len(self.segment.deleted)

    def held(self) -> Iterator[VaultPath]:
        """Go through its files that are not deleted."""
        deleted = self.segment.deleted
        return (path for path, number in self.numbers.items() if number not in deleted)

    def without(self, gone: AbstractSet[VaultPath]) -> "Part":
        """Return it with these files deleted, of which it may hold none."""
        deleted = self.segment.deleted
        dead = deleted.union(self.numbers[path] for path in gone if path in self.numbers)
        return self if len(dead) == len(deleted) else replace(self, segment=replace(self.segment, deleted=dead))


@dataclass(frozen=True, slots=True)
class Generation:
    """All segments after one commit."""

    number: int
    parts: tuple[Part, ...]

    def paths(self) -> Iterator[VaultPath]:
        """Go through the files that can be found."""
        return (path for part in self.parts for path in part.held())

    def next(
        self, gone: AbstractSet[VaultPath] = frozenset(), fresh: Part | None = None, merged: Iterable[Part] = ()
    ) -> "Generation":
        """Return the generation after a commit.

        The files ``gone`` are deleted from all parts but ``fresh``, which comes to them and may stand for those
        ``merged``; parts without files are left out.
        """
        replaced = {part.id for part in merged}
        parts = [part.without(gone) for part in self.parts if part.id not in replaced]
        return Generation(self.number + 1, tuple(part for part in (*parts, fresh) if part and part.live))

    def mergeable(self) -> tuple[Part, ...]:
        """Return the small segments to make one of, or none while they are few.

        The smallest are taken, as long as none is much larger than those before it together: a segment of hundreds of
        files is not written again for the sake of one.
        """
        small = sorted((part for part in self.parts if part.live < _SMALL), key=lambda part: part.live)
        if len(small) <= _SMALL_KEPT:
            return ()
        chosen = small[:2]
        for part in small[2:]:
            files = sum(p.live for p in chosen)
            if len(chosen) == _MOST_AT_ONCE or part.live > 2 * files or files + part.live > _MERGED:
                break
            chosen.append(part)
        return tuple(part for part in self.parts if part in chosen)
