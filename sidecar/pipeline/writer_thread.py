"""The one thread that writes: vault, journal, catalog and index of one vault."""

import heapq
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import count
from typing import Any, TypeVar

__all__ = ["WriterThread"]

T = TypeVar("T")
_URGENT, _BACKGROUND, _IDLE = range(3)


@dataclass(order=True)
class _Job:
    rank: int
    number: int
    run: Callable[[], Any] | None = field(compare=False)
    future: "Future[Any]" = field(compare=False)


class WriterThread:
    """Runs jobs one after another; agents' jobs overtake background work that has not begun."""

    def __init__(self, name: str, quiet: float = 0.5, clock: Callable[[], float] = time.monotonic) -> None:
        """Start the thread; idle jobs wait until no agent's job came for ``quiet`` seconds of ``clock``."""
        self._quiet = quiet
        self._clock = clock
        self._jobs: list[_Job] = []
        self._came = threading.Condition()
        self._numbers = count()
        self._last_urgent = float("-inf")
        self._is_held = False
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    @property
    def quiet_seconds(self) -> float:
        """How long ago the last agent's job came; infinite when there was none."""
        return self._clock() - self._last_urgent

    def submit(self, job: Callable[[], T]) -> "Future[T]":
        """Run an agent's job next. Cancelling the future before it begins drops the job."""
        return self._put(_URGENT, job)

    def submit_background(self, job: Callable[[], T]) -> "Future[T]":
        """Run a slice of background work when no agent waits."""
        return self._put(_BACKGROUND, job)

    def submit_idle(self, job: Callable[[], T]) -> "Future[T]":
        """Run a job that can wait until nothing else is to do and no agent has come for a while."""
        return self._put(_IDLE, job)

    def hold(self, *, held: bool) -> None:
        """Let background and idle jobs wait from now on, or no more; agents' jobs go on."""
        with self._came:
            self._is_held = held
            self._came.notify()

    @property
    def is_held(self) -> bool:
        """Whether background jobs wait until they are let go."""
        return self._is_held

    def here(self) -> bool:
        """Tell whether the caller is on the writer thread."""
        return threading.current_thread() is self._thread

    def close(self) -> None:
        """Finish the jobs that agents handed in, drop background work, and end the thread."""
        self._put(_URGENT, None)
        self._thread.join()

    def _put(self, rank: int, job: Callable[[], T] | None) -> "Future[T]":
        future: Future[T] = Future()
        with self._came:
            heapq.heappush(self._jobs, _Job(rank, next(self._numbers), job, future))
            if rank == _URGENT:
                self._last_urgent = self._clock()
            self._came.notify()
        return future

    def _next(self) -> _Job:
        with self._came:
            while True:
                seconds = None
                if self._jobs and not (self._is_held and self._jobs[0].rank > _URGENT):
                    seconds = self._quiet - self.quiet_seconds if self._jobs[0].rank == _IDLE else 0.0
                    if seconds <= 0:
                        return heapq.heappop(self._jobs)
                self._came.wait(seconds)

    def _work(self) -> None:
        while (job := self._next()).run is not None:
            if not job.future.set_running_or_notify_cancel():
                continue
            try:
                job.future.set_result(job.run())
            except BaseException as error:  # noqa: BLE001 - the future carries it to whoever waits
                job.future.set_exception(error)
        with self._came:
            for left in self._jobs:
                left.future.cancel()
            self._jobs.clear()
