"""The tool ``canvas_map``."""

from typing import Annotated

from sidecar.canvas.layout.arrange import Layout
from sidecar.services.canvas_maps import CanvasMapped
from sidecar.tools.tool import Arg, Call, tool


@tool(title="Map notes", writes=True, destructive=False, idempotent=True)
async def canvas_map(
    call: Call,
    path: Annotated[str, Arg("Path of the canvas to make or refresh.", "canvas", "identifier")],
    source: Annotated[
        str | list[str],
        Arg("note:Name (what is around it), tag:#name, folder:Path, search:words, property:name=value, or notes."),
    ],
    layout: Annotated[Layout, Arg("How cards are set.")] = Layout.AUTO,
    depth: Annotated[int, Arg("Of note: so many links away, up to 3.")] = 1,
    limit: Annotated[int, Arg("Cards, at most 60.")] = 40,
    max_edges: Annotated[int | None, Arg("Links to draw; else 1.5 a card, the strongest.", ge=0)] = None,
    group_by: Annotated[str | None, Arg("Frames: folder, tag, or property:name.")] = None,
    color_by: Annotated[str | None, Arg("Colours with a legend, by the same.")] = None,
    reason: Annotated[str | None, Arg("Why, for the history.")] = None,
    expected_checksum: Annotated[str | None, Arg("Refuse if it changed.", "checksum", listed=False)] = None,
) -> CanvasMapped:
    """Draw notes and the links among them on a canvas, labelled by relation, property or heading.

    Asked again for the same canvas it brings the map up to date: its own cards come and go; what a person placed,
    wrote, changed or took away stays so. For single cards use canvas_edit, to look at it canvas_preview.
    """
    return await call.services.canvases.maps.draw(
        call.caller,
        path=path,
        source=source,
        layout=layout,
        depth=depth,
        limit=limit,
        max_edges=max_edges,
        group_by=group_by,
        color_by=color_by,
        expected_checksum=expected_checksum,
        reason=reason,
    )
