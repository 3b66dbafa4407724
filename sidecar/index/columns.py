"""What a segment keeps of each file beside its terms: path, lengths of fields, and where its text begins and ends.

The bytes are those of Whoosh's columns, but for the texts, of which Whoosh knows nothing.
"""

import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from pickle import dumps, loads
from sys import byteorder

__all__ = ["lengths_of", "paths_of", "stored_paths", "stored_sizes", "text_edges"]

_FIELD = "path"
_MANY = 1 << 15
"""From here on Whoosh wants the offsets too."""


def stored_paths(paths: Iterable[str]) -> bytes:
    """Return the column of stored fields; ``path`` is the only one."""
    rows = [zlib.compress(dumps({_FIELD: str(path)}, 2), 1) for path in paths]
    sizes = [len(row) for row in rows]
    parts = [*rows, _numbers("I", sizes)]
    if len(rows) > _MANY:
        parts += [_numbers("I", [0, *accumulate(sizes[:-1])]), b"IIX"]
    else:
        parts.append(b"I")
    return b"".join(parts)


def paths_of(column: bytes, count: int) -> Iterator[str]:
    """Read the paths from such a column of ``count`` files.

    Raises:
        ValueError: when it is none; other damage shows as an error of zlib or pickle.

    """
    code_at = len(column) - 3 if count > _MANY else len(column) - 1
    if column[code_at : code_at + 1] != b"I":
        raise ValueError("not a column of stored fields")
    sizes_at = code_at - 4 * count * (2 if count > _MANY else 1)
    sizes: array[int] = array("I", column[sizes_at : sizes_at + 4 * count])
    if byteorder == "little":
        sizes.byteswap()
    end = 0
    for size in sizes:
        begin, end = end, end + size
        yield loads(zlib.decompress(column[begin:end]))[_FIELD]  # noqa: S301 - our own


def lengths_of(column: bytes | None, count: int) -> bytes:
    """Return the byte for a field's length in each of ``count`` files; the column ends where only zeros follow."""
    return (column or b"").ljust(count, b"\0")


def stored_sizes(sizes: Sequence[int | None]) -> bytes:
    """Return the column of the sizes of texts, ``None`` for a file that has none."""
    return _numbers("I", [size or 0 for size in sizes]) + bytes(size is not None for size in sizes)


def text_edges(column: bytes, count: int) -> tuple["array[int]", bytes]:
    """Read from such a column where the texts of ``count`` files stand one after another, and which files have one.

    Raises:
        ValueError: when it is none.

    """
    if len(column) != 5 * count:
        raise ValueError("not a column of sizes")
    sizes: array[int] = array("I", column[: 4 * count])
    if byteorder == "little":
        sizes.byteswap()
    return array("Q", accumulate(sizes, initial=0)), column[4 * count :]


def _numbers(code: str, numbers: Sequence[int]) -> bytes:
    packed: array[int] = array(code, numbers)
    if byteorder == "little":
        packed.byteswap()
    return packed.tobytes()
