"""Look at paths again: compare the disk with what is known, and bring catalog and index up to date.

Start-up, a watcher's event, an agent's write and "reindex" are this one code path with another list of paths.
"""

import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from threading import Event, Lock
from typing import Protocol

from sidecar.catalog.snapshot import Snapshot
from sidecar.catalog.store import Catalog
from sidecar.errors import SidecarError, Unavailable
from sidecar.model.path import VaultPath
from sidecar.model.ports import Changed, Events
from sidecar.pipeline.build.building import Building, BuiltIndex
from sidecar.pipeline.comparing import Comparing
from sidecar.pipeline.differences import Differences
from sidecar.pipeline.holding import DeletionHold
from sidecar.pipeline.indexing import FileIndex, Indexing, StoreFailed
from sidecar.pipeline.missed import Missed
from sidecar.pipeline.pace import CommitPace
from sidecar.pipeline.pending import CHANGED, GONE, Look, Pending
from sidecar.pipeline.progress import Progress
from sidecar.pipeline.reconciler import Reconciler
from sidecar.pipeline.tidying import Tidying
from sidecar.pipeline.writer_thread import WriterThread
from sidecar.vault.files import VaultFiles
from sidecar.vault.ignore import CurrentRules

__all__ = ["Pipeline", "Progress"]

_log = logging.getLogger(__name__)

_SLICE_PATHS = 32
_SLICE_SECONDS = 0.05
_MENDED_AT_ONCE = 32
"""So many the index takes in the time in which it takes one."""
_AT_WORK = 0.25
"""Seconds from an agent's last write in which the next one is likely to come."""
_FEWEST_TO_BUILD = 2000
"""Below that, starting processes takes longer than they save."""


class _Index(FileIndex, BuiltIndex, Protocol):
    pass


