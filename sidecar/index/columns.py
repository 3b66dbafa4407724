"""What a segment keeps of each file beside its terms: its path, and one byte for the length of each field.

The bytes are those of Whoosh's columns.
"""

import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from pickle import dumps, loads
from sys import byteorder

__all__ = ["lengths_of", "paths_of", "stored_paths"]

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


def _numbers(code: str, numbers: Sequence[int]) -> bytes:
    packed: array[int] = array(code, numbers)
    if byteorder == "little":
        packed.byteswap()
    return packed.tobytes()
