"""The threads that services read on: four for files and catalog, one for searches."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

__all__ = ["Threads"]

P = ParamSpec("P")
T = TypeVar("T")
_READERS = 4


class Threads:
    """Keeps blocking work off the loop. Whoosh readers share file handles, so all searches run on one thread."""

    def __init__(self) -> None:
        self._readers = ThreadPoolExecutor(_READERS, "reader")
        self._searcher = ThreadPoolExecutor(1, "searcher")
        self._last_asked = time.monotonic()

    @property
    def quiet_seconds(self) -> float:
        """How long nobody has asked for anything; callable from any thread."""
        return time.monotonic() - self._last_asked

    async def read(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a read of files or catalog on the reader pool."""
        return await self._done(self._readers, work, *args, **kwargs)

    async def search(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a search on the search thread."""
        return await self._done(self._searcher, work, *args, **kwargs)

    async def _done(self, pool: ThreadPoolExecutor, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        self._last_asked = time.monotonic()
        try:
            return await asyncio.wrap_future(pool.submit(work, *args, **kwargs))
        finally:
            self._last_asked = time.monotonic()

    def close(self) -> None:
        """Wait for what runs, drop what waits."""
        for pool in (self._readers, self._searcher):
            pool.shutdown(cancel_futures=True)
