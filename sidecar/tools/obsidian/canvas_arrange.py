"""The tool ``canvas_arrange``."""

from typing import Annotated

from pydantic import BeforeValidator

from sidecar.canvas.layout.arrange import Layout
from sidecar.services.canvas_arranging import CanvasArranged
from sidecar.tools.tool import Arg, Call, as_list, tool


@tool(title="Arrange canvas", writes=True, destructive=False, idempotent=True)
async def canvas_arrange(
    call: Call,
    path: Annotated[str, Arg("Path or name of the canvas.", "canvas", "identifier")],
    layout: Annotated[Layout, Arg("How cards are set.")] = Layout.AUTO,
    only: Annotated[list[str] | None, BeforeValidator(as_list), Arg("A group, or cards of one group.", "cards")] = None,
    pinned: Annotated[list[str] | None, BeforeValidator(as_list), Arg("Cards or groups that stay.")] = None,
    reason: Annotated[str | None, Arg("Why, for the history.")] = None,
    expected_checksum: Annotated[str | None, Arg("Refuse if it changed.", "checksum", listed=False)] = None,
) -> CanvasArranged:
    """Lay out a canvas anew, all of it or only a part: nothing overlaps, groups hold their cards, lines are short.

    It moves cards that a person placed; pin those that shall stay, or ask first. Texts and sizes of cards stay.
    Cards are named as in canvas_read. undo takes it back.
    """
    return await call.services.canvases.arranging.arrange(
        call.caller,
        path=path,
        layout=layout,
        only=only or (),
        pinned=pinned or (),
        expected_checksum=expected_checksum,
        reason=reason,
    )
