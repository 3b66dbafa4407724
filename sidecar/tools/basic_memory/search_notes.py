"""The tool ``search_notes``."""

from typing import Annotated, Literal

from sidecar.services.search import SearchResults
from sidecar.tools.tool import Arg, Call, Tags, tool


@tool(title="Search notes")
async def search_notes(
    call: Call,
    query: Annotated[
        str | None, Arg("What to find; may be left out with tags, status or note_types.", "q", "search", "text")
    ] = None,
    page: Annotated[int, Arg("Page of the results.", "page_number", ge=1)] = 1,
    page_size: Annotated[int, Arg("Results a page, at most 100.", "limit", "per_page", ge=1)] = 10,
    search_type: Annotated[Literal["text", "title"], Arg("'title' looks at titles and aliases only.")] = "text",
    tags: Annotated[Tags | None, Arg("Only notes with all these tags; nested tags count.")] = None,
    note_types: Annotated[Tags | None, Arg("Only these values of property 'type'.", "note_type", "types")] = None,
    status: Annotated[str | None, Arg("Only this value of property 'status'.")] = None,
    include_excluded: Annotated[bool, Arg("Also files that the user excluded in Obsidian's settings.")] = False,
    cursor: Annotated[str | None, Arg("From the page before; repeat its call with it.")] = None,
) -> SearchResults:
    """Search all notes, canvases and bases by words, phrases, tags, paths and properties; best first.

    Words are joined by AND; if no file has all, misspelt ones are corrected, or any counts, and the reply says so.
    Also: "a phrase", OR, NOT or -word, ( ), word*, /regex/, tag:#name, path:text, file:name, content:x, line:(x y),
    block:, section:, task:, task-todo:, task-done:, match-case:, [property], [property:value], [number:>5].
    Accents and case do not matter; Chinese, Japanese and Korean need no spaces.
    Returns path, title, score and an excerpt with its line and heading, never whole notes: use read_note for those.
    """
    return await call.services.search.find(
        call.caller,
        query=query,
        page=page,
        page_size=page_size,
        titles_only=search_type == "title",
        tags=tags or (),
        note_types=note_types or (),
        status=status,
        include_excluded=include_excluded,
        cursor=cursor,
    )
