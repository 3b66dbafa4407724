"""The thread that compares everything: when asked to, and every now and then."""

import logging
import threading
import time
from collections.abc import Callable

from sidecar.pipeline.timetable import Timetable

__all__ = ["Reconciler"]

_log = logging.getLogger(__name__)

_STEP = 0.05
_LONGEST_COURTESY = 1.5
"""Seconds for which agents at work may put off a comparison."""


class Reconciler:
    """Calls ``compare`` on a thread of its own, so that neither events nor agents wait for it.

    ``compare`` is told whether something asked for it. ``hold_due`` gives the time of one more comparison, by the
    clock. While ``is_busy``, all but the first comparison wait a little: they would take turns with agents' calls.
    """

    def __init__(
        self,
        compare: Callable[[bool], object],
        hold_due: Callable[[], float | None],
        clock: Callable[[], float] = time.monotonic,
        is_busy: Callable[[], bool] = lambda: False,
    ) -> None:
        self._compare = compare
        self._hold_due = hold_due
        self._is_busy = is_busy
        self._clock = clock
        self._times = Timetable(ended=clock())
        self._changed = threading.Condition()
        self._is_comparing = False
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="reconciler", daemon=True)

    def ask(self) -> None:
        """Have everything compared soon; any thread may call."""
        with self._changed:
            self._times.asked = True
            self._start()
            self._changed.notify_all()

    def start(self) -> None:
        """Compare every now and then from now on."""
        with self._changed:
            self._start()

    def failed(self) -> None:
        """Have everything compared again after a while, since something could not be written."""
        with self._changed:
            self._times.failed(self._clock())
            self._start()
            self._changed.notify_all()

    def succeeded(self) -> None:
        """Take note that writing works."""
        with self._changed:
            self._times.succeeded()

    def settle(self, seconds: float | None) -> bool:
        """Wait until no comparison is asked for or under way; tell whether that is so."""
        with self._changed:
            return self._changed.wait_for(
                lambda: self._stopping or not (self._times.asked or self._is_comparing), seconds
            )

    def close(self) -> None:
        """End the thread; a comparison under way should end by itself."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join()

    def _start(self) -> None:
        if not self._thread.ident and not self._stopping:
            self._thread.start()

    def _run(self) -> None:
        while (is_asked := self._wait()) is not None:
            cpu, begin = time.thread_time(), time.monotonic()
            try:
                self._compare(is_asked)
            except Exception:  # noqa: BLE001 - whatever it was, the thread has to live on
                _log.exception("Comparing everything failed; trying again")
                self.failed()
            with self._changed:
                self._times.end(self._clock(), time.thread_time() - cpu, time.monotonic() - begin)
                self._is_comparing = False
                self._changed.notify_all()

    def _wait(self) -> bool | None:
        """Wait until it is time and say whether something asked; ``None`` when the end has come."""
        due_since = None
        with self._changed:
            while not self._stopping:
                now = self._clock()
                due, is_asked = self._times.due(now, self._hold_due())
                if due > now:
                    self._changed.wait(due - now)
                    continue
                due_since = now if due_since is None else due_since
                if self._times.wall and now - due_since < _LONGEST_COURTESY and self._is_busy():
                    self._changed.wait(_STEP)
                    continue
                self._times.begin()
                self._is_comparing = True
                return is_asked
            return None
