"""The tool ``recent_activity``."""

from typing import Annotated

from pydantic import BeforeValidator

from sidecar.services.activity import ActivityKind, ActivityPage, recent_activity_in
from sidecar.tools.tool import Arg, Call, as_list, tool


@tool(title="Recent activity", about="vaults")
async def recent_activity(
    call: Call,
    type: Annotated[  # noqa: A002 - the contract's name
        Annotated[list[ActivityKind], BeforeValidator(as_list)] | None,
        Arg("Notes if left out.", "types", "kind"),
    ] = None,
    depth: Annotated[int, Arg("Taken for compatibility; a list follows no links.", listed=False, ge=1)] = 1,  # noqa: ARG001 - the contract's
    timeframe: Annotated[str, Arg("Since when: 7d, today, last week.", "since", "time_range", "lookback")] = "7d",
    page: Annotated[int, Arg("Page.", "page_number", ge=1)] = 1,
    page_size: Annotated[int, Arg("Lines a page.", "limit", "per_page", ge=1, le=100)] = 10,
) -> ActivityPage:
    """List what changed lately, newest first, whoever changed it; without project, in all vaults there are.

    Returns titles and paths with the time of the last change. For what agents changed, and why, use history.
    """
    return await recent_activity_in(
        await call.vaults(), call.caller, kinds=type or (), timeframe=timeframe, page=page, page_size=page_size
    )
