"""The tool ``move_note``."""

from typing import Annotated

from sidecar.services.moves import Moved
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Move note", writes=True, destructive=True, idempotent=False)
async def move_note(
    call: Call,
    identifier: Annotated[str, Arg("Path, title, alias, permalink or [[link]]; a folder's path.")],
    destination_path: Annotated[str, Arg("New path in the vault; the extension may be left out.")] = "",
    destination_folder: Annotated[
        str | None,
        Arg("Instead: folder to put it into under its name; '/' is the root.", "dest_folder", "to_folder"),
    ] = None,
    is_directory: Annotated[bool, Arg("true moves a folder with all that is in it.", "is_dir")] = False,
    reason: Annotated[str | None, Arg("Why.")] = None,
) -> Moved:
    """Move or rename a note, canvas, attachment or folder; whatever linked to it still does.

    Links in notes, properties and canvases, and paths in bases, are written anew as Obsidian would; code stays.
    Returns the new path, each file whose links changed, and bases that may mean it.
    A taken destination is refused; folders are made. To change text use edit_note. undo takes it back.
    """
    return await call.services.moves.move(
        call.caller,
        identifier=identifier,
        destination_path=destination_path,
        destination_folder=destination_folder,
        is_directory=is_directory,
        reason=reason,
    )
