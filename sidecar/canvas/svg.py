"""A picture of a canvas as SVG: cards with their text, groups, edges as the app bends them; same canvas, same bytes."""

import html
import re
from collections.abc import Iterator, Mapping
from typing import Final

from sidecar.canvas.colors import PALETTE
from sidecar.canvas.layout.curve import WAYS
from sidecar.canvas.layout.geometry import Box, Occupied, box_of
from sidecar.canvas.line_marks import width_of
from sidecar.canvas.model import Canvas, fields_of
from sidecar.canvas.picture import LETTERS, Line, boxes_of, cards_and_edges, cut, lines_of, shown, written, zoom_of
from sidecar.canvas.text_lines import TextLine, plain_lines, text_lines
from sidecar.model.note import Json

__all__ = ["svg"]

_XMLNS: Final = "http://www.w3.org/2000/svg"
_SIDE, _TOP = 14.0, 10.0
_HEX = re.compile(r"#[0-9a-fA-F]{6}")
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_GROUND, _PAPER, _INK, _FAINT, _LINE = "#f6f6f6", "#ffffff", "#222222", "#6b6b6b", "#a5a5a5"
_ARROW: Final = 14.0
_STYLES: Final = {
    "heading": ' font-weight="bold"',
    "code": ' font-family="monospace"',
    "quote": f' fill="{_FAINT}" font-style="italic"',
}
_MOST_LINES: Final = 80
_SMALLER: Final = (1.0, 0.85, 0.7, 0.6)
"""By how much the letters of a card may shrink so that all of its text is shown."""


def svg(canvas: Canvas, *, width: int = 1200) -> str:
    """Draw a canvas ``width`` pixels wide; what has no place that can be drawn is left out.

    Letters are never smaller than one can read, so that on a large canvas less of each text is shown.
    """
    cards = [(fields, box) for node in canvas.nodes if (box := box_of(fields := fields_of(node)))]
    boxes = boxes_of(canvas)
    lines = lines_of(canvas, boxes)
    frame = shown(canvas, width) if cards else Box(0, 0, width, width / 4)
    zoom = zoom_of(cards_and_edges(boxes, lines), width) if cards else 1.0
    groups = [(fields, box) for fields, box in cards if fields.get("type") == "group"]
    leaves = [(fields, box) for fields, box in cards if fields.get("type") != "group"]
    view = " ".join(_number(value) for value in (frame.x, frame.y, frame.width, frame.height))
    height = max(1, round(width * frame.height / frame.width))
    size = _number(LETTERS * zoom)
    fonts = "font-family=\"Inter, Helvetica, Arial, 'DejaVu Sans', sans-serif\""
    parts = [
        f'<svg xmlns="{_XMLNS}" viewBox="{view}" width="{width}" height="{height}" {fonts} font-size="{size}">',
        f'<rect {_place(frame)} fill="{_GROUND}"/>',
    ]
    if not cards:
        parts.append(f'<text x="20" y="40" fill="{_FAINT}">This canvas is empty.</text>')
    for fields, box in groups:
        parts.append(_group(fields, box))
    parts += [_edge(line, zoom) for line in lines]
    for fields, box in leaves:
        parts += _card(fields, box, zoom)
    taken = Occupied(box for _, box in leaves)
    parts += [part for line in lines if (part := _label(line, zoom, taken))]
    for fields, box in groups:
        parts += _group_label(fields, box, zoom, taken, frame)
    return "\n".join([*parts, "</svg>\n"])


def _group(fields: Mapping[str, Json], box: Box) -> str:
    color = _color(fields, _LINE)
    return f'<rect {_place(box)} rx="10" fill="{color}" fill-opacity="0.1" stroke="{color}" stroke-width="2"/>'


def _group_label(fields: Mapping[str, Json], box: Box, zoom: float, taken: Occupied, frame: Box) -> Iterator[str]:
    """Write a group's label above it, else below its upper border, as large as may be without covering a card."""
    label = fields.get("label")
    if not isinstance(label, str) or not label.strip():
        return
    for size in (factor * LETTERS * zoom for factor in (1.2, 1.0, 0.8, 0.65)):
        text = cut(label, box.width, 1.16 * size / LETTERS)
        wide = 1.12 * width_of(text) * size / LETTERS
        above = Box(box.x, box.y - _TOP - size, wide, size)
        below = Box(box.x + _SIDE, box.y + _TOP, wide, size)
        place = next((one for one in (above, below) if taken.blocker(one, 0) is None and one.y > frame.y), None)
        if place is not None:
            break
    else:
        place = above
    yield (
        f'<text x="{_number(place.x)}" y="{_number(place.bottom)}" font-size="{_number(size)}" '
        f'font-weight="bold" fill="{_color(fields, _FAINT)}">{_escaped(text)}</text>'
    )


def _card(fields: Mapping[str, Json], box: Box, zoom: float) -> Iterator[str]:
    color = _color(fields, "")
    yield f'<rect {_place(box)} rx="8" fill="{_PAPER}" stroke="{color or _LINE}" stroke-width="{3 if color else 2}"/>'
    if color:
        yield f'<rect {_place(box)} rx="8" fill="{color}" fill-opacity="0.07"/>'
    fitting = next((zoom * part for part in _SMALLER if zoom * part >= 1 and _fits(fields, box, zoom * part)), zoom)
    letters = "" if fitting == zoom else f' font-size="{_number(LETTERS * fitting)}"'
    yield f"<svg {_place(box)}{letters}>"
    yield from _texts(fields, box, fitting)
    yield "</svg>"


