"""Looking at every file again and again, where no events tell of changes."""

import time
from collections.abc import Callable
from threading import Event

from sidecar.errors import SidecarError
from sidecar.model.path import VaultPath
from sidecar.vault.files import VaultFiles

__all__ = ["Polling"]

_SHORTEST = 1.0
_CPU_SHARE = 0.02
_TIME_SHARE = 0.2
"""A look over a slow network may take minutes; the disk is left alone for most of the time."""


class Polling:
    """Compares the sizes and times of all files with those of the last look; used by one thread."""

    def __init__(self, files: VaultFiles, shortest: float = _SHORTEST) -> None:
        """Take the first look: what changed before is not told.

        Raises:
            Unavailable: when the vault's folder cannot be listed.

        """
        self._files = files
        self._shortest = shortest
        self.interval = shortest
        """Seconds to wait between two looks, so that they take a fiftieth of a processor and a fifth of the time."""
        self._known = self._look(None)
        self._next = time.monotonic() + self.interval

    def seconds_left(self, now: float) -> float:
        """Return how long to wait for the next look."""
        return max(0.0, self._next - now)

    def look(self, stopping: Event, changed: Callable[[VaultPath], None]) -> None:
        """Tell each file that came, went or looks different since the last look.

        Nothing is told when ``stopping`` is set meanwhile, or while the vault's folder cannot be listed.
        """
        try:
            found = self._look(stopping)
        except SidecarError:
            return  # the watcher sees by itself that the folder is gone
        finally:
            self._next = time.monotonic() + self.interval
        if stopping.is_set():
            return
        known, self._known = self._known, found
        for path in known.keys() | found.keys():
            if known.get(path) != found.get(path):
                changed(path)

    def _look(self, stopping: Event | None) -> dict[VaultPath, tuple[int, int]]:
        cpu, begin = time.thread_time(), time.monotonic()
        found: dict[VaultPath, tuple[int, int]] = {}
        for stat in self._files.scan():
            found[stat.path] = (stat.size, stat.mtime_ns)
            if stopping is not None and stopping.is_set():
                break
        cpu, wall = time.thread_time() - cpu, time.monotonic() - begin
        self.interval = max(self._shortest, cpu / _CPU_SHARE, wall / _TIME_SHARE)
        return found
