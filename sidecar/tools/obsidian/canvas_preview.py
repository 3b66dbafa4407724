"""The tool ``canvas_preview``."""

from typing import Annotated

from sidecar.services.canvas_preview import CanvasPreviewed, PictureFormat
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Preview canvas")
async def canvas_preview(
    call: Call,
    path: Annotated[str, Arg("Path or name of the canvas.", "canvas", "identifier")],
    format: Annotated[PictureFormat, Arg("png needs an extra; many clients show only png.")] = PictureFormat.SVG,  # noqa: A002 - the contract's name
    width: Annotated[int, Arg("Pixels, 200 to 4000.")] = 1200,
) -> CanvasPreviewed:
    """Look at a canvas: a picture of its cards, groups and lines. Notes are shown by their paths, not their text.

    For what stands on it use canvas_read, which costs less.
    """
    return await call.services.canvases.previews.preview(call.caller, path=path, picture_format=format, width=width)