class Pipeline:
    """Owns the way from disk to catalog and index; everything that writes runs on the writer thread."""

    def __init__(
        self,
        files: VaultFiles,
        catalog: Catalog,
        index: _Index,
        rules: CurrentRules,
        writer: WriterThread,
        events: Events,
        clock: Callable[[], float] = time.monotonic,
        worked: Callable[[], object] = lambda: None,
    ) -> None:
        """Take the parts; ``worked`` is called whenever background work begins, ends or fails."""
        self._files = files
        self._catalog = catalog
        self._index = index
        self._writer = writer
        self._events = events
        self._clock = clock
        self._indexing = Indexing(catalog, index, rules)
        self._hold = DeletionHold(clock)
        self._comparing = Comparing(files, catalog, index, rules, self._indexing, self._hold)
        self._compares = Lock()
        self._rules = rules
        self._building = Building(files.root, index, self._indexing.take)
        self._reconciler = Reconciler(
            self._reconcile, lambda: self._hold.due, clock, lambda: writer.quiet_seconds < _AT_WORK
        )
        self._pending = Pending(worked)
        self._pace = CommitPace()
        self._missed = Missed()
        self._closing = Event()
        self._tidying = Tidying(index, writer, self._failed)
        self._fault: str | None = None
        self._last_event: int | None = None
        self._last_reconcile: int | None = None

    @property
    def progress(self) -> Progress:
        """Tell how far the background work is; callable from any thread."""
        pending, total = self._pending.counts
        left_out = {VaultPath(problem.path): problem.reason for problem in self._files.problems}
        return Progress(
            pending=pending,
            total=total,
            last_event_ns=self._last_event,
            last_reconcile_ns=self._last_reconcile,
            problems={**left_out, **self._indexing.problems},
            missed=self._missed.files(self._clock()),
            held=self._hold.held,
            fault=self._fault,
            awaited=self._pending.urgent,
        )

    @property
    def waiting(self) -> tuple[VaultPath, ...]:
        """Files that the index does not show as they are, as far as that is known; callable from any thread."""
        return self._pending.waiting

    def catch_up(self, seconds: float) -> bool:
        """Wait until the index has all that agents changed, at most so long; tell whether that is so.

        Any thread may call but the writer thread.
        """
        return self._pending.settle_urgent(0 if self._writer.is_held else seconds)

    def start(self) -> None:
        """Compare everything soon, and now and then from then on."""
        self._reconciler.ask()
        self._tidying.begin()

    def close(self) -> None:
        """Compare no more, and end the processes of a build."""
        self._closing.set()
        self._reconciler.close()
        self._building.close()

    def look_again(self, paths: frozenset[VaultPath] | None) -> None:
        """Have these paths looked at soon; ``None`` compares the whole vault. Any thread may call."""
        self._last_event = time.time_ns()
        self._missed.told(paths, self._clock())
        if paths is None:
            self._reconciler.ask()
        else:
            self._look_soon(paths)

    def reconcile_soon(self) -> None:
        """Have everything compared on a thread made for it; any thread may call."""
        self._reconciler.ask()

    def reconcile(self) -> int:
        """Compare the whole disk with what is known and queue the differences, newest first; return their number.

        Raises:
            Unavailable: when the vault's folder cannot be listed; nothing is forgotten then.

        """
        found = self._compare()
        return found.count if found else 0

    def look_now(self, paths: Iterable[VaultPath], mended: Collection[VaultPath] = ()) -> Snapshot:
        """Bring these paths up to date and publish, at once; only on the writer thread.

        Where many of them are only ``mended``, the catalog has them at once, with their links; the index has them in
        the background (:meth:`catch_up`), and until then they wait as others do.

        Raises:
            Unavailable: when the catalog cannot be written.

        """
        paths = tuple(paths)
        may_wait = len(mended) > _MENDED_AT_ONCE and not self._writer.is_held
        looks = self._pending.take_these(paths, frozenset(mended if may_wait else ()))
        self._building.supersede(paths)
        try:
            files = self._files.glance()
            for path, look in looks.items():
                self._indexing.look(path, look, files)
            return self._publish()
        except StoreFailed as error:
            self._failed(str(error))
            raise Unavailable(f"The files are as they should be, but not their index: {error}") from error
        except SidecarError as error:
            self._failed(error.message)
            raise

    def rebuild(self) -> None:
        """Have every file read and indexed anew in the background, while what is known still answers."""
        looks = {path: Look(is_unindexed=True, known=state) for path, state in self._catalog.known().items()}
        self._queue(looks)
        self._reconciler.ask()

    def settle(self, seconds: float | None = None) -> bool:
        """Wait until nothing is pending, at most so long; tell whether that is so. Not on the writer thread."""
        end = None if seconds is None else time.monotonic() + seconds
        if not self._reconciler.settle(seconds):
            return False
        return self._pending.settle(None if end is None else max(0.0, end - time.monotonic()))

    def _reconcile(self, is_asked: bool) -> None:
        is_working = not self._pending.settle(0)
        try:
            found = self._compare()
        except SidecarError as error:
            _log.warning("Nothing could be compared: %s", type(error).__name__)
            return
        if found and not is_asked and not is_working:
            unreadable = self._indexing.problems
            self._missed.found((p for p in (*found.changed, *found.gone) if p not in unreadable), self._clock())

    def _compare(self) -> Differences | None:
        with self._compares:
            unpublished, leaving = self._pending.taken, self._pending.leaving
            compared = self._comparing.compare(leaving, self._closing)
            if compared is None:
                return None
            self._last_reconcile = time.time_ns()
            self._queue({**dict.fromkeys(unpublished, CHANGED), **compared.looks})
            return compared.differences

    def _look_soon(self, paths: Iterable[VaultPath]) -> None:
        """Queue paths that an event named; when too many of them are gone, a comparison of everything judges."""
        known, files = self._catalog.known(), self._files.glance()
        looks = dict.fromkeys(paths, CHANGED)
        gone = dict.fromkeys((path for path in looks if path in known and files.stat(path) is None), GONE)
        if gone and not self._comparing.may_vanish(gone.keys()):
            self._reconciler.ask()
            looks = {path: look for path, look in looks.items() if path not in gone}
        else:
            looks = {**gone, **{path: look for path, look in looks.items() if path not in gone}}
        self._queue(looks)

    def _queue(self, looks: Mapping[VaultPath, Look]) -> None:
        if self._pending.add(looks):
            self._writer.submit_background(self._work)

    def _work(self) -> None:
        """Work off one slice; whatever goes wrong, the work goes on or is planned anew."""
        try:
            self._slice()
        except StoreFailed as error:
            self._failed(str(error))
        except SidecarError as error:
            self._failed(error.message)
        except Exception as error:  # noqa: BLE001 - nobody waits for this job
            _log.exception("Indexing failed; trying again")
            self._failed(f"unexpected {type(error).__name__}")
        if not self._pending.finish():
            self._writer.submit_background(self._work)

    def _slice(self) -> None:
        """Look at a few pending paths, and publish when they are the last or enough are gathered."""
        self._build()
        deadline, files = time.monotonic() + _SLICE_SECONDS, self._files.glance()
        vanished: list[VaultPath] = []
        for _ in range(_SLICE_PATHS):
            taken = self._pending.take()
            if taken is None:
                break
            if not self._indexing.look(*taken, files):
                vanished.append(taken[0])
            if time.monotonic() > deadline:
                break
        if vanished:
            self._look_soon(vanished)
        pending, _ = self._pending.counts
        gathered = self._indexing.unpublished
        if not gathered:
            self._pending.published()  # all is as it was known
        elif not pending or gathered >= self._pace.allowed(self._writer.quiet_seconds):
            self._publish()

    def _build(self) -> None:
        """Have very many new files read and indexed by other processes, and take what they found."""
        if not self._building.is_running:
            if not self._building.is_possible or self._closing.is_set():
                return
            paths = self._pending.lend(self._is_new, _FEWEST_TO_BUILD)
            if not paths:
                return
            denied = self._rules.latest().denied_among(paths)
            self._building.begin([(path, path not in denied) for path in paths])
        step = self._building.step()
        if step.is_publishable or step.left:
            self._publish()
        self._pending.give_back((*step.done, *step.left))
        known = self._catalog.known()
        self._queue({path: Look(is_unindexed=True, known=known.get(path)) for path in step.left})

    def _is_new(self, path: VaultPath, look: Look) -> bool:
        return not look.may_be_gone and (look.is_unindexed or path not in self._catalog.known())

    def _publish(self) -> Snapshot:
        files, begin = self._indexing.unpublished, time.thread_time()
        published = self._indexing.publish()
        known = published.snapshot.files
        self._queue({p: Look(is_unindexed=True, known=known.get(p), is_urgent=True) for p in published.unindexed})
        self._pending.published()
        self._pace.measured(files, time.thread_time() - begin)
        if published.fault:
            self._failed(published.fault)
        elif files:
            self._fault = None
            self._reconciler.succeeded()
            self._tidying.committed()
        if published.is_index_anew:
            self._reconciler.ask()
        if published.changed:
            self._events.publish(Changed(published.changed, published.snapshot.generation))
        return published.snapshot

    def _failed(self, fault: str) -> None:
        """Give up what is gathered: once the disk allows, a comparison finds it again."""
        self._fault = fault
        self._building.close()
        self._indexing.drop()
        self._pending.drop()
        self._reconciler.failed()
