"""The files that hold a word beginning with two given characters, written as the terms of a segment are.

Thousands of words may begin so; whoever types on waits for none of their postings.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from struct import Struct
from sys import byteorder

from sidecar.index.analysis import STEM

__all__ = ["SHORT", "BeginningReader", "BeginningWriter"]

SHORT = 2
"""The length of the beginnings that are kept, in characters."""

_STEM = STEM.encode()
_KEY = Struct(">B8s")
_ENTRY = Struct(">B8sII")
_ROOM = 1 << 16
"""In a segment of at most so many files their numbers take two bytes each."""


class BeginningWriter:
    """Takes terms in rising order, each with the numbers of its files; ``fields`` gives each field its number."""

    def __init__(self, fields: Mapping[str, int], count: int) -> None:
        """Begin for a segment of ``count`` files."""
        self._fields = fields
        self._code = _code(count)
        self._field = ""
        self._beginning = b""
        self._files: set[int] = set()
        self._table = bytearray()
        self._data = bytearray()

    def add(self, field: str, term: bytes, numbers: Iterable[int]) -> None:
        """Add the next term; stems are no words."""
        if self._beginning and term.startswith(self._beginning) and field == self._field:
            self._files.update(numbers)
        elif not term.startswith(_STEM):
            beginning = term.decode()[:SHORT]
            if len(beginning) == SHORT:
                self._end()
                self._field, self._beginning, self._files = field, beginning.encode(), set(numbers)

    def finish(self) -> tuple[bytes, bytes]:
        """Return the table of all beginnings and the numbers of the files it points to."""
        self._end()
        return bytes(self._table), bytes(self._data)

    def _end(self) -> None:
        if self._beginning:
            numbers: array[int] = array(self._code, self._files)
            if byteorder == "little":
                numbers.byteswap()
            self._table += _ENTRY.pack(self._fields[self._field], self._beginning, len(self._data), len(numbers))
            self._data += numbers.tobytes()
        self._beginning = b""


class BeginningReader:
    """Finds beginnings in such a table."""

    def __init__(self, table: bytes, fields: Mapping[str, int], count: int) -> None:
        """Take the table of a segment of ``count`` files.

        Raises:
            ValueError: when it is none.

        """
        if len(table) % _ENTRY.size:
            raise ValueError("not a table of beginnings")
        self._table = table
        self._fields = fields
        self._code = _code(count)

    def find(self, field: str, beginning: str) -> tuple[int, int]:
        """Return where in the data the numbers of its files stand, and how many bytes they take; none when unknown."""
        wanted = _KEY.pack(self._fields[field], beginning.encode())
        entries = range(len(self._table) // _ENTRY.size)
        at = bisect_left(entries, wanted, key=self._key)
        if at == len(entries) or self._key(at) != wanted:
            return 0, 0
        _, _, begin, count = _ENTRY.unpack_from(self._table, at * _ENTRY.size)
        return begin, count * array(self._code).itemsize

    def numbers(self, data: bytes) -> "array[int]":
        """Read the numbers of files, in no order."""
        numbers: array[int] = array(self._code, data)
        if byteorder == "little":
            numbers.byteswap()
        return numbers

    def _key(self, at: int) -> bytes:
        return self._table[at * _ENTRY.size : at * _ENTRY.size + _KEY.size]


def _code(count: int) -> str:
    return "H" if count <= _ROOM else "I"
