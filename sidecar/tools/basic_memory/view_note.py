"""The tool ``view_note``."""

from typing import Annotated

from sidecar.services.content import NoteShown
from sidecar.tools.tool import Arg, Call, tool


@tool(title="View note")
async def view_note(
    call: Call,
    identifier: Annotated[str, Arg("As for read_note.")],
    max_tokens: Annotated[int | None, Arg("About how much text at most.", ge=1, listed=False)] = None,
) -> NoteShown:
    """Hand over a note so that you show it to the user as a Markdown artifact.

    Returns one line that asks for this, then the note's text as read_note gives it. To work with a note use read_note.
    """
    return await call.services.content.show(call.caller, identifier, max_tokens=max_tokens)
