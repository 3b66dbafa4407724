"""Counts over all segments of the index, by which the weights of terms compare between them."""

from collections.abc import Sequence

from sidecar.index.beginnings import SHORT
from sidecar.index.opened import MOST_BEGINNINGS, OpenedSegment
from sidecar.index.ranking import Bm25, norms

__all__ = ["Counts"]

_MOST_SHORT_BEGINNINGS = 16
"""Words with one or two first letters that may end a phrase: as many as are looked up in another search's time."""


class Counts:
    """Counts over all segments of a generation, by which the weights of terms compare between them."""

    def __init__(self, segments: Sequence[OpenedSegment]) -> None:
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
            most = MOST_BEGINNINGS if len(beginning) > SHORT else _MOST_SHORT_BEGINNINGS
            self._beginnings[key] = tuple(ranked[:most])
        return self._beginnings[key]

    def _norms_of(self, field: str) -> tuple[float, ...]:
        if field not in self._norms:
            words = sum(segment.totals.get(field, 0) for segment in self._segments)
            self._norms[field] = norms(max(words / self._files, 1))
        return self._norms[field]
