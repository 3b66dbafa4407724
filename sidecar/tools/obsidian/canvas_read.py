"""The tool ``canvas_read``."""

from typing import Annotated

from sidecar.services.canvas_reading import CanvasDetail, CanvasShown
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Read canvas")
async def canvas_read(
    call: Call,
    path: Annotated[str, Arg("Path or name of the canvas.", "canvas", "identifier")],
    detail: Annotated[CanvasDetail, Arg("full: the file's JSON.")] = CanvasDetail.OUTLINE,
    positions: Annotated[bool, Arg("Tell x, y, width and height of each card too.")] = False,
) -> CanvasShown:
    """Read a canvas as an outline: cards by text or note, groups as a tree, edges as "A -label-> B", and a checksum.

    The names shown are those by which canvas_edit knows the cards. To look at it use canvas_preview.
    """
    return await call.services.canvases.reading.read(call.caller, path=path, detail=detail, positions=positions)
