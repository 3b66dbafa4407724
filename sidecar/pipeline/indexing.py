"""Looking at one file and bringing catalog and index up to date with it; only on the writer thread."""

import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

from sidecar.catalog.snapshot import Snapshot
from sidecar.catalog.store import Catalog
from sidecar.errors import NotFound, SidecarError, Unavailable
from sidecar.model.file import FileStat, checksum
from sidecar.model.note import Json, ParsedFile
from sidecar.model.path import VaultPath
from sidecar.parse.file import parse_file, parse_name
from sidecar.pipeline.build.wire import ReadFile
from sidecar.pipeline.differences import has_text
from sidecar.pipeline.faults import Faults
from sidecar.pipeline.pending import Look
from sidecar.vault.glance import Glance
from sidecar.vault.ignore import Access, CurrentRules

__all__ = ["FileIndex", "Indexing", "Published", "StoreFailed"]

FileStatAndHash: TypeAlias = tuple[int, int, str]
"""Time of the last change in nanoseconds, size, and hash, as in ``FileState``."""

_COARSEST_TIME_NS = 2_000_000_000
"""Some disks keep times in steps of two seconds."""
_MOST_KEPT = 1000
"""Files whose text is kept in memory until the index has them; more of them are read a second time."""
_log = logging.getLogger(__name__)


class FileIndex(Protocol):
    """What the pipeline needs of the search index."""

    def put(self, file: ParsedFile) -> None: ...

    def remove(self, path: VaultPath) -> None: ...

    def commit(self) -> None: ...

    def paths_held(self) -> frozenset[VaultPath]: ...

    def merge_small(self) -> bool: ...


class StoreFailed(Exception):  # noqa: N818 - never leaves the pipeline
    """Catalog or index could not take a file; all since the last commit has to be looked at again."""


@dataclass(frozen=True, slots=True)
class Published:
    """The vault after a commit, the files that look different since the one before, and what the index could not do."""

    snapshot: Snapshot
    changed: tuple[VaultPath, ...]
    fault: str | None = None
    is_index_anew: bool = False
    """The index was damaged and begins anew, so that it lacks what nobody put in again."""
    unindexed: tuple[VaultPath, ...] = ()
    """Files that the index has forgotten because of a look that was to leave it at that."""


@dataclass(frozen=True, slots=True)
class _Seen:
    stat: FileStat
    hash: str
    parsed: ParsedFile | None
    """``None`` when the catalog keeps what it knows, since only the index lacks the file."""
    is_in_catalog: bool = False


