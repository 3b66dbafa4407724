"""Changed paths that wait until their files have come to rest (contract H4)."""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import TypeAlias

from sidecar.model.path import VaultPath

__all__ = ["Measure", "Settling"]

Measure: TypeAlias = Callable[[VaultPath], tuple[int, int] | None]
"""Size and time of a file just now; ``None`` when there is none."""

_LONGEST_WAIT = 1.0
_BURST = 500
_FLOOD = 2048


@dataclass(slots=True)
class _Waiting:
    since: float
    last: float
    is_measured: bool = False
    measured: tuple[int, int] | None = None
    looked_twice: bool = False


class Settling:
    """Holds paths from their first event until they are quiet; times are seconds of one clock that never goes back.

    A file that is written all the time is told once a second nevertheless. Threads may add while another collects.
    """

    def __init__(self, debounce: float) -> None:
        self._debounce = debounce
        self._lock = Lock()
        self._waiting: dict[VaultPath, _Waiting] = {}
        self._everything: _Waiting | None = None
        self._window, self._events = 0.0, 0
        self._is_flooded = False

    @property
    def is_flooded(self) -> bool:
        """Tell whether there are more changes than can be told one by one; true until everything is told."""
        return self._is_flooded

    @property
    def is_waiting(self) -> bool:
        """Tell whether something will be due soon."""
        return bool(self._waiting) or self._everything is not None

    def add(self, path: VaultPath, now: float) -> None:
        """Note that a file may have changed; more than 500 at a time count as everything."""
        with self._lock:
            self._waiting.setdefault(path, _Waiting(now, now)).last = now
            if len(self._waiting) > _BURST:
                self._is_flooded = True
                self._set_everything(now)

    def everything(self, now: float) -> None:
        """Note that any file may have changed."""
        with self._lock:
            self._set_everything(now)

    def count_event(self, now: float) -> None:
        """Count an event, of interest or not: where thousands come in a second, the system drops some unseen."""
        with self._lock:
            if now - self._window > 1:
                self._window, self._events = now, 0
            self._events += 1
            if self._events >= _FLOOD:
                self._is_flooded = True
                self._set_everything(now)

    def events_were_lost(self, now: float) -> None:
        """Note that the system dropped events unseen."""
        with self._lock:
            self._is_flooded = True
            self._set_everything(now)

    def due(self, now: float, measure: Measure) -> frozenset[VaultPath] | None:
        """Take out the paths whose files are at rest: none, some, or ``None`` for everything.

        At rest is a file without events and with the same size and time for as long as the debounce. An empty one
        is looked at twice, since programs empty a file before they write it.
        """
        with self._lock:
            if self._everything is not None:
                if not self._is_over(self._everything, now) and not self._is_quiet(self._everything, now):
                    return frozenset()
                self._everything = None
                self._waiting.clear()
                self._window, self._events, self._is_flooded = now, 0, False
                return None
            waiting = list(self._waiting.items())
        due = frozenset(path for path, state in waiting if self._is_at_rest(path, state, now, measure))
        with self._lock:
            for path in due:
                self._waiting.pop(path, None)
        return due

    def _set_everything(self, now: float) -> None:
        if self._everything is None:
            self._everything = _Waiting(now, now)
        self._everything.last = now

    def _is_quiet(self, state: _Waiting, now: float) -> bool:
        return now - state.last >= self._debounce

    def _is_over(self, state: _Waiting, now: float) -> bool:
        return now - state.since >= _LONGEST_WAIT

    def _is_at_rest(self, path: VaultPath, state: _Waiting, now: float, measure: Measure) -> bool:
        if self._is_over(state, now):
            return True
        if state.is_measured and not self._is_quiet(state, now):
            return False
        measured = measure(path)
        is_same = state.is_measured and measured == state.measured
        state.is_measured, state.measured = True, measured
        is_empty = measured is not None and measured[0] == 0
        if is_same and (not is_empty or state.looked_twice):
            return True
        state.looked_twice = is_same
        state.last = max(state.last, now)
        return False
