"""Which files have the passages nearest to a question: every passage is compared with it."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter

from sidecar.model.path import VaultPath
from sidecar.model.search import Passage
from sidecar.semantic.arrays import NONE, Floats, Rows, best_rows, largest_first, similarities
from sidecar.semantic.store import Part

__all__ = ["nearest"]


def nearest(
    parts: Sequence[Part], question: Floats, limit: int, among: Callable[[VaultPath], bool]
) -> tuple[Passage, ...]:
    """Return each file's nearest passage, best first, equals by path, of the files that ``among`` lets through."""
    compared = [_compared(part, question) for part in parts]
    ordered = largest_first([best for _, best in compared])
    let_through = (found for found in _by_path(parts, ordered) if among(found[0]))
    return tuple(
        Passage(path, similarity, *parts[at].segment.place(number, int(compared[at][0][number])))
        for path, similarity, at, number in islice(let_through, max(0, limit))
    )


def _compared(part: Part, question: Floats) -> tuple[Rows, Floats]:
    """Return the row of each file's nearest passage, and its similarity."""
    rows, best = best_rows(similarities(part.segment.vectors, question), part.segment.starts)
    best[list(part.dead)] = NONE
    return rows, best


def _by_path(
    parts: Sequence[Part], ordered: Iterator[tuple[float, int, int]]
) -> Iterator[tuple[VaultPath, float, int, int]]:
    """Put files of the same similarity into the order of their paths, so that it does not depend on their history."""
    for similarity, equals in groupby(ordered, key=itemgetter(0)):
        yield from sorted((parts[at].segment.paths[number], similarity, at, number) for _, at, number in equals)
