"""The search index on disk: the one door to Whoosh.

Only the writer thread puts, removes, commits and merges. A search may run at the same time on another thread: it has
readers of its own for the generation that was last published.
"""

import io
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Any

from whoosh.codec.whoosh3 import W3Codec
from whoosh.fields import STORED, FieldType, Schema
from whoosh.filedb.filestore import FileStorage
from whoosh.filedb.structfile import StructFile
from whoosh.formats import Positions
from whoosh.index import TOC, FileIndex, clean_files
from whoosh.reading import SegmentReader
from whoosh.writing import SegmentWriter

from sidecar.errors import Unavailable
from sidecar.index.analysis import places
from sidecar.index.errors import IndexDamaged, IndexNotWritten
from sidecar.index.evaluate import leaves
from sidecar.index.fields import field_texts
from sidecar.index.generation import Generation, Part, SegmentRecord
from sidecar.index.ranking import ALL_FIELDS, TITLE_FIELDS, page_of
from sidecar.index.searcher import Searcher
from sidecar.index.stamp import is_intact, sync_folder, write_stamp
from sidecar.model.note import ParsedFile
from sidecar.model.path import VaultPath
from sidecar.model.ports import Scope
from sidecar.model.search import Hits, SearchRequest

__all__ = ["WhooshIndex"]

_FORM = "1"
"""Raise it whenever the words, the fields or the files of an index change: older ones are then built anew."""
_NAME = "MAIN"
_POOL_MB = 64
_BUFFERED_CHARS = 16_000_000

_MergePolicy = Callable[[Any, list[SegmentRecord]], list[SegmentRecord]]


class _WordPositions(Positions):  # type: ignore[misc]  # Whoosh has no types
    """Whoosh's own format of positions, filled by our analysis."""

    def word_values(self, value: str, _analyzer: None, **_: object) -> Iterator[tuple[str, int, float, bytes]]:
        for term, where in places(value).items():
            yield term, len(where), float(len(where)), self.encode(where)


