"""A picture of a canvas as SVG: cards with their text, groups, edges as the app bends them; same canvas, same bytes."""

import html
import re
from collections.abc import Iterator, Mapping
from typing import Final

from sidecar.canvas.colors import PALETTE
from sidecar.canvas.layout.geometry import Box, box_of, enclose
from sidecar.canvas.layout.quality import chord_of
from sidecar.canvas.layout.sides import Side, facing_sides
from sidecar.canvas.line_marks import width_of
from sidecar.canvas.model import Canvas, fields_of
from sidecar.canvas.text_lines import TextLine, plain_lines, text_lines
from sidecar.model.note import Json

__all__ = ["svg"]

_XMLNS: Final = "http://www.w3.org/2000/svg"
_EDGE: Final = 60
"""Free space around the drawing."""
_READABLE: Final = 10.0
"""How high letters should be in the picture, in its pixels; on a large canvas they are drawn larger for that."""
_LETTERS: Final = 15.0
_LARGEST: Final = 3.0
_SIDE, _TOP = 14.0, 10.0
_HEX = re.compile(r"#[0-9a-fA-F]{6}")
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_GROUND, _PAPER, _INK, _FAINT, _LINE = "#f6f6f6", "#ffffff", "#222222", "#6b6b6b", "#a5a5a5"
_WAYS: Final[Mapping[Side, tuple[int, int]]] = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)}
_ARROW: Final = 14.0
_STYLES: Final = {
    "heading": ' font-weight="bold"',
    "code": ' font-family="monospace"',
    "quote": f' fill="{_FAINT}" font-style="italic"',
}
_MOST_LINES: Final = 80


def svg(canvas: Canvas, *, width: int = 1200) -> str:
    """Draw a canvas ``width`` pixels wide; what has no place that can be drawn is left out.

    Letters are never smaller than one can read, so that on a large canvas less of each text is shown.
    """
    cards = [(fields, box) for node in canvas.nodes if (box := box_of(fields := fields_of(node)))]
    frame = _framed(enclose(box for _, box in cards)) if cards else Box(0, 0, width, width / 4)
    zoom = min(_LARGEST, max(1.0, _READABLE / _LETTERS * frame.width / width))
    groups = [(fields, box) for fields, box in cards if fields.get("type") == "group"]
    leaves = [(fields, box) for fields, box in cards if fields.get("type") != "group"]
    boxes = {str(fields.get("id")): box for fields, box in reversed(cards)}
    view = " ".join(_number(value) for value in (frame.x, frame.y, frame.width, frame.height))
    height = max(1, round(width * frame.height / frame.width))
    size = _number(_LETTERS * zoom)
    fonts = "font-family=\"Inter, Helvetica, Arial, 'DejaVu Sans', sans-serif\""
    parts = [
        f'<svg xmlns="{_XMLNS}" viewBox="{view}" width="{width}" height="{height}" {fonts} font-size="{size}">',
        f'<rect {_place(frame)} fill="{_GROUND}"/>',
    ]
    if not cards:
        parts.append(f'<text x="20" y="40" fill="{_FAINT}">This canvas is empty.</text>')
    for fields, box in groups:
        parts += _group(fields, box, zoom)
    drawn = [part for edge in canvas.edges if (part := _edge(fields_of(edge), boxes, zoom))]
    parts += [line for line, _ in drawn]
    for fields, box in leaves:
        parts += _card(fields, box, zoom)
    parts += [label for _, label in drawn if label]
    return "\n".join([*parts, "</svg>\n"])


def _framed(box: Box) -> Box:
    return Box(box.x - _EDGE, box.y - _EDGE, box.width + 2 * _EDGE, box.height + 2 * _EDGE)


def _group(fields: Mapping[str, Json], box: Box, zoom: float) -> Iterator[str]:
    color = _color(fields, _LINE)
    yield f'<rect {_place(box)} rx="10" fill="{color}" fill-opacity="0.1" stroke="{color}" stroke-width="2"/>'
    label = fields.get("label")
    if isinstance(label, str) and label.strip():
        size = 1.2 * _LETTERS * zoom
        shown = _escaped(_cut(label, box.width, 1.4 * zoom))
        yield (
            f'<text x="{_number(box.x)}" y="{_number(box.y - _TOP)}" font-size="{_number(size)}" '
            f'font-weight="bold" fill="{_color(fields, _FAINT)}">{shown}</text>'
        )


