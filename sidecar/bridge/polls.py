"""Which clients of one vault are there: a client is present as long as its poll is open, and a moment longer."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

__all__ = ["Polls"]

_GRACE = 2.0
"""Seconds between two polls in which a client still counts as present."""
_REMEMBERED = 100
"""Clients that left are forgotten beyond this number, the oldest first."""


@dataclass(slots=True)
class _Client:
    came: float
    open: int = 0
    left: float = 0.0


class Polls:
    """Counts open polls by client; on the loop thread, but anyone may ask who is there."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._clients: dict[str, _Client] = {}

    @contextmanager
    def open(self, client: str) -> Iterator[None]:
        """Count a client as present for as long as the block runs."""
        known = self._clients.setdefault(client, _Client(self._clock()))
        if not self._is_present(known):
            known.came = self._clock()
        known.open += 1
        try:
            yield
        finally:
            known.open -= 1
            known.left = self._clock()
            self._forget_old()

    @property
    def newest(self) -> str | None:
        """The client that came last of those present; ``None`` when there is none."""
        present = [(c.came, name) for name, c in self._clients.copy().items() if self._is_present(c)]
        return max(present)[1] if present else None

    def is_present(self, client: str) -> bool:
        """Tell whether a client is there."""
        return client in self._clients and self._is_present(self._clients[client])

    def seconds_away(self, client: str) -> float:
        """Return for how long a client has no poll open; infinite when it never had."""
        known = self._clients.get(client)
        if known is None:
            return float("inf")
        return 0.0 if known.open else self._clock() - known.left

    def _is_present(self, client: _Client) -> bool:
        return client.open > 0 or (client.left > 0 and self._clock() - client.left < _GRACE)

    def _forget_old(self) -> None:
        gone = [name for name, client in self._clients.items() if not self._is_present(client)]
        for name in gone[: max(0, len(self._clients) - _REMEMBERED)]:
            del self._clients[name]
