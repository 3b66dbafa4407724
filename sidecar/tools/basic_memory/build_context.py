"""The tool ``build_context``."""

from typing import Annotated

from sidecar.services.context import Context
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Build context", default_format="json")
async def build_context(
    call: Call,
    url: Annotated[str, Arg("memory:// URL, path or title of a note, or a pattern: projects/*.", "uri", "memory_url")],
    depth: Annotated[int, Arg("How many links away, 1 to 5.")] = 1,
    timeframe: Annotated[
        str | None,
        Arg("Related notes changed since: 7d, yesterday; null for all.", "since", "time_range", "lookback"),
    ] = "7d",
    page: Annotated[int, Arg("Page of a pattern's matches.", "page_number", ge=1)] = 1,
    page_size: Annotated[int, Arg("Matches a page.", "limit", "per_page", ge=1, le=50)] = 10,
    max_related: Annotated[int, Arg("Most related notes for each match.", "max_results", ge=0, le=100)] = 10,
) -> Context:
    """Gather what belongs to a note: the beginning of its text, its observations and relations, and linked notes.

    Links are followed in both directions, in the body, in properties and on canvases. Use it to go on with a topic;
    use read_note for a whole text and search_notes when you do not know the note.
    The timeframe never hides the note you name; when it hides related ones, the reply says how many.
    """
    return await call.services.contexts.build(
        call.caller,
        url=url,
        depth=depth,
        timeframe=timeframe,
        page=page,
        page_size=page_size,
        max_related=max_related,
    )
