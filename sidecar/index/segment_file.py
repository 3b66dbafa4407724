"""The one file of a segment: written in one go, read in pieces.

It is what Whoosh calls a compound file: several files one after another, and a directory of them at the end.
"""

import os
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from pickle import dumps, loads
from struct import Struct
from typing import Any

from sidecar.index.beginnings import BeginningReader, BeginningWriter
from sidecar.index.columns import lengths_of, paths_of, stored_paths, stored_sizes, text_edges
from sidecar.index.postings import TermInfo, encode
from sidecar.index.terms import TermReader, TermWriter

__all__ = [
    "FIELD_NUMBERS",
    "INDEX_NAME",
    "UNFINISHED",
    "SegmentReader",
    "SegmentWriter",
    "file_of",
    "name_of",
    "new_segment",
]

FIELD_NUMBERS: Mapping[str, int] = {
    name: number for number, name in enumerate(("alias", "body", "heading", "property", "tag", "title"))
}
"""The fields in the order of their terms, the same in every segment."""

INDEX_NAME = "MAIN"
"""The name of the index, with which those of its files begin."""
UNFINISHED = "new-"
"""So begins the name of a file that is still being written."""

_POSTINGS, _TERMS, _PATHS = ".pst", ".trm", "._stored.col"
_TEXTS, _TEXT_SIZES = ".texts", ".sizes"
_BEGINNINGS, _BEGINNINGS_FILES = ".beginnings", ".beginnings.files"
_BEGIN = Struct("!qi")
_BUFFER = 1 << 20


def new_segment() -> str:
    """Return a name that no other segment has."""
    return f"{INDEX_NAME}_{secrets.token_hex(8)}"


def name_of(segment: str) -> str:
    """Return the name of a segment's file."""
    return f"{segment}.seg"


def file_of(folder: Path, segment: str) -> Path:
    """Return the place of a segment's file."""
    return folder / name_of(segment)


def _length_column(field: str) -> str:
    return f"._{field}_len.col"


class SegmentWriter:
    """Writes one segment. It has its name only when it is whole; ``close`` before that leaves nothing behind."""

    def __init__(self, folder: Path, segment: str, lengths: Mapping[str, bytes]) -> None:
        """Begin the file; ``lengths`` hold for each field the byte of its length in each file.

        Raises:
            OSError: here and later, when the disk refuses.

        """
        self._path = file_of(folder, segment)
        self._fresh = folder / f"{UNFINISHED}{segment}"
        self._segment = segment
        self._lengths = {field: lengths_of(column, 0) for field, column in lengths.items()}
        self._terms = TermWriter(FIELD_NUMBERS)
        self._beginnings = BeginningWriter(FIELD_NUMBERS, max(map(len, lengths.values()), default=0))
        self._directory: dict[str, dict[str, int]] = {}
        self._waiting: list[bytes] = []
        self._waiting_size = 0
        self._postings_size = 0
        self._file = self._fresh.open("xb")
        self._file.write(bytes(_BEGIN.size))

    def add(
        self, field: str, term: bytes, numbers: Sequence[int], counts: Sequence[int], values: Sequence[bytes]
    ) -> None:
        """Add the next term: by field in the order of :data:`FIELD_NUMBERS`, then by its bytes."""
        data, info = encode(numbers, counts, values, self._lengths[field], self._postings_size)
        self._terms.add(field, term, info)
        self._beginnings.add(field, term, numbers)
        self._postings_size += len(data)
        self._waiting.append(data)
        self._waiting_size += len(data)
        if self._waiting_size > _BUFFER:
            self._flush()

    def end(self) -> Iterator[None]:
        """Do piece by piece what follows the last term, so that ``finish`` has less to do."""
        return self._terms.end()

    def finish(self, paths: Sequence[str], texts: Iterable[bytes | None]) -> None:
        """Write the rest and make it durable: ``paths`` are its files and ``texts`` what is in them, by number."""
        self._flush()
        self._directory[self._segment + _POSTINGS] = {"offset": _BEGIN.size, "length": self._postings_size}
        self._append(_TERMS, self._terms.finish())
        table, files = self._beginnings.finish()
        self._append(_BEGINNINGS, table)
        self._append(_BEGINNINGS_FILES, files)
        self._append(_PATHS, stored_paths(paths))
        for field, column in self._lengths.items():
            if column.strip(b"\0"):
                self._append(_length_column(field), column)
        self._append_texts(texts)
        at = self._file.tell()
        self._file.write(dumps(self._directory, 2) + dumps({}, 2))
        size = self._file.tell() - at
        self._file.seek(0)
        self._file.write(_BEGIN.pack(at, size))
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._fresh.replace(self._path)

    def close(self) -> None:
        """Give up a file that is not finished."""
        with suppress(OSError):
            self._file.close()
        self._fresh.unlink(missing_ok=True)

    def _append(self, name: str, data: bytes) -> None:
        self._directory[self._segment + name] = {"offset": self._file.tell(), "length": len(data)}
        self._file.write(data)

    def _append_texts(self, texts: Iterable[bytes | None]) -> None:
        begin = self._file.tell()
        sizes = [None if text is None else self._file.write(text) for text in texts]
        self._directory[self._segment + _TEXTS] = {"offset": begin, "length": self._file.tell() - begin}
        self._append(_TEXT_SIZES, stored_sizes(sizes))

    def _flush(self) -> None:
        self._file.writelines(self._waiting)
        self._waiting, self._waiting_size = [], 0


