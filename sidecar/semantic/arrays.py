"""The arithmetic of vectors, and the only module that imports numpy."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from mmap import mmap
from typing import Any, TypeAlias

# One row of a few thousand at a time is no work worth sharing; threads would only spin and hold memory.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "NONE",
    "Floats",
    "Rows",
    "Table",
    "Vectors",
    "best_rows",
    "coded",
    "floats",
    "joined",
    "largest_first",
    "similarities",
    "token_means",
    "unit",
]

Floats: TypeAlias = NDArray[np.float32]
Table: TypeAlias = NDArray[Any]
"""Numbers of some width, as a file of a model has them."""

Rows: TypeAlias = NDArray[np.int64]

NONE = -2.0
"""Stands where nothing can be compared."""
_LARGEST_CODE = 127
_ROWS_AT_ONCE = 1024
"""Floats of so many rows stay in the processor's cache."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """Directions in space, a byte for each coordinate."""

    codes: NDArray[np.int8]
    """Shape (rows, dimensions)."""
    scales: Floats
    """One over the length of each row of codes; 0 where all codes are."""

    def __len__(self) -> int:
        return len(self.scales)

    def between(self, first: int, behind: int) -> "Vectors":
        """Return some rows in a row."""
        return Vectors(self.codes[first:behind], self.scales[first:behind])

    def tobytes(self) -> bytes:
        """Return scales, then codes, in the byte order of small machines."""
        return self.scales.astype("<f4").tobytes() + self.codes.tobytes()

    @classmethod
    def of(cls, data: mmap | bytes, start: int, rows: int, dimensions: int) -> "Vectors":
        """Return what :meth:`tobytes` wrote, in its place: of a mapped file it is read as it is needed.

        Raises:
            ValueError: when the data do not end behind the last row.

        """
        scales = np.frombuffer(data, "<f4", rows, start).astype(np.float32) if rows else floats([])
        codes = np.frombuffer(data, np.int8, offset=start + scales.nbytes) if rows else np.empty(0, np.int8)
        return cls(codes.reshape(rows, dimensions), scales)


def floats(values: ArrayLike) -> Floats:
    """Return numbers as an array of floats."""
    return np.asarray(values, np.float32)


def unit(vectors: Floats) -> Floats:
    """Return vectors of length one; those of length zero stay."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    result: Floats = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return result


def token_means(
    table: Table, ids: Sequence[Sequence[int]], weights: Table | None = None, rows: Table | None = None
) -> Floats:
    """Return the mean of each text's rows of the table; a text without tokens has zeros.

    ``rows`` tells which row a token has if not that of its own number, ``weights`` how much a token counts.
    """
    means = np.zeros((len(ids), table.shape[1]), np.float32)
    ends = np.cumsum(np.fromiter(map(len, ids), np.int64, len(ids)))
    if not len(ends) or not ends[-1]:
        return means
    tokens, places = np.unique(np.concatenate([np.asarray(text, np.int64) for text in ids]), return_inverse=True)
    found = table[rows[tokens] if rows is not None else tokens].astype(np.float32)
    if weights is not None:
        found *= weights[tokens].astype(np.float32)[:, None]
    for number, text in enumerate(np.split(places, ends[:-1])):
        if len(text):  # each for itself, so that no text's vector depends on its neighbours by rounding
            means[number] = found[text].mean(axis=0)
    return means


def coded(vectors: Floats) -> Vectors:
    """Return the directions of vectors, each coordinate rounded to the 127th part of the row's largest."""
    largest = np.abs(vectors).max(axis=1, keepdims=True, initial=0)
    scaled = np.divide(vectors * _LARGEST_CODE, largest, out=np.zeros_like(vectors), where=largest > 0)
    codes = np.rint(scaled).astype(np.int8)
    lengths = np.linalg.norm(codes.astype(np.float32), axis=1)
    return Vectors(codes, np.divide(1, lengths, out=np.zeros_like(lengths), where=lengths > 0))


def joined(parts: Sequence[Vectors], dimensions: int) -> Vectors:
    """Return the rows of all parts, one after the other."""
    codes = [np.empty((0, dimensions), np.int8), *(part.codes for part in parts)]
    return Vectors(np.concatenate(codes), np.concatenate([floats([]), *(part.scales for part in parts)]))


def similarities(vectors: Vectors, question: Floats) -> Floats:
    """Return the cosine of each row to a vector of length one."""
    found = np.empty(len(vectors), np.float32)
    buffer = np.empty((min(_ROWS_AT_ONCE, len(vectors)), len(question)), np.float32)
    for first in range(0, len(vectors), _ROWS_AT_ONCE):
        rows = vectors.codes[first : first + _ROWS_AT_ONCE]
        np.copyto(buffer[: len(rows)], rows)
        np.dot(buffer[: len(rows)], question, out=found[first : first + len(rows)])
    found *= vectors.scales
    return np.minimum(found, 1, out=found)


def best_rows(found: Floats, starts: Sequence[int]) -> tuple[Rows, Floats]:
    """Return for stretches of rows which is the best of each, the first of equals, and its value.

    ``starts`` says where each begins, and at last where the last ends; the best of an empty one is -1, of value -2.
    """
    bounds = np.asarray(starts, np.int64)
    counts = np.diff(bounds)
    filled = np.flatnonzero(counts)
    best, rows = np.full(len(counts), NONE, np.float32), np.full(len(counts), -1, np.int64)
    if len(filled):
        best[filled] = np.maximum.reduceat(found, bounds[filled])
        at_best = np.flatnonzero(found == np.repeat(best[filled], counts[filled]))
        stretches = np.searchsorted(bounds[1:], at_best, side="right")
        rows[stretches[::-1]] = at_best[::-1]
    return rows, best


def largest_first(parts: Sequence[Floats]) -> Iterator[tuple[float, int, int]]:
    """Go through the values of all parts, largest first: the value, its part, and its number in it; no ``NONE``."""
    values = np.concatenate([floats([]), *parts])
    ends = np.cumsum([len(part) for part in parts])
    order = np.argsort(-values, kind="stable")
    for first in range(0, len(order), _ROWS_AT_ONCE):
        numbers = order[first : first + _ROWS_AT_ONCE]
        at = np.searchsorted(ends, numbers, side="right")
        inside = numbers - np.concatenate(([0], ends))[at]
        for value, part, number in zip(values[numbers].tolist(), at.tolist(), inside.tolist(), strict=True):
            if value == NONE:
                return
            yield value, part, number
