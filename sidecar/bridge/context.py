"""What each client says is open and selected in the app."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from sidecar.bridge.polls import Polls
from sidecar.services.obsidian import AppContext

__all__ = ["AppContexts"]

_KEPT_SECONDS = 60.0
"""For so long after its last poll a client's word counts."""
_KEPT = 20


@dataclass(frozen=True, slots=True)
class _Said:
    at: float
    context: AppContext


class AppContexts:
    """The last word of each client; said on the loop thread, asked for on any."""

    def __init__(self, polls: Polls, clock: Callable[[], float] = time.monotonic) -> None:
        self._polls = polls
        self._clock = clock
        self._said: dict[str, _Said] = {}

    def tell(self, client: str, context: AppContext) -> None:
        """Remember what a client sees from now on."""
        self._said.pop(client, None)
        self._said[client] = _Said(self._clock(), context)
        for old in list(self._said)[:-_KEPT]:
            self._said.pop(old, None)

    def of(self, client: str) -> AppContext | None:
        """Return what a client sees; ``None`` when it did not say or went away a minute ago."""
        said = self._said.get(client)
        if said is None or min(self._polls.seconds_away(client), self._clock() - said.at) > _KEPT_SECONDS:
            return None
        return said.context

    @property
    def newest(self) -> AppContext | None:
        """What the client that is there sees; when there is none, what was seen last."""
        client = self._polls.newest
        if client is not None:
            return self.of(client)
        return next((context for name in reversed(list(self._said)) if (context := self.of(name))), None)
