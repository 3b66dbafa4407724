"""The tool ``canvas_edit``."""

from typing import Annotated, Any

from sidecar.services.canvas_drawing import CanvasEdited
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Edit canvas", writes=True, destructive=True, idempotent=False)
async def canvas_edit(
    call: Call,
    path: Annotated[str, Arg("Path or name of the canvas.", "canvas", "identifier")],
    operations: Annotated[
        list[dict[str, Any]],
        Arg(
            'Each {"op": …}: add (text | file | url, or type group with label; near, color, subpath, x, y, width, '
            "height, id to name it in this call); update (card, and any of those); remove (card); "
            "connect, disconnect (from, to, label, color); group (cards, label, color); ungroup (card).",
            "ops",
        ),
    ],
    expected_checksum: Annotated[str | None, Arg("Refuse if it is no longer this version.", "checksum")] = None,
    reason: Annotated[str | None, Arg("Why, for the history.")] = None,
) -> CanvasEdited:
    """Change a canvas in one step, all operations or none; what they do not name keeps its bytes and its place.

    A card is named by id, note title, path, label or the start of its text; if two fit, that is an error with both.
    New cards land beside what they are near or joined to, and overlap nothing. undo takes it back.
    For a map that follows the notes use canvas_map, for a new layout canvas_arrange.
    """
    return await call.services.canvases.drawing.edit(
        call.caller, path=path, operations=operations, expected_checksum=expected_checksum, reason=reason
    )
