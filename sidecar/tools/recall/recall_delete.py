"""The tool ``recall_delete``."""

from typing import Annotated

from sidecar.services.memory_results import MemoryDeleted
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Delete memory", writes=True, destructive=True, form="recall", also=("recall_forget",))
async def recall_delete(
    call: Call,
    name: Annotated[str, Arg("Name of the memory.", "slug", "identifier", "id")],
    reason: Annotated[str | None, Arg("Why, for the history.", listed=False)] = None,
) -> MemoryDeleted:
    """Delete a memory and its line in the index; it goes where the user's Obsidian puts deleted files.

    Returns deleted: true, or deleted: false with near names if there is none; that is safe. undo brings it back.
    """
    return await call.services.memories.deletes.delete(call.caller, name=name, reason=reason)
