"""The AI clients that are connected, by the names they give themselves."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from sidecar.bridge.daemon import Client
from sidecar.daemon.sessions import HttpSessions

__all__ = ["HttpVisitors", "Visitor"]

_UNNAMED = "unnamed client"
_HTTP_STAYS = 30 * 60.0
"""Seconds for which a client over HTTP, which never says good-bye, counts as connected after its last call."""


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


@dataclass(eq=False, slots=True)
class Visitor:
    """One connection of the local socket; called with the client's name, it answers with its session."""

    session: str
    project_id: str | None
    """The vault it is tied to, if it is tied to one."""
    since: int = field(default_factory=_now_ms)
    name: str = _UNNAMED

    def __call__(self, client: str, _http_session: str | None) -> str:
        """Take note of the client's name; return the session its changes belong to."""
        self.name = client
        return self.session

    @property
    def told(self) -> Client:
        """The client as the person sees it."""
        return Client(self.name, self.session, self.since)


class HttpVisitors:
    """The clients that come over HTTP."""

    def __init__(self, sessions: HttpSessions, clock: Callable[[], float] = time.monotonic) -> None:
        self._sessions = sessions
        self._clock = clock
        self._seen: dict[str, tuple[Client, float]] = {}

    def of(self, client: str, http_session: str | None) -> str:
        """Return the session of a call, and remember who made it."""
        session = self._sessions.of(client, http_session)
        known, _ = self._seen.get(session, (Client(client, session, _now_ms()), 0.0))
        self._seen[session] = (known, self._clock())
        self._forget_gone()
        return session

    @property
    def now(self) -> tuple[Client, ...]:
        """The clients that called not long ago."""
        self._forget_gone()
        return tuple(client for client, _ in self._seen.values())

    def _forget_gone(self) -> None:
        oldest = self._clock() - _HTTP_STAYS
        self._seen = {session: seen for session, seen in self._seen.items() if seen[1] > oldest}
