"""How much a match counts, as data, and which page of the matches is asked for."""

import heapq
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

from sidecar.index.postings import LENGTHS
from sidecar.model.path import VaultPath
from sidecar.model.search import Hit, Hits

__all__ = [
    "ALL_FIELDS",
    "BEGINNING",
    "BODY_FIELDS",
    "INFLECTED",
    "TITLE_FIELDS",
    "Bm25",
    "Matches",
    "Scores",
    "add_scores",
    "norms",
    "page_of",
]

Scores: TypeAlias = dict[int, float]
"""Numbers of the files of a segment that match, with their scores."""
Matches: TypeAlias = Sequence[tuple[Sequence[VaultPath], Scores]]
"""For each segment its paths by number, and what matches in it."""

ALL_FIELDS: Mapping[str, float] = {"title": 8, "alias": 6, "heading": 4, "tag": 4, "property": 1, "body": 1}
TITLE_FIELDS: Mapping[str, float] = {"title": 8, "alias": 6}
BODY_FIELDS: Mapping[str, float] = {"body": 1}
INFLECTED = 0.5
"""A word with the same stem counts this much of the word itself."""
BEGINNING = 0.25
"""A word that only begins with what was typed counts this much, however rare it is."""

_K1 = 1.2
_B = 0.75
_WORTH_A_TABLE = 256
_PLACES = 6


def norms(mean_length: float) -> tuple[float, ...]:
    """Return for each byte of a field's length by how much a longer field weakens a match in it."""
    flat, slope = _K1 * (1 - _B), _K1 * _B / mean_length
    return tuple(flat + slope * max(length, 1) for length in LENGTHS)


class Bm25:
    """The weight of one term in one field: ``top * count / (count + norms[length])``."""

    __slots__ = ("norms", "top")

    def __init__(self, *, files: int, files_with_term: int, norms: Sequence[float]) -> None:
        """Prepare the constants from counts over the whole index."""
        self.top = (math.log(files / (files_with_term + 1)) + 1) * (_K1 + 1)
        self.norms = norms

    def __call__(self, count: float, length: int) -> float:
        """Return the weight in a file where the term stands ``count`` times and ``length`` is the field's byte."""
        return self.top * count / (count + self.norms[length])

    def of_all(
        self, numbers: Sequence[int], counts: Sequence[float] | None, lengths: bytes, share: float
    ) -> Iterable[float]:
        """Return the weights, times ``share``, in files where the term stands so often, once without ``counts``."""
        top, norm = self.top * share, self.norms
        if counts is not None:
            each = zip(numbers, counts, strict=True)
            return [top * count / (count + norm[lengths[number]]) for number, count in each]
        if len(numbers) < _WORTH_A_TABLE:
            return [top / (1 + norm[lengths[number]]) for number in numbers]
        table = [top / (1 + n) for n in norm]
        return map(table.__getitem__, map(lengths.__getitem__, numbers))


def add_scores(found: Scores, more: Scores) -> None:
    """Add ``more`` to ``found``; it is used up."""
    if len(more) > len(found):
        # The loop goes over the smaller one, and copying is not a loop.
        get = more.get
        for file, score in found.items():
            more[file] = get(file, 0.0) + score
        found.update(more)
        return
    get = found.get
    for file, score in more.items():
        found[file] = get(file, 0.0) + score


def page_of(matches: Matches, offset: int, limit: int) -> Hits:
    """Return one page of the ranking; files with equal scores stand in the order of their paths."""
    total = sum(len(scores) for _, scores in matches)
    wanted = min(offset + limit, total)
    if not wanted or offset >= total:
        return Hits((), total)
    every = chain.from_iterable(scores.values() for _, scores in matches)
    lowest = heapq.nlargest(wanted, every)[-1] if wanted < total else -math.inf
    # Scores that show alike are equal: one just below the last of the page may stand before it by its path.
    floor, edge = lowest - 10**-_PLACES, round(lowest, _PLACES) if wanted < total else -math.inf
    rounded: dict[float, float] = {}
    better: list[tuple[float, VaultPath]] = []
    last: list[VaultPath] = []
    for paths, scores in matches:
        for number, score in scores.items():
            if score >= floor:
                shown = rounded.get(score)
                if shown is None:
                    shown = rounded[score] = round(score, _PLACES)
                if shown > edge:
                    better.append((-shown, paths[number]))
                elif shown == edge:
                    last.append(paths[number])
    better.sort()
    # Of thousands that are equal only the first few are to be put in order.
    chosen = better + [(-edge, path) for path in heapq.nsmallest(wanted - len(better), last)]
    return Hits(tuple(Hit(path, -score) for score, path in chosen[offset:wanted]), total)
