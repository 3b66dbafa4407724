"""The one thread that writes: vault, journal, catalog and index of one vault."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import count
from queue import PriorityQueue
from typing import Any, TypeVar

__all__ = ["WriterThread"]

T = TypeVar("T")
_URGENT, _BACKGROUND = range(2)


@dataclass(order=True)
class _Job:
    rank: int
    number: int
    run: Callable[[], Any] | None = field(compare=False)
    future: "Future[Any]" = field(compare=False)


class WriterThread:
    """Runs jobs one after another; agents' jobs overtake background work that has not begun."""

    def __init__(self, name: str) -> None:
        self._jobs: PriorityQueue[_Job] = PriorityQueue()
        self._numbers = count()
        self._thread = threading.Thread(target=self._work, name=name, daemon=True)
        self._thread.start()

    def submit(self, job: Callable[[], T]) -> "Future[T]":
        """Run an agent's job next. Cancelling the future before it begins drops the job."""
        return self._put(_URGENT, job)

    def submit_background(self, job: Callable[[], T]) -> "Future[T]":
        """Run a slice of background work when no agent waits."""
        return self._put(_BACKGROUND, job)

    def here(self) -> bool:
        """Tell whether the caller is on the writer thread."""
        return threading.current_thread() is self._thread

    def close(self) -> None:
        """Finish the jobs that agents handed in, drop background work, and end the thread."""
        self._put(_URGENT, None)
        self._thread.join()

    def _put(self, rank: int, job: Callable[[], T] | None) -> "Future[T]":
        future: Future[T] = Future()
        self._jobs.put(_Job(rank, next(self._numbers), job, future))
        return future

    def _work(self) -> None:
        while True:
            job = self._jobs.get()
            if job.run is None:
                break
            if not job.future.set_running_or_notify_cancel():
                continue
            try:
                job.future.set_result(job.run())
            except BaseException as error:  # noqa: BLE001 - the future carries it to whoever waits
                job.future.set_exception(error)
        while not self._jobs.empty():
            self._jobs.get().future.cancel()
