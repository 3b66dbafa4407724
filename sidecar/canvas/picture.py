"""What a picture of a canvas shows: which part of it, its edges and their labels, and how large letters are drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sidecar.canvas.layout.curve import WAYS, Curve, bent, reach_of, written_on
from sidecar.canvas.layout.geometry import Box, Size, box_of, enclose
from sidecar.canvas.layout.quality import chord_of
from sidecar.canvas.layout.sides import Side, facing_sides
from sidecar.canvas.line_marks import width_of
from sidecar.canvas.model import Canvas, fields_of
from sidecar.model.note import Json

__all__ = ["LETTERS", "Line", "boxes_of", "cards_and_edges", "cut", "lines_of", "shown", "written", "zoom_of"]

LETTERS: Final = 15.0
"""How high letters are in the app."""
_EDGE: Final = 60
"""Free space around the drawing."""
_READABLE: Final = 10.0
"""How high letters should be in the picture, in its pixels; on a large canvas they are drawn larger for that."""
_LARGEST: Final = 3.0
_USUAL: Final = 1200
"""How many pixels wide a picture is if nobody says."""


@dataclass(frozen=True, slots=True)
class Line:
    """An edge that can be drawn."""

    fields: Mapping[str, Json]
    sides: tuple[Side, Side]
    curve: Curve

    @property
    def label(self) -> str:
        """What is written on it, or nothing."""
        label = self.fields.get("label")
        return label.strip() if isinstance(label, str) else ""


def shown(canvas: Canvas, width: int = _USUAL) -> Box:
    """Return the part of a canvas that a picture shows: all that has a place, with edges and labels, and some room.

    Labels are the larger on the canvas the fewer pixels wide the picture is.
    """
    boxes = boxes_of(canvas)
    if not boxes:
        return Box(0, 0, 4, 1)
    lines = lines_of(canvas, boxes)
    frame = cards_and_edges(boxes, lines)
    zoom = zoom_of(frame, width)
    labels = [_grown(written(line, zoom)[1], _EDGE / 6) for line in lines if line.label]
    return enclose([frame, *labels])


def cards_and_edges(boxes: Mapping[str, Box], lines: Sequence[Line]) -> Box:
    """Return the room that cards and edges take, without labels."""
    frame = _grown(enclose(boxes.values()), _EDGE)
    return enclose([frame, *(_grown(reach_of(line.curve), _EDGE / 3) for line in lines)])


def zoom_of(frame: Box, width: int = _USUAL) -> float:
    """Return how much larger than in the app letters are drawn."""
    return min(_LARGEST, max(1.0, _READABLE / LETTERS * frame.width / width))


def boxes_of(canvas: Canvas) -> dict[str, Box]:
    """Return what has a place, by id; where an id comes twice, the first one."""
    cards = [(fields, box) for node in canvas.nodes if (box := box_of(fields := fields_of(node)))]
    return {str(fields.get("id")): box for fields, box in reversed(cards)}


def lines_of(canvas: Canvas, boxes: Mapping[str, Box]) -> list[Line]:
    """Return the edges whose cards are both there."""
    found = []
    for fields in map(fields_of, canvas.edges):
        start, end = boxes.get(str(fields.get("fromNode"))), boxes.get(str(fields.get("toNode")))
        if start is not None and end is not None:
            facing = facing_sides(start, end)
            sides = _side(fields.get("fromSide"), facing[0]), _side(fields.get("toSide"), facing[1])
            found.append(Line(fields, sides, bent(chord_of(start, end, sides), sides)))
    return found


def _grown(box: Box, room: float) -> Box:
    return Box(box.x - room, box.y - room, box.width + 2 * room, box.height + 2 * room)


def written(line: Line, size: float) -> tuple[str, Box]:
    """Return the label of an edge as far as it is shown, and the room it takes, half way."""
    text = cut(line.label, 320 * size, size)
    return text, written_on(line.curve, Size(round((width_of(text) + 12) * size), round(22 * size)))


def cut(text: str, room: float, zoom: float) -> str:
    """Return a text on one line, shortened to the room there is for it with letters so large."""
    line = " ".join(text[:400].split())
    most = max(4, int(room / (width_of(line) * zoom / max(len(line), 1))))
    return line if len(line) <= most else line[: most - 1] + "…"


def _side(given: Json, usual: Side) -> Side:
    return next((side for side in WAYS if side == given), usual)
