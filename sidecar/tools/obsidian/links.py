"""The tool ``links``."""

from typing import Annotated

from pydantic import BeforeValidator

from sidecar.services.link_results import LinkPage, LinkQuery, LinkWay, NotePage
from sidecar.services.mention import Direction, MentionKind
from sidecar.tools.tool import Arg, Call, as_list, tool


@tool(title="Links")
async def links(
    call: Call,
    identifier: Annotated[
        str | None, Arg("Path, title, alias or [[link]] of a file; the whole vault if left out.", "path", "note")
    ] = None,
    direction: Annotated[Direction, Arg("Which links; mentions are those not linked yet.")] = Direction.BACKLINKS,
    section: Annotated[
        str | None, Arg("Heading or ^block: only links that lead there; of outgoing, that stand there.", "heading")
    ] = None,
    kinds: Annotated[list[MentionKind] | None, BeforeValidator(as_list), Arg("Only where they stand so.")] = None,
    folder: Annotated[str | None, Arg("Only files in this folder.", "directory")] = None,
    tag: Annotated[str | None, Arg("Only files with this tag.")] = None,
    depth: Annotated[int, Arg("Above 1: the files so many links away, up to 5.")] = 1,
    to: Annotated[str | None, Arg("Show the shortest way along links to this file.", "target")] = None,
    limit: Annotated[int, Arg("Rows a page, at most 200.", "page_size", ge=1, le=200)] = 50,
    cursor: Annotated[str | None, Arg("From the page before.")] = None,
) -> LinkPage | NotePage | LinkWay:
    """Show what links to what, from notes, properties, canvases and bases, each with line, heading and context.

    backlinks lead to the file, outgoing stand in it, unresolved lead nowhere; mentions name the note by title or alias
    without a link, with ids for link_mentions. hubs are the most linked files, orphans those nothing links to.
    For a note's text and its neighbours' in one reply use build_context.
    """
    return await call.services.links.find(
        call.caller,
        LinkQuery(identifier, direction, section, tuple(kinds or ()), folder, tag, depth, to, limit, cursor),
    )
