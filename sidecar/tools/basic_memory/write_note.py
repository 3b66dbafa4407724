"""The tool ``write_note``."""

from typing import Annotated

from sidecar.services.notes import NoteWritten
from sidecar.tools.objects import JsonObject
from sidecar.tools.tool import Arg, Call, Tags, tool


@tool(title="Write note", writes=True, destructive=True, idempotent=False)
async def write_note(
    call: Call,
    title: Annotated[str, Arg("Becomes the file name; what a name cannot hold is kept as alias.")],
    content: Annotated[str, Arg("Markdown; it may begin with properties between '---' lines.")],
    directory: Annotated[str, Arg("Folder in the vault; '/' is the root. Made if missing.", "folder", "dir", "path")],
    tags: Annotated[Tags | None, Arg("Tags without '#'; added to those in the content.")] = None,
    note_type: Annotated[str | None, Arg("Written as property 'type' unless it is 'note'.")] = "note",
    metadata: Annotated[JsonObject, Arg("More properties; they win over the content's own.")] = None,
    overwrite: Annotated[bool | None, Arg("true replaces an existing note; its other properties stay.")] = None,
    expected_checksum: Annotated[str | None, Arg("From read_note: replace only this version.")] = None,
    workspace: Annotated[str | None, Arg("Workspace of the project.", listed=False)] = None,  # noqa: ARG001 - for the desk
    reason: Annotated[str | None, Arg("Why.")] = None,
) -> NoteWritten:
    """Create a Markdown note in the vault, or replace one when told to.

    Returns path, checksum, tags and counts of observations and relations.
    An existing note is refused without overwrite=true or its checksum; to change a part of it use edit_note.
    Observations are written '- [category] text #tag (context)', relations '- type [[Note]]', links as in Obsidian.
    Nothing else is added to the file. undo takes it back.
    """
    return await call.services.notes.write(
        call.caller,
        title=title,
        content=content,
        directory=directory,
        tags=tags or (),
        note_type=note_type,
        metadata=metadata,
        overwrite=overwrite,
        expected_checksum=expected_checksum,
        reason=reason,
    )
