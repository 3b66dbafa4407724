"""The tool ``undo``."""

from typing import Annotated

from sidecar.services.history import Undone
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Undo", writes=True, destructive=True, idempotent=False)
async def undo(
    call: Call,
    change: Annotated[str | None, Arg("Id of the change, from history; your own last one if left out.")] = None,
    session: Annotated[str | None, Arg("Take back everything of this session.")] = None,
    since: Annotated[str | None, Arg("Take back everything since then: 2026-11-30, 24h, 7d.")] = None,
    dry_run: Annotated[bool, Arg("true shows what would happen and changes nothing.")] = False,
    reason: Annotated[str | None, Arg("Why, for the history.")] = None,
) -> Undone:
    """Take back a change that an agent made, byte for byte.

    Where a file was edited since, the later edit is kept if both can be; else it is refused with a diff.
    An undo is a change of its own: undo it by its id to bring the change back. See history for ids.
    """
    return await call.services.history.undo(
        call.caller, change=change, session=session, since=since, dry_run=dry_run, reason=reason
    )
