"""The tool ``recall_update``."""

from typing import Annotated

from sidecar.services.memory_results import MemorySaved, MemoryType
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Update memory", writes=True, destructive=True, idempotent=False, form="recall")
async def recall_update(
    call: Call,
    name: Annotated[str, Arg("Name of the memory.", "slug", "identifier", "id")],
    append: Annotated[str | None, Arg("Text to add at the end, or at that of section.")] = None,
    section: Annotated[str | None, Arg("Heading that append or content is about.")] = None,
    content: Annotated[str | None, Arg("Text to put under section instead of what is there.")] = None,
    description: Annotated[str | None, Arg("New description.")] = None,
    type: Annotated[MemoryType | None, Arg("New type.")] = None,  # noqa: A002 - the contract's
    expected_checksum: Annotated[str | None, Arg("From recall_get: change only this version.")] = None,
    reason: Annotated[str | None, Arg("Why, for the history.", listed=False)] = None,
) -> MemorySaved:
    """Change a part of a memory; all else in its file stays as it is, and its line in the index follows.

    Returns the memory as it is now. To write it wholly anew use recall_save with overwrite. undo takes it back.
    """
    return await call.services.memories.notes.update(
        call.caller,
        name=name,
        append=append,
        section=section,
        content=content,
        description=description,
        kind=type,
        expected_checksum=expected_checksum,
        reason=reason,
    )
