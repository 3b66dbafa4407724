"""The readers of a search: opened once per segment, kept from one generation to the next."""

from collections.abc import Callable, Mapping, Sequence

from sidecar.index.evaluate import evaluate
from sidecar.index.generation import Generation, Part
from sidecar.index.segment import Counts, Reader, Segment, SegmentFiles
from sidecar.model.path import VaultPath
from sidecar.model.search import Leaf, Query

__all__ = ["Searcher"]


class Searcher:
    """Finds all matches of a query in a generation; one thread at a time may use it."""

    def __init__(self, open_reader: Callable[[Part], Reader]) -> None:
        self._open_reader = open_reader
        self._opened: dict[str, SegmentFiles] = {}
        self._counts = Counts(())
        self._number: int | None = None

    def matches(
        self,
        newest: Callable[[], Generation],
        query: Query,
        fields: Mapping[str, float],
        conditions: Sequence[tuple[Leaf, frozenset[VaultPath]]],
    ) -> list[tuple[VaultPath, float]]:
        """Return every file that matches, with its score, in no order."""
        found: list[tuple[VaultPath, float]] = []
        for part in self._open_newest(newest).parts:
            files = self._opened[part.id]
            scores = evaluate(query, Segment(files, part.live, self._counts, conditions), fields)
            found += ((files.paths[number], score) for number, score in scores.items())
        return found

    def close(self) -> None:
        """Close all readers; the next search opens them again."""
        self._keep({})
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
                self._opened[part.id] = SegmentFiles(self._open_reader(part), part.paths, part.numbers)
        self._keep({part.id: self._opened[part.id] for part in generation.parts})
        self._counts = Counts(tuple(self._opened.values()))
        self._number = generation.number

    def _keep(self, kept: dict[str, SegmentFiles]) -> None:
        for name, files in self._opened.items():
            if name not in kept:
                files.reader.close()
        self._opened = kept
