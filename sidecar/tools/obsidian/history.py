"""The tool ``history``."""

from typing import Annotated

from sidecar.services.history import HistoryPage
from sidecar.tools.tool import Arg, Call, tool


@tool(title="History")
async def history(
    call: Call,
    identifier: Annotated[str | None, Arg("Only changes of this note: path, title, alias or [[link]].")] = None,
    change: Annotated[str | None, Arg("Id of one change, shown with its diff.")] = None,
    client: Annotated[str | None, Arg("Only changes by this client.")] = None,
    since: Annotated[str | None, Arg("Only changes since then: 2026-11-30, 24h, 7d.")] = None,
    limit: Annotated[int, Arg("How many changes, newest first.", ge=1, le=200)] = 20,
    diff: Annotated[bool, Arg("true adds a short diff to each change.")] = False,
) -> HistoryPage:
    """List what agents changed in the vault: when, which client, which files, why, and whether it was undone.

    Every write of every tool is here with its id, which undo takes. Changes people make in Obsidian are not.
    """
    return await call.services.history.list(
        call.caller, identifier=identifier, change=change, client=client, since=since, limit=limit, diff=diff
    )
