"""One segment of the index as a search sees it: scored terms, beginnings, phrases and the catalog's conditions."""

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import accumulate, chain, compress, repeat
from operator import rshift, sub

from sidecar.index.beginnings import SHORT
from sidecar.index.cache import Cached
from sidecar.index.counts import Counts
from sidecar.index.occurrences import SHIFT
from sidecar.index.opened import OpenedSegment
from sidecar.index.ranking import Scores, add_scores
from sidecar.model.path import VaultPath
from sidecar.model.search import Leaf

__all__ = ["Segment"]

_ANY_OF, _ONE_AFTER_ANOTHER, _BETWEEN, _EITHER, _ALL_THAT_BEGIN = "\x02", "\x03", "\x04", "\x05", "\x06"
"""They stand in no term: what is kept of several terms has a name made of theirs."""
_JUMPS = 4
"""Looking one file up costs as much as passing so many by."""


class Segment:
    """A segment at one generation: some of its files are deleted, and each condition has an answer.

    Deleted files may be among what it finds, except with conditions; ``Searcher`` drops them at the end.
    """

    def __init__(
        self,
        files: OpenedSegment,
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
            key = (field, _ALL_THAT_BEGIN + beginning)
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
