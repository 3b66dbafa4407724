"""What the watcher should have told and did not: found only when everything was compared."""

from collections.abc import Iterable
from dataclasses import dataclass
from threading import Lock

from sidecar.model.path import VaultPath

__all__ = ["Missed", "MissedFiles"]

_EVENT_MAY_COME = 15.0
"""Seconds; events come late after a flood of them."""
_LAST = 5


@dataclass(frozen=True, slots=True)
class MissedFiles:
    """How many files there were since the start, and the last few of them, newest last."""

    count: int = 0
    last: tuple[VaultPath, ...] = ()


class Missed:
    """Keeps such files, unless their event comes after all; times are seconds of one clock. For several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: dict[VaultPath, float] = {}
        self._files = MissedFiles()

    def files(self, now: float) -> MissedFiles:
        """Return what was missed for certain."""
        with self._lock:
            self._settle(now)
            return self._files

    def found(self, paths: Iterable[VaultPath], now: float) -> None:
        """Note the differences of a comparison that nothing had asked for."""
        with self._lock:
            self._settle(now)
            self._waiting.update(dict.fromkeys(paths, now))

    def told(self, paths: Iterable[VaultPath] | None, now: float) -> None:
        """Note that an event named these, or (``None``) said to look at everything."""
        with self._lock:
            self._settle(now)
            for path in tuple(self._waiting) if paths is None else paths:
                self._waiting.pop(path, None)

    def _settle(self, now: float) -> None:
        due = [path for path, found in self._waiting.items() if now - found > _EVENT_MAY_COME]
        for path in due:
            del self._waiting[path]
        if due:
            self._files = MissedFiles(self._files.count + len(due), (*self._files.last, *due)[-_LAST:])
