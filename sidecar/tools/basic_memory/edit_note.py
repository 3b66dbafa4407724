"""The tool ``edit_note``."""

from typing import Annotated, Any

from sidecar.services.edits import EditOperation, NoteEdited, Scope
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Edit note", writes=True, destructive=True, idempotent=False)
async def edit_note(
    call: Call,
    identifier: Annotated[str, Arg("Path, title, alias, permalink or [[link]] of one note.")],
    operation: Annotated[EditOperation, Arg("What to do with content.")],
    content: Annotated[str, Arg("Text to add, or that replaces.", "new_content", "replacement", "replace_with")],
    section: Annotated[
        str | None,
        Arg(
            "Heading: its text, '## Text' or 'Parent/Child'. Needed to replace_section; append and prepend use it too.",
            "section_heading",
            "heading",
        ),
    ] = None,
    find_text: Annotated[
        str | None, Arg("For find_replace: the exact text.", "find", "old_text", "old_content", "search")
    ] = None,
    expected_replacements: Annotated[
        int | None, Arg("For find_replace: how often the text must occur; 1 if left out.", ge=1)
    ] = None,
    scope: Annotated[Scope, Arg("For find_replace: where to look.")] = "body",
    metadata: Annotated[dict[str, Any] | None, Arg("Properties to set as well; null removes one.")] = None,
    expected_checksum: Annotated[
        str | None, Arg("Checksum from read_note: edit only if the note still is that version.")
    ] = None,
    reason: Annotated[str | None, Arg("Why, for the history.")] = None,
) -> NoteEdited:
    """Change a part of an existing note; every other byte stays as it is.

    append and prepend add content to the note or to a section; find_replace replaces literal text;
    replace_section replaces the text under a heading, subsections included, and keeps the heading.
    A heading that occurs twice, or a text found another number of times, is refused with the line numbers.
    replace_section with a heading that is nowhere, nor anything like it, adds that section at the end and says so.
    Never creates a note: use write_note. Returns the new checksum. undo takes it back.
    """
    return await call.services.edits.edit(
        call.caller,
        identifier=identifier,
        operation=operation,
        content=content,
        section=section,
        find_text=find_text,
        expected_replacements=expected_replacements,
        scope=scope,
        metadata=metadata,
        expected_checksum=expected_checksum,
        reason=reason,
    )
