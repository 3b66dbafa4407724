"""One file of vectors: which files of the vault it covers, where their passages are, and the vectors themselves."""

import json
import mmap
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from sidecar.model.path import VaultPath
from sidecar.semantic.arrays import Vectors, joined

__all__ = ["Embedded", "Segment", "place_list"]

_LENGTH = 8


@dataclass(frozen=True, slots=True)
class Embedded:
    """All passages of one file of the vault."""

    path: VaultPath
    key: str
    """Changes whenever the file would have other passages."""
    places: bytes
    """Line and heading of each passage, as JSON: they are looked at only when one is found."""
    vectors: Vectors


def place_list(places: Sequence[tuple[int, str | None]]) -> bytes:
    """Return lines and headings in the form in which they are kept."""
    return json.dumps(places, ensure_ascii=False).encode("utf-8", "replace")


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """A file of vectors that is never changed, with its table of contents in memory."""

    file: Path
    checksum: int
    paths: tuple[VaultPath, ...]
    keys: tuple[str, ...]
    starts: tuple[int, ...]
    """Where each file's rows begin, and at last where the last end."""
    vectors: Vectors
    _mapped: mmap.mmap
    """Stays readable when the file has been replaced by another meanwhile."""
    _places: tuple[int, ...]
    """Where each file's lines and headings begin in the segment, and at last where the last end."""
    numbers: Mapping[VaultPath, int]

    @classmethod
    def write(cls, file: Path, entries: Sequence[Embedded], dimensions: int) -> "Segment":
        """Write a new segment.

        Raises:
            OSError: when the disk refuses; what was written of it is of no use then.

        """
        contents = [[entry.path, entry.key, len(entry.vectors), len(entry.places)] for entry in entries]
        head = json.dumps(contents, ensure_ascii=False).encode("utf-8", "surrogatepass")
        vectors = joined([entry.vectors for entry in entries], dimensions)
        parts = (len(head).to_bytes(_LENGTH, "little"), head, *(entry.places for entry in entries), vectors.tobytes())
        file.write_bytes(b"".join(parts))
        return cls.open(file, dimensions)

    @classmethod
    def open(cls, file: Path, dimensions: int) -> "Segment":
        """Open a segment.

        Raises:
            ValueError: when it is not what was written; other errors may say so too.
            OSError: when it cannot be read.

        """
        with file.open("rb") as opened:
            mapped = mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)
        length = int.from_bytes(mapped[:_LENGTH], "little")
        contents = json.loads(mapped[_LENGTH : _LENGTH + length].decode("utf-8", "surrogatepass"))
        starts = tuple(accumulate((rows for _, _, rows, _ in contents), initial=0))
        places = tuple(accumulate((count for *_, count in contents), initial=_LENGTH + length))
        vectors = Vectors.of(mapped, places[-1], starts[-1], dimensions)
        paths = tuple(VaultPath(path) for path, *_ in contents)
        numbers = {path: number for number, path in enumerate(paths)}
        keys = tuple(str(key) for _, key, *_ in contents)
        return cls(file, zlib.crc32(mapped), paths, keys, starts, vectors, mapped, places, numbers)

    def __len__(self) -> int:
        return len(self.paths)

    def rows(self, number: int) -> int:
        """Return how many passages a file has."""
        return self.starts[number + 1] - self.starts[number]

    def entry(self, number: int, path: VaultPath | None = None) -> Embedded:
        """Return what is kept of one file, under another path if there is one."""
        vectors = self.vectors.between(self.starts[number], self.starts[number + 1])
        return Embedded(path or self.paths[number], self.keys[number], self._read_places(number), vectors)

    def place(self, number: int, row: int) -> tuple[int, str | None]:
        """Return line and heading of the passage of a row."""
        line, heading = json.loads(self._read_places(number))[row - self.starts[number]]
        return line, heading

    def _read_places(self, number: int) -> bytes:
        return self._mapped[self._places[number] : self._places[number + 1]]
