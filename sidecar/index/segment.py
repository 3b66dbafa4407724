"""One segment of the index as a search sees it: scored terms, beginnings, phrases and the catalog's conditions."""

import heapq
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import accumulate, chain, compress, repeat
from operator import itemgetter, rshift, sub

from sidecar.index.analysis import STEM
from sidecar.index.beginnings import SHORT, BeginningReader
from sidecar.index.cache import Cached, PostingsCache
from sidecar.index.generation import Part
from sidecar.index.occurrences import SHIFT, Occurrences
from sidecar.index.postings import TermInfo, decode, files_in
from sidecar.index.ranking import Bm25, Scores, add_scores, norms
from sidecar.index.segment_file import FIELD_NUMBERS, SegmentReader
from sidecar.model.path import VaultPath
from sidecar.model.search import Leaf

__all__ = ["Counts", "Segment", "SegmentFiles"]

_MOST_BEGINNINGS = 64
_MOST_SHORT_BEGINNINGS = 16
"""Words with one or two first letters that may end a phrase: as many as are looked up in another search's time."""
_MOST_REMEMBERED = 4096
_MOST_NUMBERED = 16
_MOST_REMEMBERED_BEGINNINGS = 256
_ANY_OF, _ONE_AFTER_ANOTHER, _BETWEEN, _EITHER = "\x02", "\x03", "\x04", "\x05"
"""They stand in no term: what is kept of several terms has a name made of theirs."""
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
            chosen = heapq.nlargest(2 * _MOST_BEGINNINGS, every, key=itemgetter(0))
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

    def numbered(self, wanted: frozenset[VaultPath]) -> AbstractSet[int]:
        """Return the numbers of files by their paths."""
        found = self._files.numbered(wanted)
        return found - self._deleted if self._deleted else found

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
        numbers, counts, lengths = cached.numbers, cached.counts, self._files.lengths(field)
        weight = self._counts.weight(field, term)
        get = found.get
        if among is None:
            fresh = dict(zip(numbers, weight.of_all(numbers, counts, lengths, share), strict=True))
            add_scores(found, fresh)
        elif _JUMPS * len(among) < len(numbers):
            for number, at in _places_of(sorted(among), numbers):
                count = counts[at] if counts else 1
                found[number] = get(number, 0.0) + share * weight(count, lengths[number])
        else:
            every = zip(numbers, counts or repeat(1, len(numbers)), strict=True)
            for number, count in compress(every, map(among.__contains__, numbers)):
                found[number] = get(number, 0.0) + share * weight(count, lengths[number])

    def with_beginning(self, field: str, beginning: str, among: AbstractSet[int] | None = None) -> Collection[int]:
        """Return the files that hold a word which begins so; of very many only the most frequent are looked up."""
        if len(beginning) == SHORT:
            key = (field, _ANY_OF + beginning)
            short = self._files.derived(key, lambda: Cached(self._files.with_short_beginning(field, beginning), None))
            return short.numbers if among is None else list(filter(among.__contains__, short.numbers))
        terms = self._counts.beginning_with(field, beginning)
        if not terms:
            return ()

        def together() -> Cached:
            found: set[int] = set()
            for term in terms:
                cached = self._files.postings(field, term)
                if cached is not None:
                    found.update(cached.numbers)
            return Cached(array("I", found), None)

        found = self._files.derived((field, _ANY_OF + _BETWEEN.join(terms)), together).numbers
        return found if among is None else list(filter(among.__contains__, found))

    def with_phrase(
        self, field: str, terms: Sequence[str], *, open_end: bool, among: AbstractSet[int] | None = None
    ) -> Scores:
        """Return the files that hold terms one after another; with ``open_end`` the last may go on."""
        steps: list[tuple[str, ...]] = [(term,) for term in terms]
        if open_end:
            steps[-1] = self._counts.beginning_with(field, terms[-1])
        if not all(any(field in self._files.fields_with(term) for term in step) for step in steps):
            return {}
        if among is not None:
            counts = self._phrases(field, steps, among)
        else:
            key = (field, _ONE_AFTER_ANOTHER + _BETWEEN.join(map(_EITHER.join, steps)))
            cached = self._files.derived(key, lambda: _counted(self._phrases(field, steps, None)))
            counts = dict(zip(cached.numbers, cached.counts or (), strict=True))
        weights = [self._counts.weight(field, term) for term in terms]
        lengths = self._files.lengths(field)
        return {number: sum(weight(count, lengths[number]) for weight in weights) for number, count in counts.items()}

    def _phrases(
        self, field: str, steps: Sequence[tuple[str, ...]], among: AbstractSet[int] | None
    ) -> Mapping[int, float]:
        """Return how often in each file terms stand one after another, at each place one of several."""
        if all(len(step) == 1 for step in steps):
            return self._words_in_order(field, [term for (term,) in steps], among)
        frequency = [sum(self._files.fields_with(term).get(field, 0) for term in step) for step in steps]
        begins: set[int] | None = None
        # The rarest first: of the others only the places in the files that are left matter.
        for distance in sorted(range(len(steps)), key=frequency.__getitem__):
            files = among if begins is None else set(map(rshift, begins, repeat(SHIFT)))
            found = (self._files.postings(field, term, places=True) for term in steps[distance])
            places = chain.from_iterable(one.occurrences.keys(files) for one in found if one and one.occurrences)
            there = map(sub, places, repeat(distance)) if distance else places
            begins = set(there) if begins is None else begins.intersection(there)
            if not begins:
                return {}
        return Counter(map(rshift, begins or (), repeat(SHIFT)))

    def _words_in_order(self, field: str, terms: Sequence[str], among: AbstractSet[int] | None) -> Mapping[int, float]:
        cached = [self._files.postings(field, term, places=True) for term in terms]
        found = [(one.numbers, one.occurrences) for one in cached if one and one.occurrences]
        if len(found) < len(terms):
            return {}
        # Most files do not hold all of the words, and of those the places need not be read.
        rarest, *rest = sorted((numbers for numbers, _ in found), key=len)
        files = set(rarest).intersection(*rest)
        if among is not None:
            files &= among
        if not files:
            return {}
        first, *others = (occurrences.steps(files) for _, occurrences in found)
        begins = map(set, map(accumulate, first))
        for distance, steps in enumerate(others, 1):
            for each in steps:
                each[0] -= distance
            begins = map(set.intersection, begins, map(accumulate, steps))
        numbered = zip(filter(files.__contains__, found[0][0]), begins, strict=True)
        return {number: len(there) for number, there in numbered if there}


def _counted(counts: Mapping[int, float]) -> Cached:
    return Cached(array("I", counts), array("f", counts.values()))


def _places_of(wanted: Sequence[int], numbers: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Go through the wanted numbers that are among ``numbers``, with their places there; both rise."""
    at = 0
    for number in wanted:
        at = bisect_left(numbers, number, at)
        if at == len(numbers):
            return
        if numbers[at] == number:
            yield number, at