class Indexing:
    """Takes files into catalog and index, which show all of them at the next ``publish``."""

    def __init__(self, catalog: Catalog, index: FileIndex, rules: CurrentRules) -> None:
        self._catalog = catalog
        self._index = index
        self._rules = rules
        self._fresh: dict[VaultPath, _Seen | None] = {}
        self._changed: dict[VaultPath, None] = {}
        self._young: dict[VaultPath, None] = {}
        self._unindexed: dict[VaultPath, None] = {}
        self._kept: dict[VaultPath, _Seen] = {}
        self._faults = Faults(catalog)

    @property
    def unpublished(self) -> int:
        """Number of files that the next ``publish`` will show, or will remember that they cannot be read."""
        return len(self._fresh) + self._faults.unsaved

    @property
    def problems(self) -> dict[VaultPath, str]:
        """Files that could not be read, or not wholly, and why; callable from any thread."""
        return self._faults.reasons

    @property
    def unreadable(self) -> frozenset[VaultPath]:
        """Files that could not be read when they were last looked at; from any thread."""
        return self._faults.unread

    @property
    def young(self) -> frozenset[VaultPath]:
        """Files that were read so soon after a change that a second one may bear the same time; from any thread."""
        return frozenset(self._young.copy())

    def look(self, path: VaultPath, look: Look, files: Glance) -> bool:
        """Compare a file with what is known of it; ``False`` when it vanished though ``look`` does not expect that.

        ``files`` shows it as it is now. A text is compared by its hash: a file of our own writing, or one that was only
        touched, is not indexed again.
        What is wrong with one file is a problem of this file only; it is known by its name nevertheless.

        Raises:
            StoreFailed: when catalog or index cannot take it.

        """
        stat = files.stat(path)
        known = self._known(path)
        if stat is None:
            return self._forget(path, known, look)
        again = look.is_unindexed and path not in self._fresh and look.known == self._catalog.known().get(path)
        if known and not stat.here:
            # What was read of it while it was here stays as it is.
            if again:
                self._index_name(stat, known)
            return True
        try:
            seen = self._read(stat, known, files, again=again)
        except NotFound:
            return self._forget(path, known, look)
        except Exception as error:  # noqa: BLE001 - one file must never cost its neighbours
            # What was unexpected comes from the parser, whose message may quote the note; it stays out of the log.
            self._faults.note_unread(path, _words(error))
            if not isinstance(error, SidecarError):
                _log.error("A file could not be read: %s.", type(error).__name__)
            seen = None if known else _Seen(stat, "", parse_name(path))
        else:
            self._faults.note_unread(path, None)
        if seen and seen.parsed:
            self._store(seen, seen.parsed, known, again=again, later=look.is_indexed_later)
        return True

    def take(self, file: ReadFile) -> None:
        """Take a file that another process has read, and puts into the index if it may be found.

        Raises:
            StoreFailed: when the catalog cannot take it.

        """
        path = file.stat.path
        known = self._known(path)
        if known and not file.stat.here:
            self._fresh[path] = _Seen(file.stat, known[2], None)
            return
        self._faults.note_unread(path, None)
        self._note_age(file.stat, file.read_ns)
        seen = _Seen(file.stat, file.hash, file.parsed)
        self._store(seen, file.parsed, None, again=False, elsewhere=True)

    def publish(self) -> Published:
        """Make all since the last commit visible. A fault of the index leaves the catalog's names and links right.

        Raises:
            Unavailable: when the catalog cannot be written; all since the last commit has to be looked at again.

        """
        # The index first: a crash in between leaves the catalog behind, and the next start looks again.
        fault, is_anew = self._commit_index()
        changed, unindexed = tuple(self._changed), tuple(self._unindexed)
        try:
            if fault:
                for seen in self._fresh.values():
                    if seen and seen.parsed:
                        self._catalog.put(seen.parsed, seen.stat, "")  # without a hash it will be looked at again
            snapshot = self._catalog.commit()
        except BaseException:
            self.drop()
            raise
        self._fresh.clear()
        self._changed.clear()
        self._unindexed.clear()
        self._faults.saved()
        return Published(snapshot, changed, fault, is_anew, unindexed)

    def drop(self) -> None:
        """Forget all since the last commit."""
        self._fresh.clear()
        self._changed.clear()
        self._unindexed.clear()
        self._kept.clear()
        self._catalog.rollback()
        self._faults.lost()

    def _known(self, path: VaultPath) -> FileStatAndHash | None:
        if path in self._fresh:
            seen = self._fresh[path]
            return (seen.stat.mtime_ns, seen.stat.size, seen.hash) if seen else None
        state = self._catalog.known().get(path)
        return (state.mtime_ns, state.size, state.hash) if state else None

    def _read(self, stat: FileStat, known: FileStatAndHash | None, files: Glance, *, again: bool) -> _Seen | None:
        """Return what the file says now, or ``None`` when that is known."""
        is_same_stat = known is not None and known[:2] == (stat.mtime_ns, stat.size)
        if not (stat.here and has_text(stat.path)):
            return None if is_same_stat and not again else _Seen(stat, "", parse_name(stat.path))
        read_ns = time.time_ns()
        data = files.read(stat.path)
        digest = checksum(data)
        self._note_age(stat, read_ns)
        if is_same_stat and known is not None and known[2] == digest and not again:
            return None
        kept = self._kept.pop(stat.path, None)
        if again and kept and known is not None and kept.hash == known[2] == digest and kept.stat == stat:
            return replace(kept, is_in_catalog=True)
        return _Seen(stat, digest, parse_file(stat.path, data))

    def _note_age(self, stat: FileStat, read_ns: int) -> None:
        if abs(read_ns - stat.mtime_ns) < _COARSEST_TIME_NS:
            self._young[stat.path] = None
        else:
            self._young.pop(stat.path, None)

    def _index_name(self, stat: FileStat, known: FileStatAndHash) -> None:
        """Put a file into the index by its name alone, since it lacks it while the text is elsewhere."""
        path = stat.path
        record = self._catalog.reader().note(path)
        try:
            self._index_if_allowed(parse_name(path), record.properties if record else {})
        except Exception as error:
            raise StoreFailed(_words(error)) from error
        self._fresh[path] = _Seen(FileStat(path, known[0], known[1], here=False), known[2], None)

    def _index_if_allowed(self, parsed: ParsedFile, properties: Mapping[str, Json]) -> None:
        if self._rules.access(parsed.path, properties) is Access.DENIED:
            self._index.remove(parsed.path)
        else:
            self._index.put(parsed)

    def _store(
        self,
        seen: _Seen,
        parsed: ParsedFile,
        known: FileStatAndHash | None,
        *,
        again: bool,
        elsewhere: bool = False,
        later: bool = False,
    ) -> None:
        path = seen.stat.path
        is_same_text = known is not None and known[2] == seen.hash
        self._faults.note_incomplete(path, parsed.incomplete)
        try:
            if not seen.is_in_catalog:
                self._catalog.put(parsed, seen.stat, seen.hash)
            if later and (again or not is_same_text):
                self._index.remove(path)
                self._unindexed[path] = None
                if len(self._kept) < _MOST_KEPT:
                    self._kept[path] = seen
            elif not elsewhere and (again or not is_same_text):
                self._index_if_allowed(parsed, parsed.properties)
        except Exception as error:
            raise StoreFailed(_words(error)) from error
        self._fresh[path] = seen
        if not is_same_text or not seen.hash:
            self._changed[path] = None

    def _forget(self, path: VaultPath, known: FileStatAndHash | None, look: Look) -> bool:
        if not look.may_be_gone and path in self._catalog.known():
            return False
        self._faults.forget(path)
        self._young.pop(path, None)
        if known is None and not look.is_unindexed:
            return True
        try:
            self._catalog.remove(path)
            self._index.remove(path)
        except Exception as error:
            raise StoreFailed(_words(error)) from error
        self._fresh[path] = None
        self._changed[path] = None
        return True

    def _commit_index(self) -> tuple[str | None, bool]:
        try:
            try:
                self._index.commit()
            except Unavailable:
                self._index.commit()  # a damaged one begins anew at its next commit
                return None, True
        except Exception as error:  # noqa: BLE001 - the catalog is committed whatever happened to the index
            _log.error("The index could not be committed: %s.", type(error).__name__)
            return _words(error), False
        return None, False


def _words(error: Exception) -> str:
    return error.message if isinstance(error, SidecarError) else f"unexpected {type(error).__name__}"
