"""What never changes about a segment of the index, kept from one search to the next."""

import heapq
from array import array
from collections.abc import Callable, Mapping
from operator import itemgetter

from sidecar.index.analysis import STEM
from sidecar.index.beginnings import BeginningReader
from sidecar.index.cache import Cached, PostingsCache
from sidecar.index.generation import Part
from sidecar.index.occurrences import Occurrences
from sidecar.index.postings import TermInfo, decode, files_in
from sidecar.index.segment_file import FIELD_NUMBERS, SegmentReader
from sidecar.model.path import VaultPath

__all__ = ["MOST_BEGINNINGS", "OpenedSegment"]

MOST_BEGINNINGS = 64
"""Of very many words that begin alike so many are looked up, those in most files."""
_MOST_REMEMBERED = 4096
_MOST_NUMBERED = 16
_MOST_REMEMBERED_BEGINNINGS = 256


class OpenedSegment:
    """What never changes about a segment: its terms, their postings, and the lengths of fields."""

    def __init__(self, reader: SegmentReader, part: Part, cache: PostingsCache) -> None:
        self.numbers = part.numbers
        self.paths = part.paths
        self.totals = part.segment.totals
        self._id = part.id
        self._reader = reader
        self._cache = cache
        self._lengths: dict[str, bytes] = {}
        self._short: BeginningReader | None = None
        self._words: dict[str, frozenset[str]] = {}
        self._files_with: dict[str, Mapping[str, int]] = {}
        self._beginnings: dict[tuple[str, str], Mapping[str, int]] = {}
        self._infos: dict[tuple[str, str], TermInfo] = {}
        self._numbered: dict[frozenset[VaultPath], frozenset[int]] = {}

    def fields_with(self, term: str) -> Mapping[str, int]:
        """Return the fields in which a term stands, each with the number of files it does in."""
        known = self._files_with.get(term)
        if known is None:
            if len(self._files_with) >= _MOST_REMEMBERED:
                self._files_with.clear()
            found = ((field, self._info(field, term)) for field in FIELD_NUMBERS)
            known = self._files_with[term] = {field: info.files for field, info in found if info}
        return known

    def beginning_with(self, field: str, beginning: str) -> Mapping[str, int]:
        """Return the terms of a field that begin so, of very many the most frequent, with the number of their files."""
        key = (field, beginning)
        known = self._beginnings.get(key)
        if known is None:
            if len(self._beginnings) >= _MOST_REMEMBERED_BEGINNINGS:
                self._beginnings.clear()
            terms = self._reader.terms
            data = terms.data
            every = ((files_in(data, at), term, at) for term, at in terms.beginning_with(field, beginning.encode()))
            chosen = heapq.nlargest(2 * MOST_BEGINNINGS, every, key=itemgetter(0))
            known = self._beginnings[key] = {term.decode(): files for files, term, _ in chosen}
            for _, term, at in chosen:
                self._remember(field, term.decode(), at)
        return known

    def with_short_beginning(self, field: str, beginning: str) -> "array[int]":
        """Return the files, in no order, that hold any word which begins with these two characters."""
        if self._short is None:
            self._short = self._reader.beginnings(len(self.paths))
        begin, size = self._short.find(field, beginning)
        return self._short.numbers(self._reader.files_with_beginning(begin, size) if size else b"")

    def words(self, beginning: str) -> frozenset[str]:
        """Return the words that begin so in any field, also of files deleted since; not the stems."""
        known = self._words.get(beginning)
        if known is None:
            begin, stems = beginning.encode(), STEM.encode()
            every = (term for field in FIELD_NUMBERS for term, _ in self._reader.terms.beginning_with(field, begin))
            known = frozenset(term.decode() for term in every if not term.startswith(stems))
            if len(beginning) == 1:
                self._words[beginning] = known
        return known

    def postings(self, field: str, term: str, *, places: bool = False) -> Cached | None:
        """Return the postings of a term, with its places in the text when they are wanted."""
        key = (self._id, field, term)
        found = self._cache.get(key)
        if found is not None and (not places or found.occurrences):
            return found
        info = self._info(field, term)
        if info is None:
            return None
        read = decode(self._reader.postings(info), places=places)
        found = Cached(read.numbers, read.counts, Occurrences(read.numbers, read.values) if places else None)
        self._cache.keep(key, found)
        return found

    def derived(self, key: tuple[str, str], made: Callable[[], Cached]) -> Cached:
        """Return what was made of postings under a key of a field and no term, or make it and keep it with them."""
        known = self._cache.get((self._id, *key))
        if known is None:
            known = made()
            self._cache.keep((self._id, *key), known)
        return known

    def lengths(self, field: str) -> bytes:
        """Return the byte for the length of a field in each file."""
        if field not in self._lengths:
            self._lengths[field] = self._reader.lengths(field, len(self.paths))
        return self._lengths[field]

    def close(self) -> None:
        """Close the file."""
        self._reader.close()

    def numbered(self, wanted: frozenset[VaultPath]) -> frozenset[int]:
        """Return the numbers of files by their paths, of those deleted since too."""
        known = self._numbered.get(wanted)
        if known is None:
            if len(self._numbered) >= _MOST_NUMBERED:
                self._numbered.clear()
            if len(wanted) < len(self.numbers):
                known = frozenset(self.numbers[path] for path in wanted if path in self.numbers)
            else:
                known = frozenset(number for path, number in self.numbers.items() if path in wanted)
            self._numbered[wanted] = known
        return known

    def _info(self, field: str, term: str) -> TermInfo | None:
        known = self._infos.get((field, term))
        if known is None:
            terms = self._reader.terms
            at = terms.find(field, term.encode())
            known = None if at is None else self._remember(field, term, at)
        return known

    def _remember(self, field: str, term: str, at: int) -> TermInfo:
        if len(self._infos) >= _MOST_REMEMBERED:
            self._infos.clear()
        info = self._infos[field, term] = TermInfo.read(self._reader.terms.data, at)
        return info
