"""What happened in one vault, in order, for clients that wait to hear of it."""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from threading import Lock
from typing import Any

import anyio

__all__ = ["Event", "EventLog", "Heard"]

_KEPT = 500
"""Events a client may have missed before it has to ask for everything anew."""


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened. Ids count up by one; ``to`` is the only client that may hear of it, if one is named."""

    id: int
    type: str
    data: Mapping[str, Any]
    to: str | None = None


@dataclass(frozen=True, slots=True)
class Heard:
    """What a client is told: the events after its cursor, and the cursor to ask with next.

    ``reset``: the log does not know what the client missed, so that it has to ask for everything anew.
    """

    cursor: int
    reset: bool
    events: tuple[Event, ...]


class EventLog:
    """Append-only, and trimmed at its beginning. Any thread may publish; clients wait on their event loop.

    Ids begin with the present time in milliseconds: a cursor of an earlier process is never taken for one of ours.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._lock = Lock()
        self._events: deque[Event] = deque(maxlen=_KEPT)
        self._last = int(clock() * 1000)
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()
        self._is_closed = False

    @property
    def cursor(self) -> int:
        """The id of the last event, or the number before that of the first."""
        return self._last

    def publish(self, kind: str, data: Mapping[str, Any], to: str | None = None) -> int:
        """Append an event and wake who waits; return its id."""
        with self._lock:
            self._last += 1
            self._events.append(Event(self._last, kind, data, to))
            self._wake()
            return self._last

    async def after(self, cursor: int, seconds: float, client: str | None = None) -> Heard:
        """Return what happened after ``cursor``; when that is nothing yet, wait for it at most so long."""
        deadline = anyio.current_time() + seconds
        while True:
            woken = asyncio.Event()
            waiter = (asyncio.get_running_loop(), woken)
            with self._lock:
                heard = self._since(cursor, client)
                left = deadline - anyio.current_time()
                if heard.reset or heard.events or self._is_closed or left <= 0:
                    return heard
                self._waiting.add(waiter)
            cursor = heard.cursor
            try:
                with anyio.move_on_after(left):
                    await woken.wait()
            finally:
                with self._lock:
                    self._waiting.discard(waiter)

    def close(self) -> None:
        """Let nobody wait any more."""
        with self._lock:
            self._is_closed = True
            self._wake()

    def _since(self, cursor: int, client: str | None) -> Heard:
        missed = self._last - cursor
        if not 0 <= missed <= len(self._events):
            return Heard(self._last, reset=True, events=())
        news = islice(self._events, len(self._events) - missed, None)
        return Heard(self._last, reset=False, events=tuple(e for e in news if e.to is None or e.to == client))

    def _wake(self) -> None:
        for loop, woken in self._waiting:
            if not loop.is_closed():
                loop.call_soon_threadsafe(woken.set)
        self._waiting.clear()
