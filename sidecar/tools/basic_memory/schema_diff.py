"""The tool ``schema_diff``."""

from typing import Annotated

from sidecar.services.schemas import DriftReport
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Compare with schema")
async def schema_diff(call: Call, note_type: Annotated[str, Arg("Type of the notes, such as person.")]) -> DriftReport:
    """Tell how the notes of a type have moved away from their schema.

    Returns fields many notes have but the schema does not, declared ones that hardly any has, single values that
    became lists or the reverse, and values of other types. For the faults of single notes use schema_validate.
    """
    return await call.services.schemas.diff(call.caller, note_type=note_type)
