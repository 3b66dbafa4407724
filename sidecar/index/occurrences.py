"""All places where a term stands in a segment, as numbers that are compared with those of other terms at once."""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import itemgetter
from pickle import loads

__all__ = ["SHIFT", "Occurrences"]

SHIFT = 32
"""A place is its file's number, moved by so many bits, plus its position: neighbours in a file are neighbours here."""
_BODY = itemgetter(slice(4, -1))
"""What :func:`~sidecar.index.postings.encode_places` wrote without its count and the pickle's end."""


class Occurrences:
    """The places of one term, read when they are first asked for: in some files, or in all of them and for good."""

    __slots__ = ("_bodies", "_edges", "_keys", "_numbers")

    def __init__(self, numbers: "array[int]", values: Sequence[bytes]) -> None:
        """Take the files of the term by rising number, and what is stored of its places in each."""
        bodies = list(map(_BODY, values))
        self._numbers = numbers
        self._bodies = b"".join(bodies)
        self._edges: array[int] = array("Q", accumulate(map(len, bodies), initial=0))
        self._keys: array[int] | None = None

    @property
    def size(self) -> int:
        """About how many bytes of memory they take."""
        return len(self._bodies) + self._edges.itemsize * len(self._edges) + 8 * len(self._keys or ())

    @property
    def are_read(self) -> bool:
        """Whether all are known, so that no file costs anything."""
        return self._keys is not None

    def keys(self) -> "array[int]":
        """Return all places, rising."""
        if self._keys is None:
            self._keys = array("Q", _keys(self._numbers, self._bodies))
            self._bodies, self._edges = b"", array("Q")
        return self._keys

    def keys_in(self, files: Sequence[int]) -> Sequence[int]:
        """Return the places in these files, given by rising number."""
        if self._keys is not None:
            return [key for number in files for key in self._between(number << SHIFT, (number + 1) << SHIFT)]
        found: list[int] = []
        bodies: list[bytes] = []
        at, edges = 0, self._edges
        for number in files:
            at = bisect_left(self._numbers, number, at)
            if at == len(self._numbers):
                break
            if self._numbers[at] == number:
                found.append(number)
                bodies.append(self._bodies[edges[at] : edges[at + 1]])
        return list(_keys(found, b"".join(bodies)))

    def _between(self, first: int, behind: int) -> Sequence[int]:
        keys = self._keys or ()
        at = bisect_left(keys, first)
        return keys[at : bisect_left(keys, behind, at)]


def _keys(numbers: Sequence[int], bodies: bytes) -> Iterator[int]:
    # One pickle of all lists is read many times faster than a pickle each.
    steps = loads(b"(" + bodies + b"t.")  # noqa: S301 - our own
    return (
        begin + place
        for begin, each in zip((number << SHIFT for number in numbers), steps, strict=True)
        for place in accumulate(each)
    )
