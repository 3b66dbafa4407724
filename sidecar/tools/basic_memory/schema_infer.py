"""The tool ``schema_infer``."""

from typing import Annotated

from sidecar.services.schemas import InferenceReport
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Suggest a schema")
async def schema_infer(
    call: Call,
    note_type: Annotated[str, Arg("Type of the notes, such as person.")],
    threshold: Annotated[float, Arg("Least share of notes, 0 to 1, for a field to be suggested.")] = 0.25,
) -> InferenceReport:
    """Suggest a schema from the notes of a type: fields required from 95 % of them on, optional from the threshold.

    Returns how often each property, observation and relation occurs, its type, and the YAML of a schema note, ready
    for write_note. To compare notes with a schema you have use schema_diff.
    """
    return await call.services.schemas.infer(call.caller, note_type=note_type, threshold=threshold)