class SegmentReader:
    """Reads one segment; the terms are kept in memory once they are asked for, as each look takes many tiny reads.

    (A memory map would do too, but where a disk fails it ends the process instead of raising.)
    """

    def __init__(self, folder: Path, segment: str) -> None:
        """Open the file.

        Raises:
            FileNotFoundError: when a merge took it away.
            Exception: of many kinds, when it is damaged.

        """
        self._segment = segment
        self._file = file_of(folder, segment).open("rb", buffering=0)
        try:
            at, size = _BEGIN.unpack(self._read(0, _BEGIN.size))
            self._directory: dict[str, Any] = loads(self._read(at, size))  # noqa: S301 - our own
            self._postings_at: int = self._directory[segment + _POSTINGS]["offset"]
        except BaseException:
            self._file.close()
            raise

    @cached_property
    def _texts_at(self) -> int:
        return int(self._directory[self._segment + _TEXTS]["offset"])

    @cached_property
    def terms(self) -> TermReader:
        """Its terms."""
        return TermReader(self._whole(_TERMS) or b"")

    def beginnings(self, count: int) -> BeginningReader:
        """Return what it keeps of short beginnings; it has ``count`` files."""
        return BeginningReader(self._whole(_BEGINNINGS) or b"", FIELD_NUMBERS, count)

    def files_with_beginning(self, begin: int, size: int) -> bytes:
        """Return the bytes to which an entry of :meth:`beginnings` points."""
        return self._read(self._directory[self._segment + _BEGINNINGS_FILES]["offset"] + begin, size)

    def paths(self, count: int) -> tuple[str, ...]:
        """Return the paths of its ``count`` files, by number."""
        return tuple(paths_of(self._whole(_PATHS) or b"", count))

    def lengths(self, field: str, count: int) -> bytes:
        """Return the byte of a field's length in each file."""
        return lengths_of(self._whole(_length_column(field)), count)

    def postings(self, info: TermInfo) -> bytes:
        """Return the bytes of one term's postings."""
        return self._read(self._postings_at + info.offset, info.size)

    def text_edges(self, count: int) -> tuple[Sequence[int], bytes]:
        """Return where the text of each of its ``count`` files begins, and the last ends, and which have one."""
        return text_edges(self._whole(_TEXT_SIZES) or b"", count)

    def text(self, begin: int, end: int) -> bytes:
        """Return what stands between two edges of texts."""
        return self._read(self._texts_at + begin, end - begin)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _whole(self, name: str) -> bytes | None:
        entry = self._directory.get(self._segment + name)
        return self._read(entry["offset"], entry["length"]) if entry else None

    def _read(self, at: int, size: int) -> bytes:
        self._file.seek(at)
        data = self._file.read(size)
        if len(data) != size:
            raise EOFError
        return data
