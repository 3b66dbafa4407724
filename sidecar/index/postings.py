"""Which files hold a term, how often and where: Whoosh's blocks of postings as bytes, written and read at once.

The bytes are those of Whoosh's own codec (W3), which any reader of Whoosh understands; only its loop over single
postings is not used.
"""

import io
import zlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import sub
from pickle import Pickler, dumps, loads
from struct import Struct
from typing import NamedTuple

__all__ = [
    "COUNTED",
    "LENGTHS",
    "ONCE",
    "Postings",
    "TermInfo",
    "decode",
    "encode",
    "encode_places",
    "files_in",
    "length_byte",
]

LENGTHS = tuple(round((1.033**n - 1) * 27) for n in range(256))
"""The lengths of fields that one byte can say; others are rounded up to the next."""

_FILES_AT = 5
_MAGIC = b"W3Bl"
_PROTOCOL = 3
"""The second, which Whoosh uses, has no bytes: each would be a call of a codec, seven times slower."""
_BLOCK = 512
_COMPRESSION = 1
_WORTH_COMPRESSING = 400
"""Most blocks are small, and beginning to compress costs more than it saves them."""

_SIZE = Struct("!i")
_NUMBER = Struct("<i")
_SHORT = 255
_COUNT = Struct("!I")
_INFO = Struct("!BfIBBfIIqi")
"""Flags, sum of counts, files, shortest and longest field, highest count, first and last file, offset and size."""


class TermInfo(NamedTuple):
    """What the index of terms says of one term: in how many files it stands, and where its postings are."""

    files: int
    offset: int
    size: int

    @classmethod
    def read(cls, data: bytes, at: int) -> "TermInfo":
        """Read the entry that stands at ``at``.

        Raises:
            ValueError: when no postings in a file belong to it.

        """
        flags, _, files, *_, offset, size = _INFO.unpack_from(data, at)
        if flags:
            raise ValueError("postings inside the index of terms")
        return cls(files, offset, size)


def files_in(data: bytes, at: int) -> int:
    """Return of the entry that stands at ``at`` only in how many files its term is."""
    (files,) = _COUNT.unpack_from(data, at + _FILES_AT)
    return int(files)


@dataclass(frozen=True, slots=True)
class Postings:
    """All files of a segment that hold a term, by rising number."""

    numbers: "array[int]"
    counts: "array[float] | None"
    """How often it stands in each; ``None`` when once in all."""
    values: tuple[bytes, ...]
    """Where it stands in each, as :func:`encode_places` wrote it; empty when not asked for."""


def encode(
    numbers: Sequence[int], counts: Sequence[int], values: Sequence[bytes], lengths: Sequence[int], offset: int
) -> tuple[bytes, bytes]:
    """Return the postings of one term as bytes, and its entry in the index of terms.

    ``lengths`` are the bytes for the field's length in each file of the segment; ``offset`` is where the postings
    will stand.
    """
    if len(numbers) == 1 and len(values[0]) <= _SHORT:
        return _single(numbers[0], counts[0], values[0], lengths[numbers[0]], offset)
    parts = [_MAGIC]
    if len(numbers) <= _BLOCK:
        shortest, longest = _range_of(numbers, lengths)
        parts += _block(numbers, counts, values, (shortest, longest), is_last=True)
    else:
        shortest, longest = 255, 0
        for at in range(0, len(numbers), _BLOCK):
            here = slice(at, at + _BLOCK)
            low, high = _range_of(numbers[here], lengths)
            shortest, longest = min(shortest, low), max(longest, high)
            is_last = at + _BLOCK >= len(numbers)
            parts += _block(numbers[here], counts[here], values[here], (low, high), is_last=is_last)
    data = b"".join(parts)
    info = _INFO.pack(
        0, sum(counts), len(numbers), shortest, longest, max(counts), numbers[0], numbers[-1], offset, len(data)
    )
    return data, info


def decode(data: bytes, *, places: bool = False) -> Postings:
    """Read the postings of one term, with the places in the text when they are wanted.

    Raises:
        ValueError: when the bytes are not whole; other damage shows as an error of zlib or pickle.

    """
    if data[:4] != _MAGIC:
        raise ValueError("not the beginning of postings")
    numbers: array[int] = array("I")
    weights: list[float] = []
    values: list[bytes] = []
    at = 4
    more = True
    while more:
        (size,) = _SIZE.unpack_from(data, at)
        more, at = size > 0, at + 4
        head = data[at : at + _HEAD_SIZE]
        body = data[at + _HEAD_SIZE : at + abs(size)]
        if not size or len(head) < _HEAD_SIZE or not head.startswith(_HEAD_BEGIN):
            raise ValueError("not the head of a block")
        steps, weight, where = loads(zlib.decompress(body) if head[_HEAD_COMPRESSED] else body)  # noqa: S301 - our own
        numbers.extend(accumulate(steps))
        if weight is not None or weights:
            weights += [1.0] * (len(numbers) - len(steps) - len(weights))
            weights += weight if isinstance(weight, tuple) else [1.0 if weight is None else weight] * len(steps)
        if places:
            values += where
        at += abs(size)
    return Postings(numbers, array("f", weights) if weights else None, tuple(values))


