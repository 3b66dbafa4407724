"""The tool ``search_notes``."""

from typing import Annotated, Literal

from pydantic import BeforeValidator

from sidecar.services.asked import Asked
from sidecar.services.everywhere import find_notes
from sidecar.services.results import SearchResults
from sidecar.tools.objects import JsonObject
from sidecar.tools.tool import Arg, Call, Tags, as_list, tool


@tool(title="Search notes", about="vaults")
async def search_notes(
    call: Call,
    query: Annotated[str | None, Arg("What to find; may be left out with filters.", "q", "search", "text")] = None,
    search_all_projects: Annotated[  # noqa: ARG001 - the desk reads it
        bool, Arg("All vaults, unless one is named.", "all_projects")
    ] = False,
    page: Annotated[int, Arg("Page.", "page_number", ge=1)] = 1,
    page_size: Annotated[int, Arg("Results a page, to 100.", "limit", "per_page", ge=1)] = 10,
    search_type: Annotated[
        Literal["text", "title", "permalink", "vector", "semantic", "hybrid"] | None,
        Arg("Default hybrid where search by meaning is there, else text; permalink: a pattern like docs/2024-*."),
    ] = None,
    note_types: Annotated[Tags | None, Arg("Only these values of property 'type'.", "note_type", "types")] = None,
    entity_types: Annotated[
        Annotated[list[Literal["entity", "observation", "relation"]], BeforeValidator(as_list)] | None,
        Arg("Kinds of results; default entity (files).", "entity_type"),
    ] = None,
    categories: Annotated[Tags | None, Arg("Only observations of these categories.", "category")] = None,
    after_date: Annotated[str | None, Arg("Changed since: 2024-01-01, 1 week.", "since", "after", "from_date")] = None,
    metadata_filters: Annotated[
        JsonObject,
        Arg("By property: value, [all of], null, $in $ne $gt $gte $lt $lte $between $contains $exists; a.b nests."),
    ] = None,
    tags: Annotated[Tags | None, Arg("Only with all these tags; nested ones count.")] = None,
    status: Annotated[str | None, Arg("Only this value of property 'status'.")] = None,
    min_similarity: Annotated[
        float | None, Arg("Least nearness in meaning, 0 to 1.", "threshold", "similarity_threshold", listed=False)
    ] = None,
    include_excluded: Annotated[bool, Arg("Also files excluded in Obsidian's settings.", listed=False)] = False,
    sort: Annotated[
        str, Arg("relevance, title_asc, created_desc, updated_desc and so on.", listed=False)
    ] = "relevance",
    context_lines: Annotated[int, Arg("Numbered lines shown around each match, 0 to 10.", listed=False)] = 0,
    cursor: Annotated[str | None, Arg("From the page before; repeat its call with it.", listed=False)] = None,
) -> SearchResults:
    """Search notes, canvases and bases, or the observations and relations in them; best first.

    Words are joined by AND; if no file has all, misspelt ones are corrected, or any counts, and the reply says so.
    Also: "a phrase", OR, NOT or -word, ( ), word*, /regex/, tag:name, path:x, file:x, content:x, line:(x y), block:,
    section:, task-todo:, task-done:, match-case:, [property:value], [number:>5].
    Returns path, title, score and an excerpt with its line, never whole notes: use read_note.
    """
    return await find_notes(
        call.caller,
        call.vault,
        call.every,
        Asked(
            query=query,
            page=page,
            page_size=page_size,
            search_type=search_type,
            tags=tags or (),
            note_types=note_types or (),
            status=status,
            metadata_filters=metadata_filters,
            entity_types=entity_types or (),
            categories=categories or (),
            after_date=after_date,
            min_similarity=min_similarity,
            include_excluded=include_excluded,
            sort=sort,
            context_lines=context_lines,
            cursor=cursor,
        ),
    )
