"""``GET /v1/events``: the long poll."""

from contextlib import nullcontext
from dataclasses import dataclass
from typing import Annotated, Any

import anyio
from pydantic import Field

from sidecar.bridge.events import Heard
from sidecar.bridge.route import Asked, BridgeCall, get

__all__ = ["ROUTES"]

_LONGEST_WAIT = 25
_LARGEST_CURSOR = 2**53


class EventsQuery(Asked):
    """The cursor of the last answer; without one the present cursor is told at once."""

    after: Annotated[int | None, Field(ge=0, le=_LARGEST_CURSOR)] = None
    wait: Annotated[float, Field(ge=0, le=_LONGEST_WAIT)] = 0
    client: Annotated[str | None, Field(min_length=1, max_length=100)] = None


@dataclass(frozen=True, slots=True)
class EventTold:
    """One event; what is in ``data`` depends on its type, and types that are not known are ignored."""

    id: int
    type: str
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class EventsTold:
    """``reset``: events were missed, so that everything has to be asked anew."""

    cursor: int
    reset: bool
    events: list[EventTold]


@get("events", EventsQuery, EventsTold, waits=True)
async def events(call: BridgeCall, query: EventsQuery) -> EventsTold:
    """Wait for what happens after a cursor; a client counts as present while it waits."""
    log, polls = call.vault.events, call.vault.polls
    if query.after is None:
        return EventsTold(log.cursor, reset=False, events=[])
    # Who gives no name only listens: nothing is ever asked of it.
    with polls.open(query.client) if query.client else nullcontext():
        return _told(await _heard_unless_gone(call, query.after, query.wait, query.client))


async def _heard_unless_gone(call: BridgeCall, after: int, wait: float, client: str | None) -> Heard:
    """Wait no longer than the client does: one that closed its connection is not present any more."""
    heard = Heard(after, reset=False, events=())

    async def end_when_gone() -> None:
        await call.client_left()
        waiting.cancel_scope.cancel()

    async with anyio.create_task_group() as waiting:
        waiting.start_soon(end_when_gone)
        heard = await call.vault.events.after(after, wait, client)
        waiting.cancel_scope.cancel()
    return heard


def _told(heard: Heard) -> EventsTold:
    return EventsTold(heard.cursor, heard.reset, [EventTold(e.id, e.type, dict(e.data)) for e in heard.events])


ROUTES = (events,)
