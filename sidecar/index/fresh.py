"""What was put and removed since the last commit of the index."""

from collections.abc import Set as AbstractSet
from pathlib import Path

from sidecar.index.generation import Part, SegmentRecord
from sidecar.index.pool import Pool
from sidecar.index.segment_file import new_segment
from sidecar.model.note import ParsedFile
from sidecar.model.path import VaultPath

__all__ = ["FreshFiles"]

_POOL_SIZE = 60_000_000


class FreshFiles:
    """Files that make the next segment, and all that earlier segments say no more; only on the writer thread."""

    def __init__(self) -> None:
        self._pool = Pool()
        self._changed: set[VaultPath] = set()
        self._numbers: dict[VaultPath, int] = {}
        self._superseded: set[int] = set()

    @property
    def changed(self) -> AbstractSet[VaultPath]:
        """The files that were put or removed; a copy, since any thread may ask."""
        return self._changed.copy()

    @property
    def paths(self) -> AbstractSet[VaultPath]:
        """The files that were put and not removed again; a copy, since any thread may ask."""
        return self._numbers.copy().keys()

    @property
    def is_large(self) -> bool:
        """Whether it takes so much memory that it had better be written."""
        return self._pool.size > _POOL_SIZE

    def put(self, file: ParsedFile) -> None:
        """Add or replace one file."""
        self.remove(file.path)
        self._numbers[file.path] = self._pool.add(file)

    def remove(self, path: VaultPath) -> None:
        """Forget one file."""
        self._changed.add(path)
        superseded = self._numbers.pop(path, None)
        if superseded is not None:
            self._superseded.add(superseded)

    def write(self, folder: Path) -> Part | None:
        """Write the segment; ``None`` when no files were put. All stays as it is, to be written again if need be.

        Raises:
            OSError: when the disk refuses.

        """
        if not self._numbers:
            return None
        name, paths = new_segment(), self._pool.paths
        self._pool.write(folder, name)
        return Part.of(SegmentRecord(name, len(paths), dict(self._pool.totals), frozenset(self._superseded)), paths)
