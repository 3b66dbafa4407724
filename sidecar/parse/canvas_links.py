"""What a canvas says to the rest of the vault: its text, its cards and its links (contract J9)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from sidecar.canvas.codec import loads
from sidecar.canvas.model import Canvas, fields_of
from sidecar.canvas.source import NotACanvas
from sidecar.model.note import Card, FileKind, Json, Link, LinkKind, ParsedFile, PropertyProblem
from sidecar.model.path import VaultPath
from sidecar.parse.note import links_in

__all__ = ["parse_canvas"]

_SURROGATE = re.compile("[\ud800-\udfff]")
"""Half a character: JSON can spell it, but no file or database can hold it."""


def parse_canvas(path: VaultPath, text: str) -> ParsedFile:
    """Read a canvas for catalog and index; a broken one is a file without text, with its ``problem``. Never raises.

    The body holds text cards, group labels and edge labels, a paragraph each. Links are the file cards and group
    backgrounds (``canvas_file``) and those in text cards (``canvas_text``), each with its card's id, the line of the
    card in the file and the offset in the card's text. A card is plain Markdown: it has no properties, and its tags
    are not the canvas's.
    """
    try:
        canvas = loads(text)
    except NotACanvas as error:
        problem = PropertyProblem(error.message, error.line)
        return ParsedFile(path, FileKind.CANVAS, path.basename, "", problem=problem)
    cards = tuple(_cards(canvas))
    labels = [label for edge in canvas.edges if (label := _text(fields_of(edge), "label"))]
    return ParsedFile(
        path,
        FileKind.CANVAS,
        path.basename,
        "\n\n".join([*(card.text for card in cards), *labels]),
        links=tuple(_links(canvas)),
        cards=cards,
    )


def _cards(canvas: Canvas) -> Iterator[Card]:
    for node in canvas.nodes:
        fields = fields_of(node)
        text = _text(fields, "label" if fields.get("type") == "group" else "text")
        if text and fields.get("type") in ("text", "group"):
            yield Card(_text(fields, "id"), text)


def _links(canvas: Canvas) -> Iterator[Link]:
    lines = canvas.source.lines("nodes") if canvas.source else ()
    for node, line in zip(canvas.nodes, lines, strict=True):
        fields = fields_of(node)
        card = _text(fields, "id")
        match fields.get("type"):
            case "file":
                subpath = _text(fields, "subpath")
                yield from _file_link(_text(fields, "file"), subpath if subpath.startswith("#") else "", line, card)
            case "group":
                yield from _file_link(_text(fields, "background"), "", line, card)
            case "text":
                for link in links_in(_text(fields, "text")):
                    yield replace(link, kind=LinkKind.CANVAS_TEXT, line=line, card=card)
            case _:
                pass


def _file_link(path: str, subpath: str, line: int, card: str) -> Iterator[Link]:
    if path:
        yield Link(LinkKind.CANVAS_FILE, path, path, subpath, None, line, 0, card=card)


def _text(fields: Mapping[str, Json], key: str) -> str:
    value = fields.get(key)
    return _SURROGATE.sub("\ufffd", value) if isinstance(value, str) else ""
