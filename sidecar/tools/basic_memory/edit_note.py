"""The tool ``edit_note``."""

from typing import Annotated

from sidecar.services.edits import EditOperation, NoteEdited, Scope
from sidecar.tools.objects import JsonObject, Section
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Edit note", writes=True, destructive=True, idempotent=False)
async def edit_note(
    call: Call,
    identifier: Annotated[str, Arg("Path, title, alias, permalink or [[link]] of one note.")],
    operation: Annotated[EditOperation, Arg("What to do.")],
    content: Annotated[str, Arg("New text.", "new_content", "replacement", "replace_with")],
    section: Annotated[
        Section,
        Arg("Heading, '## Heading' or 'A/B', for *_section; append and prepend too.", "section_heading", "heading"),
    ] = None,
    find_text: Annotated[
        str | None, Arg("For find_replace: the exact text.", "find", "old_text", "old_content", "search")
    ] = None,
    expected_replacements: Annotated[int | None, Arg("How often find_text must occur; 1 if left out.", ge=1)] = None,
    scope: Annotated[Scope, Arg("Where find_replace looks.")] = "body",
    replace_subsections: Annotated[bool, Arg("false: replace_section keeps what is under deeper headings.")] = True,
    metadata: Annotated[JsonObject, Arg("Properties to set as well; null removes one.")] = None,
    expected_checksum: Annotated[str | None, Arg("From read_note: edit only this version.")] = None,
    workspace: Annotated[str | None, Arg("Workspace of the project.", listed=False)] = None,  # noqa: ARG001 - the desk looks at it
    reason: Annotated[str | None, Arg("Why.")] = None,
) -> NoteEdited:
    """Change a part of an existing note; every other byte stays as it is.

    append and prepend add to the note or a section; find_replace replaces literal text; replace_section replaces
    what is under a heading, insert_before_section and insert_after_section add above it and right below it.
    A heading that occurs twice, or a text found another number of times, is refused with line numbers.
    replace_section with a heading like none in the note adds it at the end and says so.
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
        replace_subsections=replace_subsections,
        metadata=metadata,
        expected_checksum=expected_checksum,
        reason=reason,
    )
