"""The tool ``recall_save``."""

from typing import Annotated

from sidecar.services.memory_results import MemorySaved, MemoryType
from sidecar.tools.tool import Arg, Call, tool


@tool(
    title="Save memory",
    writes=True,
    destructive=True,
    form="recall",
    also=("recall_write", "recall_remember", "recall_store", "recall_add", "recall_create"),
)
async def recall_save(
    call: Call,
    name: Annotated[str, Arg("Kebab-case slug, also the file's name: 'renewal-window'.", "slug", "title")],
    description: Annotated[str, Arg("One line that says it all: what searches rank by first.", "summary")],
    type: Annotated[MemoryType, Arg("What it is about.", "memory_type", "kind")],  # noqa: A002 - the contract's
    body: Annotated[str, Arg("The fact in Markdown; [[name]] links to another memory.", "content", "text")],
    overwrite: Annotated[bool, Arg("true replaces the memory of this name.")] = False,
    reason: Annotated[str | None, Arg("Why, for the history.", listed=False)] = None,
) -> MemorySaved:
    """Keep one fact for later conversations, as a note with a line in the index MEMORY.md.

    Returns created or updated with the memory, and memories that are alike; look at those before you save another of
    the same. If the name is taken nothing is written: conflict, with the memory that is there. Then use recall_update
    to add to it, or overwrite=true. Text of an ordinary note goes to write_note. undo takes it back.
    """
    return await call.services.memories.notes.save(
        call.caller, name=name, description=description, kind=type, body=body, overwrite=overwrite, reason=reason
    )
