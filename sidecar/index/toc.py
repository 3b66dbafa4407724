"""The index's table of contents, lock and housekeeping: the one door to Whoosh.

The segments themselves are written and read by :mod:`sidecar.index.segment_file` in Whoosh's format.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from whoosh.codec.whoosh3 import W3Codec, W3Segment
from whoosh.fields import STORED, FieldType, Schema
from whoosh.filedb.filestore import FileStorage
from whoosh.formats import Positions
from whoosh.index import TOC

from sidecar.index.generation import SegmentRecord
from sidecar.index.segment_file import FIELD_NUMBERS, INDEX_NAME, name_of

__all__ = ["TableOfContents"]


class _Storage(FileStorage):  # type: ignore[misc]  # Whoosh has no types
    """Makes a table of contents survive a power failure before it gets its name: Whoosh never syncs."""

    def rename_file(self, oldname: str, newname: str, safe: bool = False) -> None:
        with Path(self.folder, oldname).open("r+b") as file:
            os.fsync(file.fileno())
        super().rename_file(oldname, newname, safe=safe)


class TableOfContents:
    """Says which segments make up the index in a folder, from one numbered generation to the next."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._storage = _Storage(str(folder))

    @property
    def names(self) -> Sequence[str]:
        """The names of all files that belong to the index, lock excepted."""
        return [
            name
            for name in self._storage.list()
            if name.startswith((f"{INDEX_NAME}_", f"_{INDEX_NAME}_")) and not name.endswith("LOCK")
        ]

    def newest(self) -> int:
        """Return the number of the newest generation in the folder, -1 when there is none."""
        return int(TOC._latest_generation(self._storage, INDEX_NAME))  # noqa: SLF001 - it has no public name

    def read(self) -> tuple[int, tuple[SegmentRecord, ...]]:
        """Return the newest generation and its segments.

        Raises:
            Exception: of many kinds, when there is none or it is damaged.

        """
        toc = TOC.read(self._storage, INDEX_NAME, schema=_schema())
        return toc.generation, tuple(map(_record, toc.segments))

    def write(self, generation: int, segments: Sequence[SegmentRecord]) -> None:
        """Write the next generation durably; the segments' files must be so already.

        Raises:
            OSError: when the disk refuses.

        """
        TOC(_schema(), [_whoosh_segment(segment) for segment in segments], generation).write(self._storage, INDEX_NAME)

    def sweep(self, generation: int, segments: Sequence[SegmentRecord], most: int | None = None) -> bool:
        """Delete files of other generations and segments, as far as the system lets us, and at most so many.

        Tell whether any are left.
        """
        kept = {TOC._filename(INDEX_NAME, generation), *(name_of(s.id) for s in segments)}  # noqa: SLF001 - it has no public name
        others = [name for name in self.names if name not in kept]
        for name in others[:most]:
            with suppress(OSError):
                self._storage.delete_file(name)
        return most is not None and len(others) > most

    @contextmanager
    def locked(self) -> Iterator[bool]:
        """Hold the lock of writers; the value tells whether it was free."""
        lock: Any = self._storage.lock(f"{INDEX_NAME}_WRITELOCK")
        free = bool(lock.acquire())
        try:
            yield free
        finally:
            if free:
                lock.release()


def _schema() -> Schema:
    fields = {name: FieldType(format=Positions(), analyzer=None, scorable=True) for name in FIELD_NUMBERS}
    return Schema(path=STORED(), **fields)


def _record(segment: Any) -> SegmentRecord:  # noqa: ANN401 - Whoosh has no types
    return SegmentRecord(
        segment.segment_id(),
        segment.doc_count_all(),
        dict(segment._fieldlengths),  # noqa: SLF001 - Whoosh's own writer puts it there
        frozenset(segment.deleted_docs()),
    )


def _whoosh_segment(record: SegmentRecord) -> Any:  # noqa: ANN401 - Whoosh has no types
    segment = W3Segment(
        W3Codec(), INDEX_NAME, record.count, record.id.removeprefix(f"{INDEX_NAME}_"), set(record.deleted) or None
    )
    segment.compound = True
    segment._fieldlengths = dict(record.totals)  # noqa: SLF001
    return segment
