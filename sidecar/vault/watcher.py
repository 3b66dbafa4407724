"""Watching a vault: tells which files to look at again, once they have come to rest (contract H3, H4)."""

import errno
import logging
import os
import platform
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver
from watchdog.observers.polling import PollingObserverVFS

from sidecar.errors import SidecarError
from sidecar.model.path import VaultPath
from sidecar.vault.files import VaultFiles
from sidecar.vault.settling import Settling
from sidecar.vault.walk import is_usable_name, shown_name

__all__ = ["LookAgain", "Watcher"]

LookAgain = Callable[[frozenset[VaultPath] | None], None]

_EVENTS: list[type[FileSystemEvent]] = [
    FileCreatedEvent,
    FileModifiedEvent,
    FileDeletedEvent,
    FileMovedEvent,
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
]
_STEP = 0.05
_HEALTH_CHECK = 2.0
_POLLING_INTERVAL = 1.0
_WATCHES_USED_UP = frozenset({errno.ENOSPC, errno.EMFILE})
_log = logging.getLogger(__name__)


class Watcher:
    """Calls ``look_again`` on a thread of its own with the files that changed, or ``None`` for all of them.

    ``None`` stands for whatever is told better by comparing everything: folders that came, went or moved, a burst of
    changes, lost events, a watch that had to be set up anew. A call may name files that did not change after all.
    """

    def __init__(self, root: Path, look_again: LookAgain, debounce: float = 0.3) -> None:
        self._files = VaultFiles(root)
        self._look_again = look_again
        self._settling = Settling(debounce)
        self._observer: BaseObserver | None = None
        self._roots: dict[str, VaultPath] = {}
        self._identity: tuple[int, int] | None = None
        self._is_lost = False
        self._woken = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)

    def start(self) -> None:
        """Watch from now on; changes before this are not told.

        Raises:
            OSError: when the vault's folder cannot be watched at all.

        """
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"watchdog\.")
        self._observe()
        self._thread.start()

    def stop(self) -> None:
        """Stop watching; ``look_again`` is not called any more when this returns."""
        self._stopping.set()
        self._woken.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join()
        self._close_observer()

    def _run(self) -> None:
        checked = time.monotonic()
        while not self._stopping.is_set():
            self._woken.wait(_STEP if self._settling.is_waiting else _HEALTH_CHECK)
            self._woken.clear()
            if time.monotonic() - checked >= _HEALTH_CHECK:
                self._revive()
                checked = time.monotonic()
            self._report()
            self._stopping.wait(_STEP)

    def _report(self) -> None:
        due = self._settling.due(time.monotonic(), self._measure)
        if due is not None and any(_is_linked_folder(self._files.root / path) for path in due):
            due = None
        if due is None:
            self._follow_folders()
        elif not due:
            return
        try:
            self._look_again(due)
        except Exception:  # noqa: BLE001 - whatever it was, the watcher has to live on
            _log.exception("Looking at changed files failed")

    def _measure(self, path: VaultPath) -> tuple[int, int] | None:
        found = self._files.stat(path)
        return None if found is None else (found.size, found.mtime_ns)

    def _observe(self) -> None:
        root = self._files.root
        places = {root: VaultPath(""), **{place: path for path, place in self._files.linked_folders.items()}}
        self._roots = {shown_name(str(place)): path for place, path in places.items()}
        self._identity = _identity(root)
        handler = _Handler(self._note)
        try:
            self._observer = _started(Observer(), places, handler)
            _check_watches_left(root)
        except OSError as error:
            if error.errno not in _WATCHES_USED_UP:
                raise
            _log.warning("The system's file watches are used up; looking at every file once a second instead")
            self._close_observer()
            polling = PollingObserverVFS(stat=os.lstat, listdir=_visible, polling_interval=_POLLING_INTERVAL)
            self._observer = _started(polling, places, handler)

    def _close_observer(self) -> None:
        observer, self._observer = self._observer, None
        if observer is not None:
            observer.stop()
            observer.join()

    def _revive(self) -> None:
        """Watch anew when a thread of the observer died, which it does without a word, or the folder was exchanged."""
        if self._observer is not None and _is_alive(self._observer) and self._identity == _identity(self._files.root):
            return
        if self._try_observing():
            self._settling.everything(time.monotonic())

    def _follow_folders(self) -> None:
        """Folders came or went: one may be a link whose files lie elsewhere, or one more than can be watched."""
        before = dict(self._files.linked_folders)
        try:
            self._files.folders()
            if dict(self._files.linked_folders) == before:
                if not isinstance(self._observer, PollingObserverVFS):
                    _check_watches_left(self._files.root)
                return
        except (OSError, SidecarError) as error:
            _log.debug("Watching anew: %s", error)
        self._try_observing()

    def _try_observing(self) -> bool:
        try:
            self._close_observer()
            self._observe()
        except (OSError, SidecarError) as error:
            if not self._is_lost:
                _log.warning("The vault cannot be watched: %s", error)
            self._is_lost = True
            return False
        self._is_lost = False
        return True

    def _note(self, event: FileSystemEvent) -> None:
        """Take an event, on a thread of watchdog: only remember it."""
        now = time.monotonic()
        self._settling.count_event(now)
        for place in (event.src_path, event.dest_path):
            path = self._vault_path(os.fsdecode(place)) if place else None
            if path is None:
                continue
            if event.is_directory or not path or path in self._files.linked_folders:
                self._settling.everything(now)
            else:
                self._settling.add(path, now)
            self._woken.set()

    def _vault_path(self, place: str) -> VaultPath | None:
        """Return the vault path of a place on disk; ``None`` for what Obsidian does not see (A3)."""
        shown = shown_name(place)
        for root, mount in self._roots.items():
            if shown == root:
                return mount
            if shown.startswith(root + os.sep):
                names = Path(shown[len(root) + 1 :]).parts
                if any(name.startswith(".") or not is_usable_name(name) for name in names):
                    return None
                return mount.child("/".join(names))
        return None


class _Handler(FileSystemEventHandler):
    def __init__(self, note: Callable[[FileSystemEvent], None]) -> None:
        self._note = note

    def on_any_event(self, event: FileSystemEvent) -> None:
        self._note(event)


def _started(observer: BaseObserver, places: Iterable[Path], handler: FileSystemEventHandler) -> BaseObserver:
    try:
        for place in places:
            observer.schedule(handler, str(place), recursive=True, event_filter=_EVENTS)
        observer.start()
    except OSError:
        observer.stop()
        raise
    return observer


def _check_watches_left(place: Path) -> None:
    """Fail as one more watch would: watchdog does not tell when it could not watch a folder inside the vault."""
    if platform.system() == "Linux":
        probe = Observer()
        try:
            probe.schedule(FileSystemEventHandler(), str(place), event_filter=_EVENTS)
            probe.start()
        finally:
            probe.stop()


def _is_alive(observer: BaseObserver) -> bool:
    reader = getattr(observer, "_inotify_fd", None)  # the thread that reads the events of all others
    threads = [observer, *observer.emitters, *([reader] if isinstance(reader, threading.Thread) else [])]
    return all(thread.is_alive() for thread in threads)


def _is_linked_folder(place: Path) -> bool:
    return place.is_symlink() and place.is_dir()


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        found = folder.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _visible(folder: str | None) -> "Iterator[os.DirEntry[str]]":
    with os.scandir(folder) as entries:
        yield from (entry for entry in entries if not entry.name.startswith("."))