class _Storage(FileStorage):  # type: ignore[misc]  # Whoosh has no types
    """Makes all new files survive a power failure before the table of contents names them: Whoosh never syncs.

    Lists of terms are read whole, since looking one up takes dozens of tiny reads. (A memory map would be as fast, but
    where a disk fails it ends the process instead of raising.)
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder))
        self._fresh: set[str] = set()

    def create_file(self, name: str, **options: Any) -> Any:  # noqa: ANN401 - Whoosh has no types
        self._fresh.add(name)
        return super().create_file(name, **options)

    def open_file(self, name: str, **options: Any) -> Any:  # noqa: ANN401 - Whoosh has no types
        file = super().open_file(name, **options)
        if not name.endswith(W3Codec.TERMS_EXT):
            return file
        with file:
            return StructFile(io.BytesIO(file.read()), name=name, **options)

    def rename_file(self, oldname: str, newname: str, safe: bool = False) -> None:
        for name in self._fresh:
            with suppress(FileNotFoundError), Path(self.folder, name).open("r+b") as file:
                os.fsync(file.fileno())
        self._fresh.clear()
        super().rename_file(oldname, newname, safe=safe)
        sync_folder(Path(self.folder))


def _schema() -> Schema:
    fields = {name: FieldType(format=_WordPositions(), analyzer=None, scorable=True) for name in ALL_FIELDS}
    return Schema(path=STORED(), **fields)


class WhooshIndex:
    """A full-text index in a folder of its own, which must be outside the vault and any synced folder.

    ``rebuilt`` tells that it begins empty, so that every file must be put: it is new, has an older form or was damaged.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._storage = _Storage(folder)
        self._pending: dict[VaultPath, ParsedFile | None] = {}
        self._pending_chars = 0
        self._damaged = False
        self._search_lock = Lock()
        self._searcher = Searcher(lambda part: SegmentReader(self._storage, _schema(), part.segment))
        self.rebuilt = False
        try:
            if not is_intact(folder, _FORM):
                raise IndexDamaged  # noqa: TRY301 - one way out for all that is wrong with a folder
            self._published = self._load()
        except Exception:  # noqa: BLE001 - a broken index makes Whoosh raise almost anything
            self._damaged = True
        if self._damaged:
            # Not in the handler above: until it ends, Whoosh's half-opened files are open, which Windows minds.
            self._start_anew()

    def put(self, file: ParsedFile) -> None:
        """Add or replace one file; found after the next ``commit``, at the latest.

        Many large files are committed in parts, so that the memory they take has a bound.
        """
        self._pending[file.path] = file
        self._pending_chars += len(file.body)
        if self._pending_chars > _BUFFERED_CHARS:
            self.commit()

    def remove(self, path: VaultPath) -> None:
        """Forget one file."""
        self._pending[path] = None

    def commit(self) -> None:
        """Make all changes since the last commit durable, and visible to new searches.

        Raises:
            IndexNotWritten: when the disk refuses or another process holds the index; the changes are kept.
            IndexDamaged: when the index cannot be read; the next commit starts it anew with the changes kept.

        """
        if self._damaged:
            self._start_anew()
        if self._pending:
            self._write(self._pending, ())
            self._pending, self._pending_chars = {}, 0

    def merge_small(self) -> bool:
        """Merge small segments when there are many, for idle time; tell whether it is worth calling again.

        Raises:
            IndexNotWritten: as ``commit``.
            IndexDamaged: as ``commit``.

        """
        merged = self._published.mergeable()
        if self._damaged or not merged:
            return False
        self._write({}, merged)
        return bool(self._published.mergeable())

    def paths_held(self) -> frozenset[VaultPath]:
        """Return the files that are found, or will be after the next commit; none when the index is damaged."""
        if self._damaged:
            return frozenset()
        # A copy, since any thread may ask while the writer thread puts.
        pending = self._pending.copy()
        held = set(self._published.paths()) - pending.keys()
        return frozenset(held.union(path for path, file in pending.items() if file is not None))

    def search(self, request: SearchRequest, scope: Scope) -> Hits:
        """Rank the files that match; equal scores stand in the order of their paths.

        Raises:
            IndexDamaged: when the index cannot be read.

        """
        conditions = [(leaf, scope.matching(leaf)) for leaf in leaves(request.query)]
        allowed = scope.allowed(request.filter)
        fields = TITLE_FIELDS if request.titles_only else ALL_FIELDS
        with self._search_lock:
            try:
                matches = self._searcher.matches(lambda: self._published, request.query, fields, conditions)
            except Exception as error:
                self._damaged = True
                raise IndexDamaged from error
        if allowed is not None:
            matches = [(path, score) for path, score in matches if path in allowed]
        return page_of(matches, request.offset, request.limit)

    def close(self) -> None:
        """Close the readers; changes since the last commit are dropped."""
        with self._search_lock:
            self._searcher.close()

    def _load(self) -> Generation:
        """Open what the folder holds, reading every path once."""
        toc = TOC.read(self._storage, _NAME, schema=_schema())
        generation = Generation(toc.generation, tuple(Part.of(s, self._stored_paths(s)) for s in toc.segments))
        paths = list(generation.paths())
        if len(paths) != len(set(paths)):
            raise IndexDamaged
        return generation

    def _stored_paths(self, segment: SegmentRecord) -> tuple[VaultPath, ...]:
        with closing(SegmentReader(self._storage, _schema(), segment)) as reader:
            return tuple(VaultPath(reader.stored_fields(n)["path"]) for n in range(segment.doc_count_all()))

    def _start_anew(self) -> None:
        try:
            with self._search_lock:
                self._searcher.close()
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                for entry in self._folder.iterdir():
                    if entry.name.startswith((_NAME, f"_{_NAME}")):
                        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
                FileIndex.create(self._storage, _schema(), _NAME)
                self._published = Generation(0, ())
                self._stamp()
                self._damaged = False
                self.rebuilt = True
        except OSError as error:
            raise _not_written(error) from error

    def _stamp(self) -> None:
        names = [name for name in self._storage.list() if name.endswith(".toc") or name.startswith(f"{_NAME}_")]
        write_stamp(self._folder, _FORM, [name for name in names if not name.endswith("LOCK")])

    def _write(self, changes: Mapping[VaultPath, ParsedFile | None], merged: Sequence[Part]) -> None:
        try:
            with self._locked():
                self._published = self._write_generation(changes, merged)
                self._stamp()
        except Unavailable:
            raise
        except FileNotFoundError as error:
            self._damaged = True
            raise IndexDamaged from error
        except OSError as error:
            # What a failed commit leaves behind would keep a full disk full.
            segments = [part.segment for part in self._published.parts]
            clean_files(self._storage, _NAME, self._published.number, segments)
            raise _not_written(error) from error
        except Exception as error:
            self._damaged = True
            raise IndexDamaged from error

    @contextmanager
    def _locked(self) -> Iterator[None]:
        # Whoosh's writer keeps its lock when it fails, so it works without and we hold it.
        lock = self._storage.lock(f"{_NAME}_WRITELOCK")
        if not lock.acquire():
            raise IndexNotWritten("another process is writing it")
        try:
            yield
        finally:
            lock.release()

    def _write_generation(self, changes: Mapping[VaultPath, ParsedFile | None], merged: Sequence[Part]) -> Generation:
        before = self._published
        writer = SegmentWriter(FileIndex(self._storage, _schema(), _NAME), _lk=False, limitmb=_POOL_MB, compound=False)
        try:
            if writer.generation != before.number + 1:
                # Another process wrote it: what we know of its numbers is worth nothing.
                self._damaged = True
                raise IndexDamaged  # noqa: TRY301 - the writer has to be cancelled all the same
            for number in before.numbers_of(changes.keys()):
                writer.delete_document(number)
            added = [file for file in changes.values() if file is not None]
            for file in added:
                writer.add_document(path=str(file.path), **field_texts(file))
            writer.commit(mergetype=_merging({part.id for part in merged}))
        except BaseException:
            with suppress(Exception):
                writer.cancel()
            raise
        moved = (part.paths[number] for part in merged for number in sorted(part.live))
        toc = TOC.read(self._storage, _NAME, schema=_schema())
        return before.next(toc.generation, toc.segments, (*(file.path for file in added), *moved))


def _not_written(error: OSError) -> IndexNotWritten:
    return IndexNotWritten(error.strerror or type(error).__name__)


def _merging(merged: set[str]) -> _MergePolicy:
    """Return the policy of a commit: drop segments without files, merge those named, leave the others alone."""

    def policy(writer: Any, segments: list[SegmentRecord]) -> list[SegmentRecord]:  # noqa: ANN401 - no types
        kept = []
        for segment in segments:
            if segment.deleted_count() == segment.doc_count_all():
                continue
            if segment.segment_id() not in merged:
                kept.append(segment)
                continue
            with closing(SegmentReader(writer.storage, writer.schema, segment)) as reader:
                writer.add_reader(reader)
        return kept

    return policy
