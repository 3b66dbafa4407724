"""One segment of the index as a search sees it: scored terms, beginnings, phrases and the catalog's conditions."""

import heapq
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from operator import itemgetter

from sidecar.index.analysis import STEM
from sidecar.index.cache import Cached, PostingsCache
from sidecar.index.generation import Part
from sidecar.index.postings import TermInfo, decode, files_in, positions
from sidecar.index.ranking import Bm25, Scores, norms
from sidecar.index.segment_file import FIELD_NUMBERS, SegmentReader
from sidecar.model.path import VaultPath
from sidecar.model.search import Leaf

__all__ = ["Counts", "Segment", "SegmentFiles"]

_MOST_BEGINNINGS = 64
_MOST_SHORT_BEGINNINGS = 16
"""Words that begin with one or two letters: as many as can be looked up in the time of another search."""
_MOST_REMEMBERED = 4096
_MOST_REMEMBERED_BEGINNINGS = 256
_WORTH_A_TABLE = 256
_JUMPS = 4
"""Looking one file up costs as much as passing so many by."""


class SegmentFiles:
    """What never changes about a segment: its terms, their postings, and the lengths of fields."""

    def __init__(self, reader: SegmentReader, part: Part, cache: PostingsCache) -> None:
        self.numbers = part.numbers
        self.paths = part.paths
        self.totals = part.segment.totals
        self._id = part.id
        self._reader = reader
        self._cache = cache
        self._lengths: dict[str, bytes] = {}
        self._words: dict[str, frozenset[str]] = {}
        self._files_with: dict[str, Mapping[str, int]] = {}
        self._beginnings: dict[tuple[str, str], Mapping[str, int]] = {}

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
            known = dict(heapq.nlargest(2 * _MOST_BEGINNINGS, self._all_beginning_with(*key), key=itemgetter(1)))
            self._beginnings[key] = known
        return known

    def _all_beginning_with(self, field: str, beginning: str) -> Iterator[tuple[str, int]]:
        terms = self._reader.terms
        data = terms.data
        for term, at in terms.beginning_with(field, beginning.encode()):
            yield term.decode(), files_in(data, at)

    def words(self, beginning: str) -> frozenset[str]:
        """Return the words that begin so in any field, also of files deleted since; not the stems."""
        known = self._words.get(beginning)
        if known is None:
            found = (term for field in FIELD_NUMBERS for term, _ in self._all_beginning_with(field, beginning))
            known = frozenset(term for term in found if not term.startswith(STEM))
            if len(beginning) == 1:
                self._words[beginning] = known
        return known

    def postings(self, field: str, term: str, *, places: bool = False) -> Cached | None:
        """Return the postings of a term, with its places in the text when they are wanted."""
        key = (self._id, field, term)
        found = self._cache.get(key)
        if found is not None and (not places or found.postings.values):
            return found
        info = self._info(field, term)
        if info is None:
            return None
        postings = decode(self._reader.postings(info), places=places)
        found = Cached(postings, bytes(map(self.lengths(field).__getitem__, postings.numbers)))
        self._cache.keep(key, found)
        return found

    def lengths(self, field: str) -> bytes:
        """Return the byte for the length of a field in each file."""
        if field not in self._lengths:
            self._lengths[field] = self._reader.lengths(field, len(self.paths))
        return self._lengths[field]

    def close(self) -> None:
        """Close the file."""
        self._reader.close()

    def _info(self, field: str, term: str) -> TermInfo | None:
        terms = self._reader.terms
        at = terms.find(field, term.encode())
        return None if at is None else TermInfo.read(terms.data, at)


class Counts:
    """Counts over all segments of a generation, by which the weights of terms compare between them."""

    def __init__(self, segments: Sequence[SegmentFiles]) -> None:
        self._segments = segments
        self._files = max(sum(len(segment.paths) for segment in segments), 1)
        self._norms: dict[str, tuple[float, ...]] = {}
        self._weights: dict[tuple[str, str], Bm25] = {}
        self._beginnings: dict[tuple[str, str], tuple[str, ...]] = {}

    def weight(self, field: str, term: str) -> Bm25:
        """Return how a term counts in a field."""
        key = (field, term)
        if key not in self._weights:
            files = sum(segment.fields_with(term).get(field, 0) for segment in self._segments)
            self._weights[key] = Bm25(files=self._files, files_with_term=files, norms=self._norms_of(field))
        return self._weights[key]

    def beginning_with(self, field: str, beginning: str) -> tuple[str, ...]:
        """Return the terms of a field that begin so; of many those that stand in most files."""
        key = (field, beginning)
        if key not in self._beginnings:
            files: dict[str, int] = {}
            for segment in self._segments:
                for term, count in segment.beginning_with(field, beginning).items():
                    files[term] = files.get(term, 0) + count
            ranked = sorted(files, key=lambda term: (-files[term], term))
            most = _MOST_BEGINNINGS if len(beginning) > 2 else _MOST_SHORT_BEGINNINGS  # noqa: PLR2004 - letters
            self._beginnings[key] = tuple(ranked[:most])
        return self._beginnings[key]

    def _norms_of(self, field: str) -> tuple[float, ...]:
        if field not in self._norms:
            words = sum(segment.totals.get(field, 0) for segment in self._segments)
            self._norms[field] = norms(max(words / self._files, 1))
        return self._norms[field]


