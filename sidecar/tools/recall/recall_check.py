"""The tool ``recall_check``."""

from typing import Annotated

from sidecar.services.memory_results import MemoryFindings
from sidecar.tools.tool import Arg, Call, Tags, tool


@tool(title="Check memories", writes=True, form="recall")
async def recall_check(
    call: Call,
    fix: Annotated[Tags | None, Arg("Ids of findings to fix, or 'all' that can be.")] = None,
    reason: Annotated[str | None, Arg("Why, for the history.", listed=False)] = None,
) -> MemoryFindings:
    """List near-duplicates, dangling links, stale memories, bad properties, and what is wrong with the index.

    Without fix nothing is changed. Returns what is left, each with an id and what fixing it does. Near-duplicates are
    yours to merge with recall_update. undo takes the fixes back.
    """
    return await call.services.memories.check.check(call.caller, fix=fix or (), reason=reason)