def encode_places(where: Sequence[int]) -> bytes:
    """Return the rising positions of a term in one file as Whoosh stores them: how many, and a pickle of the steps."""
    try:
        data = _BEFORE_PLACES[len(where)]
        before = 0
        for place in where:
            data += _STEPS[place - before]
            before = place
    except IndexError:
        steps = [place - before for place, before in zip(where, (0, *where), strict=False)]
        return _COUNT.pack(len(where)) + dumps(steps, 1)
    return data + b"e."


def length_byte(length: int) -> int:
    """Return the byte for the length of a field in words."""
    return _LENGTH_BYTES[length] if length < len(_LENGTH_BYTES) else _length_byte(length)


def _length_byte(length: int) -> int:
    return next((byte for byte, known in enumerate(LENGTHS) if known >= length), 255)


_LENGTH_BYTES = bytes(_length_byte(length) for length in range(1024))

_BEFORE_PLACES = tuple(_COUNT.pack(n) + b"](" for n in range(64))
_STEPS = tuple(b"K%c" % n if n < 256 else b"M" + n.to_bytes(2, "little") for n in range(4096))  # noqa: PLR2004 - a byte
ONCE = tuple(_BEFORE_PLACES[1] + step + b"e." for step in _STEPS)
"""What :func:`encode_places` gives for one place, by the place."""
COUNTED = tuple(_COUNT.pack(n) + dumps([], 1) for n in range(256))
"""Instead of the places, where only the number of them is wanted."""


def _range_of(numbers: Sequence[int], lengths: Sequence[int]) -> tuple[int, int]:
    if len(numbers) == 1:
        length = lengths[numbers[0]]
        return length, length
    found = bytes(map(lengths.__getitem__, numbers))
    return min(found), max(found)


# The head of a block is a pickle of six numbers. We write it in one fixed form, so that it need not be searched for.
_HEAD_BEGIN = b"\x80\x02(M"
_HEAD = Struct("<4sHci")
_HEAD_WEIGHT = Struct(">cd")
_HEAD_END = Struct("<cBcBcB2s")
_ONCE_WEIGHT = _HEAD_WEIGHT.pack(b"G", 1)
_SINGLE_SIZE = len(b"\x80\x03J0000\x85NC0\x85\x87.")
_HEAD_SIZE = _HEAD.size + _HEAD_WEIGHT.size + _HEAD_END.size
_HEAD_COMPRESSED = _HEAD.size + _HEAD_WEIGHT.size + 1


def _head(count: int, last: int, highest: float, compressed: int, lengths: tuple[int, int]) -> bytes:
    return (
        _HEAD.pack(_HEAD_BEGIN, count, b"J", last)
        + _HEAD_WEIGHT.pack(b"G", highest)
        + _HEAD_END.pack(b"K", compressed, b"K", lengths[0], b"K", lengths[1], b"t.")
    )


def _single(number: int, count: int, value: bytes, length: int, offset: int) -> tuple[bytes, bytes]:
    """Return what :func:`encode` does for one posting: of most words there is one, so its pickles are made by hand."""
    at = _NUMBER.pack(number)
    weight = _ONCE_WEIGHT if count == 1 else _HEAD_WEIGHT.pack(b"G", count)
    data = b"W3Bl%b\x80\x02(M\x01\x00J%b%bK\x00K%cK%ct.\x80\x03J%b\x85%bC%c%b\x85\x87." % (
        _SIZE.pack(-_HEAD_SIZE - (_SINGLE_SIZE if count == 1 else _SINGLE_SIZE + 8) - len(value)),
        at,
        weight,
        length,
        length,
        at,
        b"N" if count == 1 else weight,
        len(value),
        value,
    )
    return data, _INFO.pack(0, count, 1, length, length, count, number, number, offset, len(data))


def _block(
    numbers: Sequence[int], counts: Sequence[int], values: Sequence[bytes], lengths: tuple[int, int], *, is_last: bool
) -> tuple[bytes, bytes, bytes]:
    steps = (numbers[0], *map(sub, numbers[1:], numbers))
    highest = max(counts)
    shown: float | tuple[int, ...] | None = None
    if counts.count(highest) < len(counts):
        shown = tuple(counts)
    elif highest > 1:
        shown = float(highest)
    body = _pickled((steps, shown, tuple(values)))
    compressed = _COMPRESSION if len(body) >= _WORTH_COMPRESSING else 0
    if compressed:
        body = zlib.compress(body, compressed)
    head = _head(len(numbers), numbers[-1], highest, compressed, lengths)
    size = len(head) + len(body)
    return _SIZE.pack(-size if is_last else size), head, body


def _pickled(block: object) -> bytes:
    file = io.BytesIO()
    pickler = Pickler(file, _PROTOCOL)
    pickler.fast = True  # nothing in a block refers to something else, and what refers would only take room
    pickler.dump(block)
    return file.getvalue()
