"""The tool ``recall_links``."""

from typing import Annotated

from sidecar.services.memory_links import LinkDirection
from sidecar.services.memory_results import MemoryLinks
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Links of a memory", form="recall")
async def recall_links(
    call: Call,
    name: Annotated[str, Arg("Name of the memory.", "slug", "identifier", "id")],
    direction: Annotated[LinkDirection, Arg("outbound: what it links to; inbound: what links to it.")] = (
        LinkDirection.BOTH
    ),
    include_notes: Annotated[bool, Arg("true: ordinary notes too.", "notes")] = False,
) -> MemoryLinks:
    """Return the names of memories connected to one through [[links]], and its links that lead nowhere.

    A name that is not there is an error with near names. Read one with recall_get.
    """
    return await call.services.memories.links.of(call.caller, name=name, direction=direction, with_notes=include_notes)
