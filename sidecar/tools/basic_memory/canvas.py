"""The tool ``canvas``."""

from typing import Annotated

from sidecar.services.canvas_drawing import CanvasDrawn
from sidecar.tools.objects import JsonObjects
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Draw canvas", writes=True, destructive=True, idempotent=False)
async def canvas(
    call: Call,
    nodes: Annotated[
        JsonObjects,
        Arg(
            "Cards of JSON Canvas 1.0: type 'text' (text), 'file' (file: a path in the vault), 'link' (url) or "
            "'group' (label). id, x, y, width, height and color ('1' to '6' or '#RRGGBB') may be left out."
        ),
    ],
    title: Annotated[str, Arg("Name of the canvas; saved as title.canvas.")],
    directory: Annotated[str, Arg("Folder in the vault; '/' is the root.", "folder", "dir", "path")],
    edges: Annotated[
        JsonObjects | None,
        Arg("Lines between cards: fromNode, toNode, and label, color, fromSide, toSide if you like."),
    ] = None,
    overwrite: Annotated[bool, Arg("true replaces an existing canvas; its unknown fields stay.")] = False,
    reason: Annotated[str | None, Arg("Why.")] = None,
) -> CanvasDrawn:
    """Draw an Obsidian canvas: a map of notes, texts and links joined by lines.

    Sizes, places and sides you leave out are chosen so that nothing overlaps; what you place is not moved. Give file
    cards the exact path of a file; read_note reads canvases too. Your ids are mapped to Obsidian's; the reply tells
    how. Faults are listed all at once; nothing is written then. undo takes it back.
    """
    return await call.services.canvases.drawing.draw(
        call.caller,
        nodes=nodes,
        edges=edges or [],
        title=title,
        directory=directory,
        overwrite=overwrite,
        reason=reason,
    )
