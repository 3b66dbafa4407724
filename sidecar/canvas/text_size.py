"""How large a text card must be to show its Markdown without scrolling: an estimate with some room to spare."""

import math
from typing import Final

from sidecar.canvas.layout.geometry import Size, snap
from sidecar.canvas.line_marks import (
    CODE_CHAR,
    EMBED,
    FENCE,
    HEADING,
    HEADINGS,
    ITEM,
    LINE,
    QUOTE,
    RULE,
    STEP,
    TABLE,
    WIDE_CHAR,
    unmarked,
    width_of,
)

__all__ = ["SMALLEST", "text_size"]

SMALLEST: Final = Size(250, 60)
"""Obsidian's own size for a new text card (J8)."""

_WIDTHS: Final = (SMALLEST.width, 320, 400, 480, 560, 640)
_FLATNESS = 0.75
"""A card grows wider until it is no higher than this part of its width."""

_SIDE, _EDGE = 24, 18  # space within a card: left and right, above and below
_CODE_LINE, _TABLE_LINE, _PARAGRAPH, _PICTURE = 22, 36, 16, 240
_RESERVE = 1.1

_FIXED: Final = ((EMBED, _PICTURE), (RULE, LINE), (TABLE, _TABLE_LINE))


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
    room = max(width - 2 * _SIDE, 2 * WIDE_CHAR)
    height, in_code, pause = 0.0, False, False
    for line in text.expandtabs(4).splitlines():
        if FENCE.match(line):
            in_code, pause = not in_code, True
            height += _CODE_LINE / 2
        elif in_code:
            height += _CODE_LINE * _lines(len(line) * CODE_CHAR, room)
        elif not line.strip():
            height += _PARAGRAPH if pause else 0
            pause = False
        else:
            height += _line_height(line, room)
            pause = True
    return max(SMALLEST.height, snap(height * (_RESERVE if height > LINE else 1) + 2 * _EDGE))


def _line_height(line: str, room: float) -> float:
    """Return the height of one source line outside of code."""
    for pattern, height in _FIXED:
        if pattern.match(line):
            return height
    heading = HEADING.match(line)
    if heading:
        scale = HEADINGS[len(heading[1]) - 1]
        return LINE * scale * _lines(width_of(unmarked(heading[2])) * scale, room) + _PARAGRAPH / 2
    item = ITEM.match(line)
    if item:
        return LINE * _lines(width_of(unmarked(item[2])), room - STEP - len(item[1]) * STEP / 4)
    quote = QUOTE.match(line)
    if quote:
        return LINE * _lines(width_of(unmarked(quote[1])), room - STEP)
    return LINE * _lines(width_of(unmarked(line)), room)


def _lines(width: float, room: float) -> int:
    """Count the lines that a text takes; words that do not fit leave some room unused."""
    if width <= room:
        return 1
    return math.ceil(width * _RESERVE / max(room, WIDE_CHAR))
