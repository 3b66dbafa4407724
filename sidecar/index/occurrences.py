"""All places where a term stands in a segment, as numbers that are compared with those of other terms at once."""

from array import array
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import accumulate, chain, compress
from operator import itemgetter
from pickle import loads

__all__ = ["SHIFT", "Occurrences"]

SHIFT = 32
"""A place is its file's number, moved by so many bits, plus its position: neighbours in a file are neighbours here."""
_BODY = itemgetter(slice(4, -1))
"""What :func:`~sidecar.index.postings.encode_places` wrote without its count and the pickle's end."""
_VALUE_SIZE = 60


class Occurrences:
    """The places of one term, read when they are asked for."""

    __slots__ = ("_numbers", "_values")

    def __init__(self, numbers: "array[int]", values: Sequence[bytes]) -> None:
        """Take the files of the term by rising number, and what is stored of its places in each."""
        self._numbers = numbers
        self._values = values

    @property
    def size(self) -> int:
        """About how many bytes of memory they take."""
        return _VALUE_SIZE * len(self._values)

    def keys(self, files: AbstractSet[int] | None) -> Iterator[int]:
        """Go through the places in these files, or in all, rising."""
        numbers: Iterable[int] = self._numbers
        if files is not None:
            numbers = (number for number in numbers if number in files)
        steps = self.steps(files)
        for number, each in zip(numbers, steps, strict=True):
            each[0] += number << SHIFT
        return chain.from_iterable(map(accumulate, steps))

    def steps(self, files: AbstractSet[int] | None) -> Sequence[list[int]]:
        """Return for each of these files that hold the term, by rising number, its first position and the steps on."""
        values: Iterable[bytes] = self._values
        if files is not None:
            values = compress(values, map(files.__contains__, self._numbers))
        # One pickle of all lists is read many times faster than a pickle each.
        found: Sequence[list[int]] = loads(b"(" + b"".join(map(_BODY, values)) + b"t.")  # noqa: S301 - our own
        return found
