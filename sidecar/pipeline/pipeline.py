"""Look at paths again: compare the disk with what is known, and bring catalog and index up to date.

Start-up, a watcher's event, an agent's write and "reindex" are this one code path with another list of paths.
"""

import logging
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from threading import Event, Lock
from typing import Protocol

from sidecar.catalog.snapshot import Snapshot
from sidecar.catalog.store import Catalog
from sidecar.errors import SidecarError
from sidecar.model.file import FileStat, FileState, checksum
from sidecar.model.note import FileKind, ParsedFile, kind_of
from sidecar.model.path import VaultPath
from sidecar.model.ports import Changed, Events, SearchIndex
from sidecar.model.search import PropertyIs
from sidecar.parse.file import parse_file
from sidecar.pipeline.writer_thread import WriterThread
from sidecar.vault.files import VaultFiles
from sidecar.vault.ignore import Access, AccessRules

__all__ = ["Pipeline", "Progress"]

_log = logging.getLogger(__name__)

_PRIVATE = PropertyIs("private", value=True)
_SLICE_PATHS = 32
_SLICE_SECONDS = 0.05
_COMMIT_EVERY = 1000
"""Files looked at between commits while a long list is worked off; an agent's write commits at once."""


class _Index(SearchIndex, Protocol):
    def paths_held(self) -> frozenset[VaultPath]: ...

    def merge_small(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the background work is."""

    pending: int
    total: int
    """Files the current run of work began with; 0 when nothing is pending."""
    last_event_ns: int | None
    last_reconcile_ns: int | None
    problems: Mapping[VaultPath, str]
    """Files that could not be read, and why."""


class Pipeline:
    """Owns the way from disk to catalog and index; everything that writes runs on the writer thread."""

    def __init__(
        self,
        files: VaultFiles,
        catalog: Catalog,
        index: _Index,
        rules: AccessRules,
        writer: WriterThread,
        events: Events,
    ) -> None:
        self._files = files
        self._catalog = catalog
        self._index = index
        self._rules = rules
        self._writer = writer
        self._events = events
        self._lock = Lock()
        self._pending: dict[VaultPath, bool] = {}
        self._total = 0
        self._working = False
        self._idle = Event()
        self._idle.set()
        self._touched: dict[VaultPath, None] = {}
        self._looked = 0
        self._problems: dict[VaultPath, str] = {}
        self._last_event: int | None = None
        self._last_reconcile: int | None = None

    @property
    def progress(self) -> Progress:
        """Tell how far the background work is; callable from any thread."""
        with self._lock:
            return Progress(
                len(self._pending), self._total, self._last_event, self._last_reconcile, dict(self._problems)
            )

    def look_again(self, paths: frozenset[VaultPath] | None) -> None:
        """Have these paths looked at soon; ``None`` compares the whole vault. Any thread may call."""
        self._last_event = time.time_ns()
        if paths is None:
            self.reconcile()
        else:
            self._enqueue(dict.fromkeys(paths, False))

    def reconcile(self) -> int:
        """Compare the whole disk with what is known and queue the differences, newest first; return their number."""
        known = self._catalog.snapshot.files
        on_disk = {stat.path: stat for stat in self._files.scan()}
        # Denied files are known but never in the index.
        held = self._index.paths_held() | self._catalog.reader().matching(_PRIVATE)
        changed = [stat for stat in on_disk.values() if _differs(stat, known) or self._is_missing(stat.path, held)]
        changed.sort(key=lambda s: (-s.mtime_ns, s.path))
        gone = [path for path in known if path not in on_disk]
        self._last_reconcile = time.time_ns()
        self._enqueue({**dict.fromkeys(gone, False), **{s.path: s.path not in held for s in changed}})
        return len(gone) + len(changed)

    def look_now(self, paths: Iterable[VaultPath]) -> Snapshot:
        """Bring these paths up to date and publish, at once; only on the writer thread."""
        for path in paths:
            with self._lock:
                self._pending.pop(path, None)
            self._look(path, again=True)
        return self._publish()

    def settle(self, seconds: float | None = None) -> bool:
        """Wait until nothing is pending, at most so long; tell whether that is so. Not on the writer thread."""
        return self._idle.wait(seconds)

    def _is_missing(self, path: VaultPath, held: frozenset[VaultPath]) -> bool:
        return path not in held and self._rules.access(path, {}) is not Access.DENIED

    def _enqueue(self, paths: Mapping[VaultPath, bool]) -> None:
        with self._lock:
            self._pending.update(paths)
            self._total = max(self._total, len(self._pending))
            start = bool(self._pending) and not self._working
            self._working = self._working or start
            if start:
                self._idle.clear()
        if start:
            self._writer.submit_background(self._work)

    def _work(self) -> None:
        if self._slice():
            self._writer.submit_background(self._work)
        else:
            self._writer.submit_background(self._tidy)

    def _tidy(self) -> None:
        """Merge small segments of the index, a few at a time, while nothing else is to do."""
        if self._index.merge_small():
            self._writer.submit_background(self._tidy)

    def _slice(self) -> bool:
        """Look at a few pending paths; tell whether more are left."""
        deadline = time.monotonic() + _SLICE_SECONDS
        for _ in range(_SLICE_PATHS):
            with self._lock:
                path = next(iter(self._pending), None)
                again = path is not None and self._pending.pop(path)
            if path is None:
                break
            self._look(path, again=again)
            if time.monotonic() > deadline:
                break
        with self._lock:
            more = bool(self._pending)
        if self._touched and (not more or self._looked >= _COMMIT_EVERY):
            self._publish()
        with self._lock:
            self._working = bool(self._pending)
            if not self._working:
                self._total = 0
                self._idle.set()
            return self._working

    def _publish(self) -> Snapshot:
        # The index first: a crash in between leaves the catalog behind, and the next start looks again.
        self._index.commit()
        snapshot = self._catalog.commit()
        touched, self._touched, self._looked = tuple(self._touched), {}, 0
        if touched:
            self._events.publish(Changed(touched, snapshot.generation))
        return snapshot

    def _look(self, path: VaultPath, *, again: bool) -> None:
        self._looked += 1
        try:
            self._compare(path, again=again)
            self._problems.pop(path, None)
        except SidecarError as error:
            self._problems[path] = error.message
        except Exception as error:  # noqa: BLE001
            # One file must never cost its neighbours; its text stays out of the log.
            self._problems[path] = f"unexpected {type(error).__name__}"
            _log.error("A file could not be indexed: %s.", type(error).__name__)

    def _compare(self, path: VaultPath, *, again: bool) -> None:
        known = self._catalog.known().get(path)
        stat = self._files.stat(path)
        if stat is None:
            if known is not None:
                self._catalog.remove(path)
                self._index.remove(path)
                self._touched[path] = None
            return
        if known is not None and not again and (known.mtime_ns, known.size) == (stat.mtime_ns, stat.size):
            return
        if kind_of(path) is FileKind.ATTACHMENT:
            parsed, digest = ParsedFile(path, FileKind.ATTACHMENT, path.basename, ""), ""
        else:
            data = self._files.read(path)
            parsed, digest = parse_file(path, data), checksum(data)
        self._catalog.put(parsed, stat, digest)
        if self._rules.access(path, parsed.properties) is Access.DENIED:
            self._index.remove(path)
        else:
            self._index.put(parsed)
        self._touched[path] = None


def _differs(stat: FileStat, known: Mapping[VaultPath, FileState]) -> bool:
    state = known.get(stat.path)
    return state is None or (state.mtime_ns, state.size) != (stat.mtime_ns, stat.size)
