"""The tool ``recall_search``."""

from typing import Annotated

from sidecar.services.memory_results import MemoryResults, MemoryType
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Search memories", form="recall")
async def recall_search(
    call: Call,
    query: Annotated[str, Arg("Words, or a question.", "q", "text")],
    type: Annotated[MemoryType | None, Arg("Only memories of this type.")] = None,  # noqa: A002 - the contract's
    limit: Annotated[int, Arg("Most results.", ge=1, le=200)] = 20,
) -> MemoryResults:
    """Recall what is known about something: memories that hold a word of the query, best first, with scores.

    A hit in the name outweighs the description, that the body; inflected words count. Empty if nothing matches.
    Read a result whole with recall_get. For all notes of the vault use search_notes.
    """
    return await call.services.memories.search.find(call.caller, query=query, kind=type, limit=limit)
