"""``/v1/activity``: what agents changed, hunk by hunk, and the way back."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from sidecar.bridge.diffs import DiffTold, diffs_told
from sidecar.bridge.route import Asked, BridgeCall, get, post
from sidecar.services.change_log import ShownChange

__all__ = ["ROUTES"]

_MILLION = 1_000_000
_Text = Annotated[str | None, Field(min_length=1, max_length=200)]


class ActivityQuery(Asked):
    """Which changes: older than ``before``, of one client or session."""

    before: _Text = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50
    client: _Text = None
    session: _Text = None


@dataclass(frozen=True, slots=True)
class EntryTold:
    """What a change did to one file; without text no lines are counted."""

    op: str
    path: str
    to: str | None
    added: int
    removed: int
    hidden: bool


@dataclass(frozen=True, slots=True)
class ChangeTold:
    """One change. ``at`` is milliseconds since the epoch."""

    id: str
    at: int
    client: str
    session: str
    tool: str
    summary: str
    reason: str | None
    state: str
    undone_by: str | None
    undoes: list[str]
    entries: list[EntryTold]


@dataclass(frozen=True, slots=True)
class ActivityTold:
    """Changes, newest first; with ``before`` the list goes on, unless it is null."""

    changes: list[ChangeTold]
    before: str | None


@dataclass(frozen=True, slots=True)
class ChangeDiffTold:
    """One change, file by file."""

    id: str
    files: list[DiffTold]


class UndoBody(Asked):
    """What to take back: exactly one of change, session and since."""

    change: _Text = None
    session: _Text = None
    since: _Text = None
    mode: Literal["check", "apply"]


@dataclass(frozen=True, slots=True)
class UndoneTold:
    """What was taken back, or would be; ``change`` is the change that did it."""

    undone: list[str]
    files: list[DiffTold]
    change: str | None


@get("activity", ActivityQuery, ActivityTold)
async def activity(call: BridgeCall, query: ActivityQuery) -> ActivityTold:
    """List what was changed, by whom and why."""
    page = await call.services.change_log.page(
        before=query.before, limit=query.limit, client=query.client, session=query.session
    )
    return ActivityTold([_told(shown) for shown in page.changes], page.before)


@get("activity/{id}/diff", Asked, ChangeDiffTold, fails=("not_found", "ambiguous"))
async def diff(call: BridgeCall, _query: Asked) -> ChangeDiffTold:
    """Show one change hunk by hunk."""
    found = await call.services.change_log.diff(call.path["id"])
    return ChangeDiffTold(found.id, diffs_told(found.files))


@post("activity/undo", UndoBody, UndoneTold, fails=("not_found", "ambiguous", "conflict", "refused", "stale"))
async def undo(call: BridgeCall, body: UndoBody) -> UndoneTold:
    """Take a change back, or tell what that would do; a conflict names the file and shows its diff."""
    done = await call.services.change_log.undo(
        call.caller, change=body.change, session=body.session, since=body.since, mode=body.mode
    )
    return UndoneTold(list(done.undone), diffs_told(done.files), done.change)


def _told(shown: ShownChange) -> ChangeTold:
    change = shown.change
    return ChangeTold(
        id=change.id,
        at=change.at // _MILLION,
        client=change.author.client,
        session=change.author.session,
        tool=change.tool,
        summary=change.summary,
        reason=change.reason,
        state=change.state.value,
        undone_by=change.undone_by,
        undoes=list(change.undoes),
        entries=[EntryTold(e.op.value, e.path, e.to, e.added or 0, e.removed or 0, e.hidden) for e in shown.entries],
    )


ROUTES = (activity, diff, undo)
