"""Who is connected, and since when nobody is."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import anyio

__all__ = ["Presence"]


class Presence:
    """Counts clients of the socket and requests over HTTP; lives on the loop thread."""

    def __init__(self) -> None:
        self._count = 0
        self._since = time.monotonic()
        self._left = anyio.Event()

    @contextmanager
    def visit(self) -> Iterator[None]:
        """Count one client for as long as the block runs."""
        self._count += 1
        try:
            yield
        finally:
            self._count -= 1
            self._since = time.monotonic()
            if not self._count:
                self._left.set()
                self._left = anyio.Event()

    @property
    def anyone(self) -> bool:
        """Whether a client is connected now."""
        return self._count > 0

    @property
    def idle_seconds(self) -> float:
        """Seconds since the last client left; 0 while one is connected."""
        return 0.0 if self._count else time.monotonic() - self._since

    async def drained(self) -> None:
        """Wait until no client is connected."""
        while self._count:
            await self._left.wait()
