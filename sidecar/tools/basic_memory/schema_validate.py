"""The tool ``schema_validate``."""

from typing import Annotated

from sidecar.services.schemas import ValidationReport
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Validate notes")
async def schema_validate(
    call: Call,
    note_type: Annotated[str | None, Arg("Check all notes of this type, such as person.")] = None,
    identifier: Annotated[str | None, Arg("Check this note: path, title or permalink.")] = None,
) -> ValidationReport:
    """Check notes against their schemas; without arguments all notes that name a type.

    A schema is Picoschema in the note's property schema, a schema note named there, or the one whose entity is its
    type. Properties, observations and relations count. Returns the faults of each note.
    For a first schema use schema_infer.
    """
    return await call.services.schemas.validate(call.caller, note_type=note_type, identifier=identifier)
