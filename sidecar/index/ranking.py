"""How much a match counts, as data, and which page of the matches is asked for."""

import heapq
import math
from collections.abc import Iterable, Mapping

from sidecar.model.path import VaultPath
from sidecar.model.search import Hit, Hits

__all__ = ["ALL_FIELDS", "BEGINNING", "INFLECTED", "TITLE_FIELDS", "Bm25", "page_of"]

ALL_FIELDS: Mapping[str, float] = {"title": 8, "alias": 6, "heading": 4, "tag": 4, "property": 1, "body": 1}
TITLE_FIELDS: Mapping[str, float] = {"title": 8, "alias": 6}
INFLECTED = 0.5
"""A word with the same stem counts this much of the word itself."""
BEGINNING = 0.25
"""A word that only begins with what was typed counts this much, however rare it is."""

_K1 = 1.2
_B = 0.75
_PLACES = 6


class Bm25:
    """The weight of one term in one field, by how often it stands there and how long the field is."""

    __slots__ = ("_flat", "_slope", "_top")

    def __init__(self, *, files: int, files_with_term: float, mean_length: float) -> None:
        """Prepare the constants from counts over the whole index."""
        self._top = (math.log(files / (files_with_term + 1)) + 1) * (_K1 + 1)
        self._flat = _K1 * (1 - _B)
        self._slope = _K1 * _B / mean_length

    def __call__(self, count: float, length: int) -> float:
        """Return the weight for a file in which the field has this length and the term this count."""
        return self._top * count / (count + self._flat + self._slope * length)


def page_of(matches: Iterable[tuple[VaultPath, float]], offset: int, limit: int) -> Hits:
    """Return one page of the ranking; files with equal scores stand in the order of their paths."""
    ranked = [(-round(score, _PLACES), path) for path, score in matches]
    best = heapq.nsmallest(offset + limit, ranked)[offset:]
    return Hits(tuple(Hit(path, -score) for score, path in best), len(ranked))
