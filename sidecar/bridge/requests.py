"""What the daemon asks of the app: told to one client, claimed by it before it acts, and answered."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from threading import Condition
from time import monotonic
from typing import Any

from sidecar.bridge.errors import Gone
from sidecar.bridge.events import EventLog
from sidecar.bridge.polls import Polls
from sidecar.pipeline.events import EventHub

__all__ = ["Answer", "Outcome", "Patience", "Request", "Requests"]

_KEPT = 200
"""Requests that are remembered; an answer to an older one comes too late to matter."""
_GLANCE = 0.25
"""Seconds between two looks at whether it was done, while no answer comes."""


class Outcome(StrEnum):
    """How a request ended. The last three are never said by a client that claimed it."""

    DONE = "done"
    CONFLICT = "conflict"
    """Nothing was done: the app's state is not the one the request was made on."""
    FAILED = "failed"
    """It was tried; whether something came of it only the disk tells."""
    DECLINED = "declined"
    """The client answered without a claim: it cannot, and did nothing."""
    UNCLAIMED = "unclaimed"
    """Nobody claimed it in time, and nobody can any more: nothing was done."""
    SILENT = "silent"
    """It was claimed and not answered: it may be done still."""


@dataclass(frozen=True, slots=True)
class Answer:
    """How a request ended. ``sha256`` is that of the bytes the app saved."""

    outcome: Outcome
    sha256: str | None = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds until an unclaimed request is withdrawn, and from then on for an answer to a claimed one."""

    claim: float = 0.4
    answer: float = 10.0


class Request:
    """One request to one client; threads wait for its answer while the loop thread takes it in."""

    def __init__(self, identifier: str, client: str) -> None:
        self.id = identifier
        self.client = client
        self._news = Condition()
        self._is_claimed = False
        self._answer: Answer | None = None

    @property
    def is_over(self) -> bool:
        """Whether the client will do nothing about it any more."""
        return self._answer is not None

    def claim(self) -> bool:
        """Let the client act, unless it is over or claimed already; tell whether it may."""
        with self._news:
            if self._is_claimed or self._answer is not None:
                return False
            self._is_claimed = True
            self._news.notify_all()
            return True

    def end(self, answer: Answer) -> bool:
        """Take in what the client says; tell whether it was still to be said."""
        with self._news:
            if self._answer is not None:
                return False
            self._answer = answer if self._is_claimed else Answer(Outcome.DECLINED, message=answer.message)
            self._news.notify_all()
            return True

    def wait(self, patience: Patience, is_done: Callable[[], bool]) -> Answer:
        """Wait for the answer, or until it is clear that none will come.

        ``is_done`` looks at the disk: a client that was reloaded may have done it and cannot say so.
        """
        with self._news:
            self._news.wait_for(lambda: self._is_claimed or self._answer is not None, patience.claim)
            if not self._is_claimed and self._answer is None:
                self._answer = Answer(Outcome.UNCLAIMED)
        deadline = monotonic() + patience.answer
        while (left := deadline - monotonic()) > 0:
            with self._news:
                self._news.wait_for(lambda: self._answer is not None, min(left, _GLANCE))
                if self._answer is not None:
                    return self._answer
            if is_done():
                return Answer(Outcome.DONE)
        return Answer(Outcome.SILENT)


class Requests:
    """The requests of one vault; any thread may ask."""

    def __init__(self, events: EventLog, polls: Polls, patience: Patience | None = None) -> None:
        self._events = events
        self._polls = polls
        self.patience = patience or Patience()
        self._known: dict[str, Request] = {}
        self.answered: EventHub[Request] = EventHub()
        """Tells of each answer, also of one that nobody waits for any more."""

    def ask(self, kind: str, data: Mapping[str, Any], client: str) -> Request:
        """Publish a request as an event of type ``kind`` that only this client hears."""
        request = Request(secrets.token_hex(8), client)
        self._known[request.id] = request
        for old in list(self._known)[:-_KEPT]:
            self._known.pop(old, None)
        self._events.publish(kind, {"id": request.id, **data}, to=client)
        return request

    def claim(self, identifier: str, client: str) -> None:
        """Let a client act on a request.

        Raises:
            Gone: when it was withdrawn or claimed, is another client's, or a newer client is there: a poll outlives the
                plugin that made it.

        """
        if self._polls.newest not in (client, None) or not self._of(identifier, client).claim():
            raise _gone()

    def end(self, identifier: str, client: str, answer: Answer) -> None:
        """Take in how a request ended; without a claim before it means that the client cannot do it.

        Raises:
            Gone: when it was withdrawn or answered, or is another client's.

        """
        request = self._of(identifier, client)
        if not request.end(answer):
            raise _gone()
        self.answered.publish(request)

    def _of(self, identifier: str, client: str) -> Request:
        request = self._known.get(identifier)
        if request is None or request.client != client:
            raise _gone()
        return request


def _gone() -> Gone:
    return Gone("This request is over, or was made to another client.", hint="Do nothing about it.")