def _lines(fields: Mapping[str, Json], room: float, zoom: float) -> Iterator[TextLine]:
    match fields:
        case {"type": "text", "text": str(text)}:
            yield from text_lines(text, room, 1 / zoom)
        case {"type": "file", "file": str(path)}:
            folder, _, name = path.rpartition("/")
            yield from plain_lines(name.removesuffix(".md"), room, "heading")
            for more, look in ((fields.get("subpath"), ""), (folder, "quote")):
                if isinstance(more, str) and more:
                    yield from plain_lines(more, room, look)
        case {"type": "link", "url": str(url)}:
            yield from plain_lines(f"↗\u00a0{url}", room)
        case _:
            yield from plain_lines(str(fields.get("type") or "")[:40], room, "quote")


def _texts(fields: Mapping[str, Json], box: Box, zoom: float) -> Iterator[str]:
    """Yield the lines of a card that there is room for; the last one tells that there are more."""
    room, y = box.width - 2 * _SIDE, _TOP
    last: tuple[TextLine, float] | None = None
    for number, line in enumerate(_lines(fields, max(room / zoom, 20.0), zoom)):
        y += line.height * zoom
        if number and (y > box.height - _TOP / 2 or number > _MOST_LINES):
            if last:
                yield _text(*last, room, zoom, more="…")
            return
        if line.text or line.look == "rule":
            if last:
                yield _text(*last, room, zoom)
            last = line, y
    if last:
        yield _text(*last, room, zoom)


def _fits(fields: Mapping[str, Json], box: Box, zoom: float) -> bool:
    """Tell whether all of a card's text is shown with letters of this size."""
    high = _TOP
    for number, line in enumerate(_lines(fields, max((box.width - 2 * _SIDE) / zoom, 20.0), zoom)):
        high += line.height * zoom
        if high > box.height - _TOP / 2 or number > _MOST_LINES:
            return False
    return True


def _text(line: TextLine, bottom: float, room: float, zoom: float, more: str = "") -> str:
    x, y = _number(_SIDE + line.indent * zoom), _number(bottom - 7 * line.scale * zoom)
    if line.look == "rule":
        return f'<line x1="{x}" y1="{y}" x2="{_number(_SIDE + room)}" y2="{y}" stroke="{_LINE}"/>'
    size = "" if line.scale == 1 else f' font-size="{_number(LETTERS * line.scale * zoom)}"'
    fill = "" if line.look == "quote" else f' fill="{_INK}"'
    return f'<text x="{x}" y="{y}"{size}{fill}{_STYLES.get(line.look, "")}>{_escaped(line.text + more)}</text>'


def _edge(line: Line, zoom: float) -> str:
    fields, curve = line.fields, line.curve
    numbers = [_number(value) for value in curve]
    color = _color(fields, _LINE)
    drawn = (
        f'<path d="M{" ".join(numbers[:2])}C{" ".join(numbers[2:])}" fill="none" '
        f'stroke="{color}" stroke-width="{_number(2 * zoom)}"/>'
    )
    if fields.get("fromEnd") == "arrow":
        drawn += _arrow(curve[0], curve[1], WAYS[line.sides[0]], color, zoom)
    if fields.get("toEnd") != "none":
        drawn += _arrow(curve[6], curve[7], WAYS[line.sides[1]], color, zoom)
    return drawn


def _arrow(x: float, y: float, way: tuple[int, int], color: str, zoom: float) -> str:
    """Return a tip that points at a card from the side on which the edge meets it."""
    (u, v), long, wide = way, _ARROW * zoom, _ARROW * zoom * 0.42
    base_x, base_y = x + u * long, y + v * long
    points = ((x, y), (base_x + v * wide, base_y + u * wide), (base_x - v * wide, base_y - u * wide))
    return f'<path d="M{"L".join(f"{_number(px)} {_number(py)}" for px, py in points)}Z" fill="{color}"/>'


def _label(line: Line, zoom: float, taken: Occupied) -> str:
    """Write an edge's label half way, smaller where it would cover a card, but no smaller than the app does."""
    if not line.label:
        return ""
    for size in (zoom, *(zoom * part for part in _SMALLER if 1 < zoom * part < zoom), 1.0):
        text, box = written(line, size)
        if taken.blocker(box, 0) is None:
            break
    (x, y), letters = box.centre, "" if size == zoom else f' font-size="{_number(LETTERS * size)}"'
    return (
        f'<rect {_place(box)} rx="4" fill="{_GROUND}" fill-opacity="0.9"/>'
        f'<text x="{_number(x)}" y="{_number(y + 5 * size)}"{letters} text-anchor="middle" '
        f'fill="{_color(line.fields, _INK)}">{_escaped(text)}</text>'
    )


def _color(fields: Mapping[str, Json], otherwise: str) -> str:
    color = fields.get("color")
    if not isinstance(color, str):
        return otherwise
    return PALETTE.get(color) or (color if _HEX.fullmatch(color) else otherwise)


def _place(box: Box) -> str:
    return " ".join(
        f'{name}="{_number(value)}"'
        for name, value in (("x", box.x), ("y", box.y), ("width", box.width), ("height", box.height))
    )


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def _escaped(text: str) -> str:
    return html.escape(_NO_XML.sub("\ufffd", text))
