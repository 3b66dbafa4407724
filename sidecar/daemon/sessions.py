"""Which changes made over HTTP belong together."""

import hashlib
import secrets
import time
from collections.abc import Callable

__all__ = ["HttpSessions"]

_GAP = 30 * 60
"""Seconds of silence after which a client without a session id begins a new group of changes."""


class HttpSessions:
    """Names sessions: by the client's HTTP session, else by its name as long as it is never silent for 30 minutes."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._named: dict[str, tuple[str, float]] = {}

    def of(self, client: str, http_session: str | None) -> str:
        """Return the session of a call; an HTTP session's id itself is kept out of the journal."""
        if http_session:
            return hashlib.sha256(http_session.encode()).hexdigest()[:12]
        now = self._clock()
        self._named = {name: seen for name, seen in self._named.items() if now - seen[1] < _GAP}
        session, _ = self._named.get(client, (secrets.token_hex(6), now))
        self._named[client] = (session, now)
        return session
