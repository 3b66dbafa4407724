"""One segment of the index as a search sees it: scored terms, beginnings, phrases and the catalog's conditions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Protocol

from sidecar.index.ranking import Bm25
from sidecar.model.path import VaultPath
from sidecar.model.search import Leaf

__all__ = ["Counts", "Reader", "Segment", "SegmentFiles"]


class _Matcher(Protocol):
    def is_active(self) -> bool: ...
    def id(self) -> int: ...
    def weight(self) -> float: ...
    def next(self) -> object: ...
    def skip_to(self, docnum: int, /) -> object: ...
    def all_ids(self) -> Iterable[int]: ...
    def value_as(self, astype: str, /) -> list[int]: ...


class Reader(Protocol):
    """What is asked of the engine's reader of one segment."""

    def __contains__(self, term: tuple[str, str]) -> bool: ...
    def postings(self, fieldname: str, text: str, /) -> _Matcher: ...
    def expand_prefix(self, fieldname: str, prefix: str, /) -> Iterator[bytes]: ...
    def doc_frequency(self, fieldname: str, text: str, /) -> float: ...
    def field_length(self, fieldname: str, /) -> int: ...
    def doc_field_length(self, docnum: int, fieldname: str, default: int, /) -> int | None: ...
    def close(self) -> None: ...


class SegmentFiles:
    """What never changes about a segment: its reader, the paths by number, and the lengths of their fields."""

    def __init__(self, reader: Reader, paths: Sequence[VaultPath], numbers: Mapping[VaultPath, int]) -> None:
        self.reader = reader
        self.paths = paths
        self.numbers = numbers
        self._lengths: dict[str, list[int]] = {}

    def lengths(self, field: str) -> Sequence[int]:
        """Return the length of a field in each file, never 0."""
        if field not in self._lengths:
            length = self.reader.doc_field_length
            self._lengths[field] = [length(number, field, 1) or 1 for number in range(len(self.paths))]
        return self._lengths[field]


class Counts:
    """Counts over all segments, by which the weights of terms compare between them."""

    def __init__(self, segments: Sequence[SegmentFiles]) -> None:
        self._readers = tuple(segment.reader for segment in segments)
        self._files = max(sum(len(segment.paths) for segment in segments), 1)
        self._weights: dict[tuple[str, str], Bm25] = {}

    def weight(self, field: str, term: str) -> Bm25:
        """Return how a term counts in a field."""
        key = (field, term)
        if key not in self._weights:
            self._weights[key] = Bm25(
                files=self._files,
                files_with_term=sum(reader.doc_frequency(field, term) for reader in self._readers),
                mean_length=max(sum(reader.field_length(field) for reader in self._readers) / self._files, 1),
            )
        return self._weights[key]


class Segment:
    """A segment at one generation: some of its files are deleted, and each condition has an answer."""

    def __init__(
        self,
        files: SegmentFiles,
        live: AbstractSet[int],
        counts: Counts,
        conditions: Sequence[tuple[Leaf, frozenset[VaultPath]]],
    ) -> None:
        self._files = files
        self._reader = files.reader
        self._counts = counts
        self._conditions = conditions
        self._live = live

    def everything(self) -> AbstractSet[int]:
        """Return all files that are not deleted."""
        return self._live

    def meeting(self, leaf: Leaf) -> AbstractSet[int]:
        """Return the files that meet a condition of the catalog."""
        wanted = next(paths for known, paths in self._conditions if known is leaf)
        numbers = self._files.numbers
        if len(wanted) < len(numbers):
            found = {numbers[path] for path in wanted if path in numbers}
        else:
            found = {number for path, number in numbers.items() if path in wanted}
        return found & self._live

    def with_term(self, field: str, term: str) -> Mapping[int, float]:
        """Return the files that hold a term, with its weight there."""
        matcher = self._matcher(field, term)
        if matcher is None:
            return {}
        weight = self._counts.weight(field, term)
        lengths, live = self._files.lengths(field), self._live
        found: dict[int, float] = {}
        while matcher.is_active():
            number = matcher.id()
            if number in live:
                found[number] = weight(matcher.weight(), lengths[number])
            matcher.next()
        return found

    def with_beginning(self, field: str, beginning: str) -> AbstractSet[int]:
        """Return the files that hold a term which begins so."""
        return self._holding(field, self._beginning(field, beginning)) & self._live

    def with_phrase(self, field: str, terms: Sequence[str], *, open_end: bool) -> Mapping[int, float]:
        """Return the files that hold terms one after another; with ``open_end`` the last may go on."""
        steps: list[tuple[str, ...]] = [(term,) for term in terms]
        if open_end:
            steps[-1] = tuple(self._beginning(field, terms[-1]))
        candidates: AbstractSet[int] = self._live
        for step in steps:
            candidates = candidates & self._holding(field, step)
            if not candidates:
                return {}
        order = sorted(candidates)
        starts = self._positions(field, steps[0], order, 0)
        for distance, step in enumerate(steps[1:], 1):
            there = self._positions(field, step, order, distance)
            starts = {number: where & there[number] for number, where in starts.items()}
        weights = [self._counts.weight(field, term) for term in terms]
        lengths = self._files.lengths(field)
        return {
            number: sum(weight(len(where), lengths[number]) for weight in weights)
            for number, where in starts.items()
            if where
        }

    def _matcher(self, field: str, term: str) -> _Matcher | None:
        return self._reader.postings(field, term) if (field, term) in self._reader else None

    def _beginning(self, field: str, beginning: str) -> Iterator[str]:
        return (term.decode() for term in self._reader.expand_prefix(field, beginning))

    def _holding(self, field: str, terms: Iterable[str]) -> set[int]:
        found: set[int] = set()
        for term in terms:
            matcher = self._matcher(field, term)
            if matcher is not None:
                found.update(matcher.all_ids())
        return found

    def _positions(self, field: str, terms: Iterable[str], order: Sequence[int], distance: int) -> dict[int, set[int]]:
        """Return where any of the terms stands in each file, moved back by its distance from the phrase's start."""
        found: dict[int, set[int]] = {number: set() for number in order}
        for term in terms:
            matcher = self._matcher(field, term)
            for number in order:
                if matcher is None or not matcher.is_active():
                    break
                matcher.skip_to(number)
                if matcher.is_active() and matcher.id() == number:
                    found[number].update(place - distance for place in matcher.value_as("positions"))
        return found
