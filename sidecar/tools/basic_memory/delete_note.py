"""The tool ``delete_note``."""

from typing import Annotated

from sidecar.services.deletes import Deleted
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Delete note", writes=True, destructive=True)
async def delete_note(
    call: Call,
    identifier: Annotated[str, Arg("Path, title, alias, permalink or [[link]] of one file; the path of a folder.")],
    is_directory: Annotated[bool, Arg("true deletes a folder with all that is in it.", "is_dir")] = False,
    reason: Annotated[str | None, Arg("Why, for the history.")] = None,
) -> Deleted:
    """Delete a note, canvas, attachment or folder; it goes where the user's Obsidian puts deleted files.

    Returns true or false on the first line: false, with near names, when there is no such file. Then where it is now
    and the links that led to it, which you may want to mend with edit_note. Links are not removed.
    When the system's trash is asked for and cannot be reached, it is refused. undo brings it back in any case.
    To put it elsewhere use move_note.
    """
    return await call.services.deletes.delete(
        call.caller, identifier=identifier, is_directory=is_directory, reason=reason
    )
