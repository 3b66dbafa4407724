"""The tool ``recall_brief``."""

from typing import Annotated

from sidecar.services.memory_results import MemoryBrief, MemoryType
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Brief me", form="recall")
async def recall_brief(
    call: Call,
    budget: Annotated[int, Arg("About how many tokens it may take.", "max_tokens")] = 1500,
    type: Annotated[MemoryType | None, Arg("Only memories of this type.")] = None,  # noqa: A002 - the contract's
) -> MemoryBrief:
    """Tell what a new conversation should know: the memories that matter most, by type, recency and links.

    A line for each, then bodies as far as the budget goes. For a certain question use recall_search.
    """
    return await call.services.memories.briefing.tell(call.caller, budget=budget, kind=type)