class Segment:
    """A segment at one generation: some of its files are deleted, and each condition has an answer.

    Deleted files may be among what it finds, except with conditions; ``Searcher`` drops them at the end.
    """

    def __init__(
        self,
        files: SegmentFiles,
        deleted: AbstractSet[int],
        counts: Counts,
        conditions: Sequence[tuple[Leaf, frozenset[VaultPath]]],
    ) -> None:
        self._files = files
        self._deleted = deleted
        self._counts = counts
        self._conditions = conditions
        self._met: dict[int, AbstractSet[int]] = {}

    def everything(self) -> AbstractSet[int]:
        """Return all files that are not deleted."""
        return set(range(len(self._files.paths))) - self._deleted

    def meeting(self, leaf: Leaf) -> AbstractSet[int]:
        """Return the files that meet a condition of the catalog."""
        if id(leaf) not in self._met:
            wanted = next(paths for known, paths in self._conditions if known is leaf)
            self._met[id(leaf)] = self.numbered(wanted)
        return self._met[id(leaf)]

    def numbered(self, wanted: AbstractSet[VaultPath]) -> AbstractSet[int]:
        """Return the numbers of files by their paths."""
        numbers = self._files.numbers
        if len(wanted) < len(numbers):
            return {numbers[path] for path in wanted if path in numbers} - self._deleted
        return {number for path, number in numbers.items() if path in wanted} - self._deleted

    def fields_with(self, term: str) -> Mapping[str, int]:
        """Return the fields in which a term stands, each with the number of files it does in."""
        return self._files.fields_with(term)

    def add_term(
        self, found: Scores, field: str, term: str, share: float, among: AbstractSet[int] | None = None
    ) -> None:
        """Add the weight of a term, times ``share``, to the scores of the files that hold it."""
        cached = self._files.postings(field, term)
        if cached is None:
            return
        numbers, weight = cached.postings.numbers, self._counts.weight(field, term)
        if among is not None and _JUMPS * len(among) < len(numbers):
            for number, at in _places_of(sorted(among), numbers):
                count = cached.postings.counts[at] if cached.postings.counts else 1
                found[number] = found.get(number, 0.0) + share * weight(count, cached.lengths[at])
            return
        scores = _scores(cached, weight, share)
        if among is None and not found:
            found.update(zip(numbers, scores, strict=True))
            return
        get = found.get
        for number, score in zip(numbers, scores, strict=True):
            if among is None or number in among:
                found[number] = get(number, 0.0) + score

    def with_beginning(self, field: str, beginning: str, among: AbstractSet[int] | None = None) -> AbstractSet[int]:
        """Return the files that hold a term which begins so."""
        return self._holding(field, self._counts.beginning_with(field, beginning), among)

    def with_phrase(
        self, field: str, terms: Sequence[str], *, open_end: bool, among: AbstractSet[int] | None = None
    ) -> Scores:
        """Return the files that hold terms one after another; with ``open_end`` the last may go on."""
        steps: list[tuple[str, ...]] = [(term,) for term in terms]
        if open_end:
            steps[-1] = self._counts.beginning_with(field, terms[-1])
        candidates = among
        for step in sorted(steps, key=lambda step: sum(self.fields_with(term).get(field, 0) for term in step)):
            candidates = self._holding(field, step, candidates)
            if not candidates:
                return {}
        order = sorted(candidates or ())
        starts = self._where(field, steps[0], order)
        for distance, step in enumerate(steps[1:], 1):
            there = self._where(field, step, [number for number in order if number in starts])
            starts = {
                number: kept
                for number, places in there.items()
                if (kept := [place for place in starts[number] if place + distance in places])
            }
        weights = [self._counts.weight(field, term) for term in terms]
        lengths = self._files.lengths(field)
        return {
            number: sum(weight(len(places), lengths[number]) for weight in weights) for number, places in starts.items()
        }

    def _holding(self, field: str, terms: Iterable[str], among: AbstractSet[int] | None) -> AbstractSet[int]:
        found: set[int] = set()
        for term in terms:
            cached = self._files.postings(field, term)
            if cached is None:
                continue
            numbers = cached.postings.numbers
            if among is not None and _JUMPS * len(among) < len(numbers):
                found.update(number for number, _ in _places_of(sorted(among), numbers))
            else:
                found.update(numbers)
        return found if among is None else found & among

    def _where(self, field: str, terms: Iterable[str], order: Sequence[int]) -> dict[int, Collection[int]]:
        """Return where any of the terms stands in each of these files, by rising number."""
        found: dict[int, Collection[int]] = {}
        for term in terms:
            cached = self._files.postings(field, term, places=True)
            if cached is None:
                continue
            for number, at in _places_of(order, cached.postings.numbers):
                places = positions(cached.postings.values[at])
                found[number] = {*found[number], *places} if number in found else places
        return found


def _scores(cached: Cached, weight: Bm25, share: float) -> Iterable[float]:
    top, norm = weight.top * share, weight.norms
    counts, lengths = cached.postings.counts, cached.lengths
    if counts is not None:
        return [top * count / (count + norm[length]) for count, length in zip(counts, lengths, strict=True)]
    if len(lengths) < _WORTH_A_TABLE:
        return [top / (1 + norm[length]) for length in lengths]
    table = [top / (1 + n) for n in norm]
    return map(table.__getitem__, lengths)


def _places_of(wanted: Sequence[int], numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Go through the wanted numbers that are among ``numbers``, with their places there; both rise."""
    if len(wanted) * _JUMPS > len(numbers):
        places = dict(zip(numbers, range(len(numbers)), strict=True))
        yield from ((number, places[number]) for number in wanted if number in places)
        return
    at = 0
    for number in wanted:
        at = bisect_left(numbers, number, at)
        if at == len(numbers):
            return
        if numbers[at] == number:
            yield number, at
