"""The tool ``obsidian``."""

from typing import Annotated

from sidecar.services.obsidian import AppAction, ContextShown, Pane, PlaceOpened
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Obsidian", idempotent=True)
async def obsidian(
    call: Call,
    action: Annotated[AppAction, Arg("context tells what is open, open shows something.")] = AppAction.CONTEXT,
    target: Annotated[
        str | None,
        Arg("What to open: Note, Note#Heading, Note#^block, Note:12 (a line), Map.canvas#Card.", "identifier", "path"),
    ] = None,
    pane: Annotated[Pane, Arg("Where it opens.")] = Pane.CURRENT,
) -> ContextShown | PlaceOpened:
    """See what the user has open in Obsidian right now, or show the user something there.

    context tells the active file, the selected text with its lines, the open tabs, and which have unsaved changes:
    ask it when the user says "this note" or "what I selected". open changes what is on the user's screen and no file;
    use it when the user wants to look. Needs Obsidian running with the plugin; says so when it is not.
    For a note's text use read_note.
    """
    return await call.services.obsidian.ask(call.caller, action, target=target, pane=pane)
