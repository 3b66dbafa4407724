"""The readers of a search: opened once per segment, kept from one generation to the next."""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path

from sidecar.index.cache import PostingsCache
from sidecar.index.counts import Counts
from sidecar.index.evaluate import evaluate
from sidecar.index.generation import Generation
from sidecar.index.opened import OpenedSegment
from sidecar.index.ranking import Matches, Scores
from sidecar.index.segment import Segment
from sidecar.index.segment_file import SegmentReader
from sidecar.model.path import VaultPath
from sidecar.model.search import Leaf, Query

__all__ = ["Searcher"]


class Searcher:
    """Finds all matches of a query in a generation; one thread at a time may use it."""

    def __init__(self, folder: Path, cache: PostingsCache) -> None:
        self._folder = folder
        self._cache = cache
        self._opened: dict[str, OpenedSegment] = {}
        self._counts = Counts(())
        self._number: int | None = None
        self._words: dict[str, frozenset[str]] = {}
        """By first letter, which misspelt words are asked for."""

    def matches(
        self,
        newest: Callable[[], Generation],
        query: Query,
        fields: Mapping[str, float],
        conditions: Sequence[tuple[Leaf, frozenset[VaultPath]]],
        allowed: frozenset[VaultPath] | None = None,
    ) -> Matches:
        """Return every file that matches and is allowed, with its score, by segment and in no order."""
        found: list[tuple[Sequence[VaultPath], Scores]] = []
        for part in self._open_newest(newest).parts:
            files, deleted = self._opened[part.id], part.segment.deleted
            segment = Segment(files, deleted, self._counts, conditions)
            among = None if allowed is None else segment.numbered(allowed)
            scores = evaluate(query, segment, fields, among)
            found.append((files.paths, _without(scores, deleted)))
        return found

    def words(self, newest: Callable[[], Generation], beginning: str) -> frozenset[str]:
        """Return the words that begin so; see :meth:`OpenedSegment.words`."""
        parts = self._open_newest(newest).parts
        known = self._words.get(beginning)
        if known is None:
            known = frozenset().union(*(self._opened[part.id].words(beginning) for part in parts))
            if len(beginning) == 1:
                self._words[beginning] = known
        return known

    def close(self) -> None:
        """Close all readers; the next search opens them again."""
        self._keep({})
        self._cache.clear()
        self._number = None

    def _open_newest(self, newest: Callable[[], Generation]) -> Generation:
        generation = newest()
        while generation.number != self._number:
            try:
                self._open(generation)
            except FileNotFoundError:
                # A merge may delete files while we open them; then there is a newer generation without them.
                if generation is newest():
                    raise
                generation = newest()
        return generation

    def _open(self, generation: Generation) -> None:
        for part in generation.parts:
            if part.id not in self._opened:
                reader = SegmentReader(self._folder, part.id)
                self._opened[part.id] = OpenedSegment(reader, part, self._cache)
        self._keep({part.id: self._opened[part.id] for part in generation.parts})
        self._counts = Counts(tuple(self._opened.values()))
        self._number = generation.number

    def _keep(self, kept: dict[str, OpenedSegment]) -> None:
        for name, files in self._opened.items():
            if name not in kept:
                files.close()
        self._opened = kept
        self._words.clear()


def _without(scores: Scores, deleted: AbstractSet[int]) -> Scores:
    if len(deleted) > len(scores):
        return {number: score for number, score in scores.items() if number not in deleted}
    for number in deleted:
        scores.pop(number, None)
    return scores
