"""Watching a vault: tells which files to look at again, once they have come to rest (contract H3, H4)."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sidecar.errors import SidecarError
from sidecar.model.file import FileStat
from sidecar.model.path import VaultPath
from sidecar.vault.files import VaultFiles
from sidecar.vault.ignore import RULES_FILE
from sidecar.vault.limits import reason_to_poll
from sidecar.vault.listening import Listening, WatchesUsedUp, check_watches_left
from sidecar.vault.places import Places
from sidecar.vault.polling import Polling
from sidecar.vault.settling import Settling

__all__ = ["LookAgain", "Watcher", "Watching"]

LookAgain = Callable[[frozenset[VaultPath] | None], None]

_STEP = 0.05
_HEALTH_CHECK = 2.0
_POLLING_INTERVAL = 1.0
_SHORTEST_PAUSE, _LONGEST_PAUSE = 1.0, 4.0
_CALM = 10.0
_SHORTEST_RETRY, _LONGEST_RETRY = 0.5, 60.0
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Watching:
    """How a vault is watched: by the system's events, by looking at every file, or not at all; and what is special."""

    mode: Literal["native", "polling", "off"]
    reason: str | None = None


class Watcher:
    """Calls ``look_again`` on a thread of its own with the files that changed, or ``None`` for all of them.

    ``None`` stands for whatever is told better by comparing everything: folders that came, went or moved, a burst of
    changes, lost events, a watch that had to be set up anew. A call may name files that did not change after all.

    Listening to a flood of events costs far more than comparing everything once it is over, so the watcher stops
    listening for a while then.
    """

    def __init__(self, root: Path, look_again: LookAgain, debounce: float = 0.3) -> None:
        self._files = VaultFiles(root)
        self._look_again = look_again
        self._settling = Settling(debounce)
        self._listening: Listening | None = None
        self._polling: Polling | None = None
        self._places = Places(self._files.root, {})
        self._rules_file = str(self._files.root / RULES_FILE)
        self._identity: tuple[int, int] | None = None
        self._watching = Watching("off")
        self._folders_differ = False
        self._checked = time.monotonic()
        self._listens_at: float | None = None
        self._listened_at = 0.0
        self._pause = _SHORTEST_PAUSE
        self._woken = threading.Event()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watcher", daemon=True)

    @property
    def watching(self) -> Watching:
        """How the vault is watched just now; callable from any thread."""
        return self._watching

    def start(self) -> None:
        """Watch from now on; changes before this are not told.

        Raises:
            OSError: when the vault's folder cannot be watched at all.
            Unavailable: when it cannot be listed.

        """
        self._observe()
        self._thread.start()

    def stop(self) -> None:
        """Stop watching; ``look_again`` is not called any more when this returns."""
        self._stopping.set()
        self._woken.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join()
        self._close()
        self._watching = Watching("off")

    def _run(self) -> None:
        retry = _SHORTEST_RETRY
        while not self._stopping.is_set():
            try:
                self._step()
                retry = _SHORTEST_RETRY
            except Exception:  # noqa: BLE001 - whatever it was, the watcher has to live on
                # What could not be told must not be lost: everything is told, later and later.
                if retry == _SHORTEST_RETRY:
                    _log.exception("Looking at changed files failed; trying again")
                self._stopping.wait(retry)
                retry = min(2 * retry, _LONGEST_RETRY)
                self._settling.everything(time.monotonic())

    def _step(self) -> None:
        self._woken.wait(self._seconds_to_wait(time.monotonic()))
        self._woken.clear()
        now = time.monotonic()
        if self._listens_at is not None:
            if now < self._listens_at:
                return
            self._listen_again(now)
        elif self._settling.is_flooded and self._listening is not None:
            self._stop_listening(now)
            return
        elif now - self._checked >= _HEALTH_CHECK:
            self._checked = now
            self._revive()
        if self._polling is not None and not self._polling.seconds_left(now):
            self._polling.look(self._stopping, lambda path: self._settling.add(path, time.monotonic()))
        self._report()
        self._stopping.wait(_STEP)

    def _seconds_to_wait(self, now: float) -> float:
        if self._listens_at is not None:
            return max(0.0, self._listens_at - now)
        if self._settling.is_waiting:
            return _STEP
        return min(_HEALTH_CHECK, self._polling.seconds_left(now)) if self._polling is not None else _HEALTH_CHECK

    def _report(self) -> None:
        files = self._files.glance()
        due = self._settling.due(time.monotonic(), lambda path: _measured(files.stat(path)))
        if due is not None and any(_is_linked_folder(self._files.root / path) for path in due):
            due, self._folders_differ = None, True
        if due is None and self._folders_differ:
            self._follow_folders()
        if due is None or due:
            self._look_again(due)

    def _observe(self) -> None:
        self._folders_differ = False
        self._files.folders()  # which linked folders are there now
        self._places = Places(self._files.root, self._files.linked_folders)
        self._identity = _identity(self._files.root)
        reason = reason_to_poll(self._places.folders)
        if reason is None:
            try:
                self._listening = Listening(self._places.folders, self._heard, self._events_were_lost)
            except WatchesUsedUp:
                reason = "the system's file watches are used up"
        if reason is not None:
            self._polling = Polling(self._files, _POLLING_INTERVAL)
        watching = Watching("polling", reason) if reason else Watching("native")
        if reason and watching != self._watching:
            _log.warning("Looking at every file again and again: %s.", reason)
        self._watching = watching

    def _close(self) -> None:
        listening, self._listening, self._polling = self._listening, None, None
        if listening is not None:
            listening.close()

    def _stop_listening(self, now: float) -> None:
        """Stop until a flood of changes may be over; the pause is the longer the sooner it came back."""
        is_back = now - self._listened_at < _CALM
        self._pause = min(2 * self._pause, _LONGEST_PAUSE) if is_back else _SHORTEST_PAUSE
        self._close()
        self._listens_at = now + self._pause
        self._watching = Watching("native", "so much changes just now that all will be compared in a moment")

    def _listen_again(self, now: float) -> None:
        """Listen again; the flood made everything due, so that all is compared now."""
        self._listens_at, self._listened_at = None, now
        self._try_observing()

    def _revive(self) -> None:
        """Watch anew when a thread of watchdog died, which it does without a word, or the folder was exchanged."""
        is_watched = self._polling is not None or (self._listening is not None and self._listening.is_alive)
        if is_watched and self._identity == _identity(self._files.root):
            return
        if self._try_observing():
            self._settling.everything(time.monotonic())

    def _follow_folders(self) -> None:
        """Folders came or went: one may be a link whose files lie elsewhere, or one more than can be watched."""
        self._folders_differ = False
        try:
            self._files.folders()
            places = Places(self._files.root, self._files.linked_folders)
            is_followed = places.folders == self._places.folders and not self._is_short_of_watches()
            if self._polling is not None or is_followed:
                self._places = places
                return
        except (OSError, SidecarError, WatchesUsedUp) as error:
            _log.debug("Watching anew: %s", type(error).__name__)
        self._try_observing()

    def _is_short_of_watches(self) -> bool:
        check_watches_left(self._files.root)
        return reason_to_poll(self._places.folders) is not None

    def _try_observing(self) -> bool:
        try:
            self._close()
            self._observe()
        except (OSError, SidecarError) as error:
            if self._watching.mode != "off":
                _log.warning("The vault cannot be watched: %s", error)
            self._watching = Watching("off", f"it cannot be watched: {error}")
            return False
        return True

    def _events_were_lost(self) -> None:
        self._settling.events_were_lost(time.monotonic())
        self._woken.set()

    def _heard(self, place: str, is_folder: bool) -> None:
        """Take an event, on a thread of watchdog: only remember it."""
        now = time.monotonic()
        self._settling.count_event(now)
        path = self._places.vault_path(place)
        if place == self._rules_file:
            self._settling.everything(now)  # other files may be searched from now on
        elif path is None:
            return
        elif is_folder or not path or path in self._files.linked_folders:
            self._folders_differ = True
            self._settling.everything(now)
        else:
            self._settling.add(path, now)
        self._woken.set()


def _measured(found: FileStat | None) -> tuple[int, int] | None:
    return None if found is None else (found.size, found.mtime_ns)


def _is_linked_folder(place: Path) -> bool:
    return place.is_symlink() and place.is_dir()


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        found = folder.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
