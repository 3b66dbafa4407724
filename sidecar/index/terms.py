"""The terms of a segment in order, each with an entry that says where its postings are: Whoosh's ordered hash file.

A table of hashes finds a term at once; a list of all places finds where a beginning begins.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from hashlib import md5
from pickle import dumps, loads
from struct import Struct
from sys import byteorder

__all__ = ["TermReader", "TermWriter"]

_HEADER = b"HSH3" + bytes(9)
"""With the number of the hash function, md5, and room for what never came."""
_TABLES = 256
_ENTRY = Struct("!ii")
_SLOT = Struct("!Iq")
_DIRECTORY = Struct("!" + "qi" * _TABLES)
_SIZE = Struct("!i")
_SHORT = Struct("!H")
_PLACE_TYPE = "I"


class TermWriter:
    """Takes terms with their entries in rising order and makes the file of them.

    ``fields`` gives each field its number, by which its terms are ordered first.
    """

    def __init__(self, fields: Mapping[str, int]) -> None:
        self._fields = dict(fields)
        self._data = bytearray(_HEADER)
        self._places: array[int] = array(_PLACE_TYPE)
        self._tables: list[list[tuple[int, int]]] = [[] for _ in range(_TABLES)]
        self._directory: list[int] = []

    def add(self, field: str, term: bytes, entry: bytes) -> None:
        """Add the next term."""
        key = _SHORT.pack(self._fields[field]) + term
        at = len(self._data)
        self._places.append(at)
        self._data += _ENTRY.pack(len(key), len(entry)) + key + entry
        hashed = _hash(key)
        self._tables[hashed % _TABLES].append((hashed, at))

    def end(self) -> Iterator[None]:
        """Build what follows the terms, piece by piece; no term may be added then."""
        for entries in self._tables[len(self._directory) // 2 :]:
            slots = 2 * len(entries)
            self._directory += (len(self._data), slots)
            self._data += _table(entries, slots)
            yield

    def finish(self) -> bytes:
        """Return the whole file."""
        for _ in self.end():
            pass
        data = self._data
        data += _DIRECTORY.pack(*self._directory)
        extras = {"fieldmap": self._fields, "indextype": _PLACE_TYPE, "indexlen": len(self._places)}
        pickled = dumps(extras, 2)
        places = _swapped(self._places).tobytes()
        data += pickled + places + _SIZE.pack(len(pickled) + len(places))
        return bytes(data)


class TermReader:
    """Finds terms in the bytes of such a file."""

    def __init__(self, data: bytes) -> None:
        """Read the directory.

        Raises:
            ValueError: when it is no such file; other damage shows as an error of struct or pickle.

        """
        if not data.startswith(_HEADER):
            raise ValueError("not a file of terms")
        (size,) = _SIZE.unpack_from(data, len(data) - _SIZE.size)
        extras_at = len(data) - _SIZE.size - size
        extras = loads(data[extras_at:])  # noqa: S301 - our own
        directory = _DIRECTORY.unpack_from(data, extras_at - _DIRECTORY.size)
        self._fields: dict[str, int] = extras["fieldmap"]
        self._tables = tuple(zip(directory[::2], directory[1::2], strict=True))
        places: array[int] = array(_PLACE_TYPE, data[len(data) - _SIZE.size - 4 * extras["indexlen"] : -_SIZE.size])
        self._places = _swapped(places)
        self._data = data

    def find(self, field: str, term: bytes) -> int | None:
        """Return where the entry of a term begins, in :attr:`data`."""
        key = _SHORT.pack(self._fields[field]) + term
        hashed = _hash(key)
        table, slots = self._tables[hashed % _TABLES]
        slot = (hashed >> 8) % slots if slots else 0
        for _ in range(slots):
            there, at = _SLOT.unpack_from(self._data, table + slot * _SLOT.size)
            if not at:
                break
            if there == hashed and self._key(at) == key:
                return int(at) + _ENTRY.size + len(key)
            slot = (slot + 1) % slots
        return None

    def beginning_with(self, field: str, beginning: bytes) -> Iterator[tuple[bytes, int]]:
        """Go through the terms of a field that begin so, in order, each with the place of its entry."""
        key = _SHORT.pack(self._fields[field]) + beginning
        for n in range(bisect_left(self._places, key, key=self._key), len(self._places)):
            at = self._places[n]
            found = self._key(at)
            if not found.startswith(key):
                break
            yield found[_SHORT.size :], at + _ENTRY.size + len(found)

    def all(self) -> Iterator[tuple[tuple[int, bytes], int]]:
        """Go through all terms in order, each with the number of its field and the place of its entry."""
        for at in self._places:
            key = self._key(at)
            yield (int.from_bytes(key[: _SHORT.size]), key[_SHORT.size :]), at + _ENTRY.size + len(key)

    @property
    def data(self) -> bytes:
        """The bytes of the file."""
        return self._data

    def _key(self, at: int) -> bytes:
        size, _ = _ENTRY.unpack_from(self._data, at)
        return self._data[at + _ENTRY.size : at + _ENTRY.size + size]


def _table(entries: list[tuple[int, int]], slots: int) -> bytearray:
    taken = bytearray(slots)
    data = bytearray(slots * _SLOT.size)
    for hashed, at in entries:
        slot = (hashed >> 8) % slots
        while taken[slot]:
            slot = (slot + 1) % slots
        taken[slot] = 1
        _SLOT.pack_into(data, slot * _SLOT.size, hashed, at)
    return data


def _hash(key: bytes) -> int:
    return int.from_bytes(md5(key, usedforsecurity=False).digest()[-4:])


def _swapped(numbers: "array[int]") -> "array[int]":
    """Return the numbers with the first byte first, as they stand in the file, or back."""
    if byteorder == "little":
        numbers = numbers[:]
        numbers.byteswap()
    return numbers
