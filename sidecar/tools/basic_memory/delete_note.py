"""The tool ``delete_note``."""

from typing import Annotated

from sidecar.services.deletes import Deleted
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Delete note", writes=True, destructive=True)
async def delete_note(
    call: Call,
    identifier: Annotated[str, Arg("Path, title, alias, permalink or [[link]]; a folder's path.")],
    is_directory: Annotated[bool, Arg("true deletes a folder with all that is in it.", "is_dir")] = False,
    reason: Annotated[str | None, Arg("Why.")] = None,
) -> Deleted:
    """Delete a note, canvas, attachment or folder; it goes where the user's Obsidian puts deleted files.

    The first line is true, or false with near names when there is no such file; then where it is now and the links
    that led to it, which stay: mend them with edit_note. Refused when the system's trash is out of reach.
    undo brings it back.
    """
    return await call.services.deletes.delete(
        call.caller, identifier=identifier, is_directory=is_directory, reason=reason
    )
