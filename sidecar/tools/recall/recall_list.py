"""The tool ``recall_list``."""

from typing import Annotated

from sidecar.services.memory_results import MemoryList, MemoryType
from sidecar.tools.tool import Arg, Call, tool


@tool(title="List memories", form="recall")
async def recall_list(
    call: Call,
    type: Annotated[MemoryType | None, Arg("Only memories of this type.")] = None,  # noqa: A002 - the contract's
    limit: Annotated[int, Arg("Most results.", ge=1, le=200)] = 20,
    offset: Annotated[int, Arg("Results to skip.", ge=0)] = 0,
) -> MemoryList:
    """List memories by name with description and type, without bodies; says how many there are and what comes next.

    To find some by what they say use recall_search.
    """
    return await call.services.memories.search.list(call.caller, kind=type, limit=limit, offset=offset)
