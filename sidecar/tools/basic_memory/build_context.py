"""The tool ``build_context``."""

from typing import Annotated

from sidecar.services.context import Context
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Build context", default_format="json")
async def build_context(
    call: Call,
    url: Annotated[str, Arg("memory:// URL, path or title, or a pattern: projects/*.", "uri", "memory_url")],
    depth: Annotated[int | None, Arg("How many links away, 1 to 5.")] = 1,
    timeframe: Annotated[
        str | None, Arg("Related notes changed since: 7d, last week; null for all.", "since", "time_range", "lookback")
    ] = "7d",
    page: Annotated[int, Arg("Page of a pattern's matches.", "page_number", ge=1)] = 1,
    page_size: Annotated[int, Arg("Matches a page.", "limit", "per_page", ge=1, le=50)] = 10,
    max_related: Annotated[int, Arg("Most related notes for each match.", "max_results", ge=0, le=100)] = 10,
    compact: Annotated[bool, Arg("Leave out the notes' text.", listed=False)] = False,
) -> Context:
    """Gather what belongs to a note: the beginning of its text, its observations, relations and linked notes.

    Links count both ways, from bodies, properties and canvases. Facts have URLs too: note/depends-on/*,
    note/observations/decision/*. For a whole text use read_note, to find a note search_notes.
    The timeframe never hides the note you name; the reply says how many others it hides.
    """
    return await call.services.contexts.build(
        call.caller,
        url=url,
        depth=depth,
        timeframe=timeframe,
        page=page,
        page_size=page_size,
        max_related=max_related,
        compact=compact,
    )
