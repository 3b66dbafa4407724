"""The tool ``write_note``."""

from typing import Annotated, Any

from sidecar.services.notes import NoteWritten
from sidecar.tools.tool import Arg, Call, Tags, tool


@tool(title="Write note", writes=True, destructive=True, idempotent=False)
async def write_note(
    call: Call,
    title: Annotated[str, Arg("Title; it becomes the file name. What a file name cannot hold is kept as an alias.")],
    content: Annotated[str, Arg("Markdown of the note. It may begin with properties between '---' lines.")],
    directory: Annotated[str, Arg("Folder in the vault; '/' is the root. Made if missing.", "folder", "dir", "path")],
    tags: Annotated[Tags | None, Arg("Tags without '#'; added to those in the content.")] = None,
    note_type: Annotated[str | None, Arg("Written as property 'type' unless it is 'note'.")] = None,
    metadata: Annotated[dict[str, Any] | None, Arg("More properties; they win over the content's own.")] = None,
    overwrite: Annotated[bool | None, Arg("true replaces an existing note; its other properties stay.")] = None,
    expected_checksum: Annotated[
        str | None, Arg("Checksum from read_note: replace only if the note still is that version.")
    ] = None,
    reason: Annotated[str | None, Arg("Why, for the history.")] = None,
) -> NoteWritten:
    """Create a Markdown note in the vault, or replace one when told to.

    Returns path, checksum, tags, the observations by category, and how many relations resolve.
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
