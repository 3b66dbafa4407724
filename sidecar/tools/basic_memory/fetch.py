"""The tool ``fetch``."""

from typing import Annotated

from sidecar.services.content import NoteText
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Fetch (for connectors)", form="document")
async def fetch(
    call: Call,
    id: Annotated[str, Arg("An id from search: the path of a note.")],  # noqa: A002 - the contract's name
    start_line: Annotated[int | None, Arg("First line, from 1.", listed=False, ge=1)] = None,
    end_line: Annotated[int | None, Arg("Last line.", listed=False, ge=1)] = None,
    max_tokens: Annotated[int | None, Arg("About how much text.", listed=False, ge=1)] = None,
) -> NoteText:
    """Fetch the text of a result of search, for clients that expect this fixed pair of tools.

    Returns one JSON text with id, title, text, url and metadata. Other clients do better with read_note.
    """
    return await call.services.content.read(
        call.caller, id, include_frontmatter=True, start_line=start_line, end_line=end_line, max_tokens=max_tokens
    )
