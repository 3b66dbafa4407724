"""The tool ``recall_get``."""

from typing import Annotated

from sidecar.services.memory_results import MemoryShown
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Get memory", form="recall")
async def recall_get(
    call: Call, name: Annotated[str, Arg("Name of the memory.", "slug", "identifier", "id")]
) -> MemoryShown:
    """Return one memory whole: description, type, body, links, and a checksum for recall_update.

    A name that is not there is an error with near names; recall_search finds memories by what they say.
    """
    return await call.services.memories.showing.get(call.caller, name)
