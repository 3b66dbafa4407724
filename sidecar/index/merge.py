"""Small segments made into one, a few milliseconds at a time, while the index goes on changing."""

import heapq
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from time import monotonic

from sidecar.index.generation import Generation, Part, SegmentRecord
from sidecar.index.postings import LENGTHS, TermInfo, decode
from sidecar.index.segment_file import FIELD_NUMBERS, SegmentReader, SegmentWriter

__all__ = ["Merge"]

_FIELDS = tuple(FIELD_NUMBERS)
_NONE = -1


@dataclass(frozen=True, slots=True)
class _Source:
    part: Part
    reader: SegmentReader
    moved: "array[int]"
    """By the old number of a file its new one, or :data:`_NONE` if it was deleted when the merge began."""


class Merge:
    """One merge of ``parts``; what is deleted from them while it runs is deleted from its result too."""

    def __init__(self, folder: Path, segment: str, parts: Sequence[Part]) -> None:
        """Open the segments.

        Raises:
            Exception: of many kinds, when one is damaged; so does ``step``.

        """
        self.parts = tuple(parts)
        self._sources: list[_Source] = []
        self._writer: SegmentWriter | None = None
        count = 0
        try:
            for part in parts:
                moved = array("i", [_NONE]) * part.segment.count
                for number in range(part.segment.count):
                    if number not in part.segment.deleted:
                        moved[number] = count
                        count += 1
                self._sources.append(_Source(part, SegmentReader(folder, part.id), moved))
            lengths = {field: bytes(self._lengths(field)) for field in _FIELDS}
            self._writer = SegmentWriter(folder, segment, lengths)
        except BaseException:
            self.close()
            raise
        totals = {field: sum(map(LENGTHS.__getitem__, column)) for field, column in lengths.items()}
        self._record = SegmentRecord(segment, count, totals)
        self._terms = self._all_terms()

    def step(self, seconds: float) -> bool:
        """Work for about so long; tell whether all terms are merged."""
        deadline = monotonic() + seconds
        return all(monotonic() <= deadline for _ in self._terms)

    def finish(self, now: Generation) -> Part:
        """Write the rest and return the part that stands for the merged ones in the generation after ``now``."""
        paths = [
            part.paths[n] for part in self.parts for n in range(part.segment.count) if n not in part.segment.deleted
        ]
        try:
            if self._writer is not None:
                self._writer.finish(paths, self._texts())
        finally:
            self.close()
        deleted_now = {part.id: part.segment.deleted for part in now.parts}
        deleted = {
            source.moved[number]
            for source in self._sources
            for number in deleted_now.get(source.part.id, range(source.part.segment.count))
        }
        return Part.of(replace(self._record, deleted=frozenset(deleted - {_NONE})), paths)

    def close(self) -> None:
        """Close all files; a merge that is not finished leaves nothing behind."""
        for source in self._sources:
            source.reader.close()
        if self._writer is not None:
            self._writer.close()

    def _lengths(self, field: str) -> Iterator[int]:
        for source in self._sources:
            column = source.reader.lengths(field, source.part.segment.count)
            yield from (length for length, number in zip(column, source.moved, strict=True) if number != _NONE)

    def _texts(self) -> Iterator[bytes | None]:
        for source in self._sources:
            edges, has_text = source.reader.text_edges(source.part.segment.count)
            for number, moved in enumerate(source.moved):
                if moved != _NONE:
                    yield source.reader.text(edges[number], edges[number + 1]) if has_text[number] else None

    def _all_terms(self) -> Iterator[None]:
        streams = [self._entries(number, source) for number, source in enumerate(self._sources)]
        for (field, term), entries in groupby(heapq.merge(*streams), key=itemgetter(0)):
            self._merge_term(field, term, [(self._sources[number], at) for _, number, at in entries])
            yield
        if self._writer is not None:
            yield from self._writer.end()

    @staticmethod
    def _entries(number: int, source: _Source) -> Iterator[tuple[tuple[int, bytes], int, int]]:
        return ((key, number, at) for key, at in source.reader.terms.all())

    def _merge_term(self, field: int, term: bytes, entries: Sequence[tuple[_Source, int]]) -> None:
        numbers: list[int] = []
        counts: list[int] = []
        values: list[bytes] = []
        for source, at in entries:
            reader = source.reader
            postings = decode(reader.postings(TermInfo.read(reader.terms.data, at)), places=True)
            there = postings.counts or [1.0] * len(postings.numbers)
            for old, count, value in zip(postings.numbers, there, postings.values, strict=True):
                number = source.moved[old]
                if number != _NONE:
                    numbers.append(number)
                    counts.append(int(count))
                    values.append(value)
        if numbers and self._writer is not None:
            self._writer.add(_FIELDS[field], term, numbers, counts, values)
