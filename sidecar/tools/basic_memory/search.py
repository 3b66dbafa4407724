"""The tool ``search``."""

from typing import Annotated

from sidecar.services.search import SearchResults
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Search (for connectors)", form="document")
async def search(
    call: Call,
    query: Annotated[str, Arg("What to find; same language as search_notes.")],
) -> SearchResults:
    """Search the vault for clients that expect this fixed pair of tools: search, then fetch by id.

    Returns one JSON text with results of id, title and url. Other clients do better with search_notes.
    """
    return await call.services.search.find(call.caller, query=query)