def _card(fields: Mapping[str, Json], box: Box, zoom: float) -> Iterator[str]:
    color = _color(fields, "")
    yield f'<rect {_place(box)} rx="8" fill="{_PAPER}" stroke="{color or _LINE}" stroke-width="{3 if color else 2}"/>'
    if color:
        yield f'<rect {_place(box)} rx="8" fill="{color}" fill-opacity="0.07"/>'
    yield f"<svg {_place(box)}>"
    yield from _texts(fields, box, zoom)
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


def _text(line: TextLine, bottom: float, room: float, zoom: float, more: str = "") -> str:
    x, y = _number(_SIDE + line.indent * zoom), _number(bottom - 7 * line.scale * zoom)
    if line.look == "rule":
        return f'<line x1="{x}" y1="{y}" x2="{_number(_SIDE + room)}" y2="{y}" stroke="{_LINE}"/>'
    size = "" if line.scale == 1 else f' font-size="{_number(_LETTERS * line.scale * zoom)}"'
    fill = "" if line.look == "quote" else f' fill="{_INK}"'
    return f'<text x="{x}" y="{y}"{size}{fill}{_STYLES.get(line.look, "")}>{_escaped(line.text + more)}</text>'


def _edge(fields: Mapping[str, Json], boxes: Mapping[str, Box], zoom: float) -> tuple[str, str] | None:
    """Return the line of an edge and its label, ``None`` when one of its cards is not there."""
    start, end = boxes.get(str(fields.get("fromNode"))), boxes.get(str(fields.get("toNode")))
    if start is None or end is None:
        return None
    facing = facing_sides(start, end)
    sides = _side(fields.get("fromSide"), facing[0]), _side(fields.get("toSide"), facing[1])
    ax, ay, bx, by = chord_of(start, end, sides)
    (au, av), (bu, bv) = _WAYS[sides[0]], _WAYS[sides[1]]
    arm = max(50.0, (abs(ax - bx) + abs(ay - by)) / 3)
    curve = [ax, ay, ax + au * arm, ay + av * arm, bx + bu * arm, by + bv * arm, bx, by]
    numbers = [_number(value) for value in curve]
    color = _color(fields, _LINE)
    line = (
        f'<path d="M{" ".join(numbers[:2])}C{" ".join(numbers[2:])}" fill="none" '
        f'stroke="{color}" stroke-width="{_number(2 * zoom)}"/>'
    )
    if fields.get("fromEnd") == "arrow":
        line += _arrow(ax, ay, (au, av), color, zoom)
    if fields.get("toEnd") != "none":
        line += _arrow(bx, by, (bu, bv), color, zoom)
    middle = ((ax + bx) / 8 + (curve[2] + curve[4]) * 3 / 8, (ay + by) / 8 + (curve[3] + curve[5]) * 3 / 8)
    return line, _label(fields.get("label"), middle, color, zoom)


def _side(given: Json, usual: Side) -> Side:
    return next((side for side in _WAYS if side == given), usual)


def _arrow(x: float, y: float, way: tuple[int, int], color: str, zoom: float) -> str:
    """Return a tip that points at a card from the side on which the edge meets it."""
    (u, v), long, wide = way, _ARROW * zoom, _ARROW * zoom * 0.42
    base_x, base_y = x + u * long, y + v * long
    points = ((x, y), (base_x + v * wide, base_y + u * wide), (base_x - v * wide, base_y - u * wide))
    return f'<path d="M{"L".join(f"{_number(px)} {_number(py)}" for px, py in points)}Z" fill="{color}"/>'


def _label(label: Json, middle: tuple[float, float], color: str, zoom: float) -> str:
    if not isinstance(label, str) or not label.strip():
        return ""
    text = _cut(label, 320 * zoom, zoom)
    wide, high = width_of(text) * zoom + 12 * zoom, 22 * zoom
    x, y = middle
    place = _place(Box(x - wide / 2, y - high / 2, wide, high))
    ink = _INK if color == _LINE else color
    return (
        f'<rect {place} rx="4" fill="{_GROUND}" fill-opacity="0.9"/>'
        f'<text x="{_number(x)}" y="{_number(y + 5 * zoom)}" text-anchor="middle" fill="{ink}">{_escaped(text)}</text>'
    )


def _cut(text: str, room: float, zoom: float) -> str:
    line = " ".join(text[:400].split())
    most = max(4, int(room / (width_of(line) * zoom / max(len(line), 1))))
    return line if len(line) <= most else line[: most - 1] + "…"


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
