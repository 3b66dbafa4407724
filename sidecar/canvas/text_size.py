"""How large a text card must be to show its Markdown without scrolling: an estimate with some room to spare."""

import math
import re
import unicodedata
from typing import Final

from sidecar.canvas.layout.geometry import Size, snap

__all__ = ["SMALLEST", "text_size"]

SMALLEST: Final = Size(250, 60)
"""Obsidian's own size for a new text card (J8)."""

_WIDTHS: Final = (SMALLEST.width, 320, 400, 480, 560, 640)
_FLATNESS = 0.75
"""A card grows wider until it is no higher than this part of its width."""

_SIDE, _EDGE = 24, 18  # space within a card: left and right, above and below
_CHAR, _WIDE_CHAR, _CODE_CHAR = 8.2, 16.5, 9.6
_LINE, _CODE_LINE, _TABLE_LINE, _PARAGRAPH, _PICTURE = 24, 22, 36, 16, 240
_STEP = 30  # indentation of a list, a quote
_RESERVE = 1.1
_HEADINGS: Final = (1.7, 1.5, 1.35, 1.2, 1.1, 1.05)

_FENCE = re.compile(r"\s*(```|~~~)")
_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_ITEM = re.compile(r"(\s*)(?:[-*+]|\d+[.)])\s+(?:\[.\]\s+)?(.*)")
_QUOTE = re.compile(r"\s*>\s?(.*)")
_TABLE = re.compile(r"\s*\|.*\|\s*$")
_RULE = re.compile(r"\s*(?:-{3,}|\*{3,}|_{3,})\s*$")
_EMBED = re.compile(r"\s*(?:!\[\[[^\]]+\]\]|!\[[^\]]*\]\([^)]*\))\s*$")
_FIXED: Final = ((_EMBED, _PICTURE), (_RULE, _LINE), (_TABLE, _TABLE_LINE))
_MARKUP: Final = (
    (re.compile(r"!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]"), r"\1"),
    (re.compile(r"!?\[([^\]]*)\]\([^)]*\)"), r"\1"),
    (re.compile(r"[*_~=`]{1,3}"), ""),
)


def text_size(text: str, width: int | None = None) -> Size:
    """Estimate the size of a text card, at least 250 x 60 and in steps of 20; with ``width`` only its height (J8)."""
    if width is not None:
        return Size(width, _card_height(text, width))
    for candidate in _WIDTHS:
        height = _card_height(text, candidate)
        if height <= candidate * _FLATNESS:
            break
    return Size(candidate, height)


def _card_height(text: str, width: int) -> int:
    room = max(width - 2 * _SIDE, 2 * _WIDE_CHAR)
    height, in_code, pause = 0.0, False, False
    for line in text.expandtabs(4).splitlines():
        if _FENCE.match(line):
            in_code, pause = not in_code, True
            height += _CODE_LINE / 2
        elif in_code:
            height += _CODE_LINE * _lines(len(line) * _CODE_CHAR, room)
        elif not line.strip():
            height += _PARAGRAPH if pause else 0
            pause = False
        else:
            height += _line_height(line, room)
            pause = True
    return max(SMALLEST.height, snap(height * (_RESERVE if height > _LINE else 1) + 2 * _EDGE))


def _line_height(line: str, room: float) -> float:
    """Return the height of one source line outside of code."""
    for pattern, height in _FIXED:
        if pattern.match(line):
            return height
    heading = _HEADING.match(line)
    if heading:
        scale = _HEADINGS[len(heading[1]) - 1]
        return _LINE * scale * _lines(_width(heading[2]) * scale, room) + _PARAGRAPH / 2
    item = _ITEM.match(line)
    if item:
        return _LINE * _lines(_width(item[2]), room - _STEP - len(item[1]) * _STEP / 4)
    quote = _QUOTE.match(line)
    if quote:
        return _LINE * _lines(_width(quote[1]), room - _STEP)
    return _LINE * _lines(_width(line), room)


def _lines(width: float, room: float) -> int:
    """Count the lines that a text takes; words that do not fit leave some room unused."""
    if width <= room:
        return 1
    return math.ceil(width * _RESERVE / max(room, _WIDE_CHAR))


def _width(text: str) -> float:
    for markup, shown in _MARKUP:
        text = markup.sub(shown, text)
    return sum(_WIDE_CHAR if unicodedata.east_asian_width(char) in "WF" else _CHAR for char in text)
