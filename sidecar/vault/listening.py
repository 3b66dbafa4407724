"""The system's own events about files below some folders: the one door to watchdog (contract H3)."""

import errno
import logging
import os
import platform
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
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

__all__ = ["Heard", "Listening", "WatchesUsedUp", "check_watches_left"]

Heard = Callable[[str, bool], None]
"""Takes a place on disk that came, went or changed, and whether it is a folder; called on threads of watchdog."""

_EVENTS: list[type[FileSystemEvent]] = [
    FileCreatedEvent,
    FileModifiedEvent,
    FileDeletedEvent,
    FileMovedEvent,
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
]
_USED_UP = frozenset({errno.ENOSPC, errno.EMFILE})


class WatchesUsedUp(Exception):  # noqa: N818 - a state of the system, worded by whoever polls instead
    """The system has no file watches left for this user."""


class Listening:
    """Hears of everything below some folders, from being made until ``close``."""

    def __init__(self, folders: Iterable[Path], heard: Heard, events_were_lost: Callable[[], None]) -> None:
        """Listen.

        Raises:
            WatchesUsedUp: when not all folders could be watched.
            OSError: when the system refuses otherwise.

        """
        # As errors these would end the thread that reads the events, while its observer goes on as if it lived.
        warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"watchdog\.")
        places = tuple(folders)
        self._losses = _Losses(events_were_lost)
        logging.getLogger("watchdog").addHandler(self._losses)
        self._observer: BaseObserver | None = None
        try:
            self._observer = _started(places, _Handler(heard))
            check_watches_left(places[0])
        except (OSError, WatchesUsedUp) as error:
            self.close()
            if isinstance(error, OSError) and error.errno in _USED_UP:
                raise WatchesUsedUp from error
            raise

    @property
    def is_alive(self) -> bool:
        """Tell whether all of its threads live: they end without a word."""
        return self._observer is not None and all(thread.is_alive() for thread in _threads(self._observer))

    def close(self) -> None:
        """Listen no more."""
        observer, self._observer = self._observer, None
        if observer is not None:
            with _Losses.expected():
                observer.stop()
                observer.join()
        logging.getLogger("watchdog").removeHandler(self._losses)


def check_watches_left(folder: Path) -> None:
    """Watch one more folder for a moment: watchdog does not tell when it could not watch a folder inside another.

    Raises:
        WatchesUsedUp: when that is not possible.

    """
    if platform.system() != "Linux":
        return
    try:
        probe = Observer()
        try:
            probe.schedule(FileSystemEventHandler(), str(folder), event_filter=_EVENTS)
            probe.start()
        finally:
            probe.stop()
    except OSError as error:
        if error.errno in _USED_UP:
            raise WatchesUsedUp from error
        raise


class _Handler(FileSystemEventHandler):
    def __init__(self, heard: Heard) -> None:
        self._heard = heard

    def on_any_event(self, event: FileSystemEvent) -> None:
        for place in (event.src_path, event.dest_path):
            if place:
                self._heard(os.fsdecode(place), event.is_directory)


class _Losses(logging.Handler):
    """Hears watchdog complain, which is all it does when the system dropped events, and keeps it from stderr."""

    _closing = 0

    def __init__(self, events_were_lost: Callable[[], None]) -> None:
        super().__init__(logging.WARNING)
        self._events_were_lost = events_were_lost

    @classmethod
    @contextmanager
    def expected(cls) -> Iterator[None]:
        """Close an observer: what its threads cannot finish then are errors to watchdog, and no losses."""
        cls._closing += 1
        try:
            yield
        finally:
            cls._closing -= 1

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno < logging.ERROR or not self._closing:
            self._events_were_lost()


def _started(folders: Iterable[Path], handler: FileSystemEventHandler) -> BaseObserver:
    observer = Observer()
    try:
        for folder in folders:
            observer.schedule(handler, str(folder), recursive=True, event_filter=_EVENTS)
        observer.start()
    except OSError:
        observer.stop()
        raise
    return observer


def _threads(observer: BaseObserver) -> Iterator[threading.Thread]:
    yield observer
    # the threads that read the events of all others: one in watchdog 7, one per emitter in watchdog 6
    readers = [getattr(observer, "_inotify_fd", None), *(getattr(e, "_inotify", None) for e in observer.emitters)]
    yield from (reader for reader in readers if isinstance(reader, threading.Thread))
    yield from observer.emitters
