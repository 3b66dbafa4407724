"""What a line of a card's Markdown is, how it reads without its signs, and how wide it is when shown."""

import re
import unicodedata
from typing import Final

__all__ = [
    "CHAR",
    "CODE_CHAR",
    "EMBED",
    "FENCE",
    "HEADING",
    "HEADINGS",
    "ITEM",
    "LINE",
    "QUOTE",
    "RULE",
    "STEP",
    "unmarked",
    "width_of",
]

CHAR: Final = 8.2
"""The width of a letter, in pixels; of a wide one and of one in code below."""
_WIDE_CHAR: Final = 16.5
CODE_CHAR: Final = 9.6
LINE: Final = 24
"""The height of a line."""
STEP: Final = 30
"""The indentation of a list or a quote."""
HEADINGS: Final = (1.7, 1.5, 1.35, 1.2, 1.1, 1.05)
"""How much larger than text a heading of each level is."""

FENCE = re.compile(r"\s*(```|~~~)")
HEADING = re.compile(r"(#{1,6})\s+(.*)")
ITEM = re.compile(r"(\s*)(?:[-*+]|\d+[.)])\s+(?:\[.\]\s+)?(.*)")
QUOTE = re.compile(r"\s*>\s?(.*)")
RULE = re.compile(r"\s*(?:-{3,}|\*{3,}|_{3,})\s*$")
EMBED = re.compile(r"\s*(?:!\[\[[^\]]+\]\]|!\[[^\]]*\]\([^)]*\))\s*$")

_LINKS: Final = (
    (re.compile(r"!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]"), r"\1"),
    (re.compile(r"!?\[([^\]]*)\]\([^)]*\)"), r"\1"),
)
_EMPHASIS = re.compile(r"[*~`]{1,3}|==|(?<!\w)_{1,3}|_{1,3}(?!\w)")
_LONG_LINE = 2_000
"""In a longer line markup is not looked for: the search grows with the square of its length."""


def unmarked(line: str) -> str:
    """Return a line as it is shown: links by what they are called, emphasis and code without their signs."""
    if len(line) <= _LONG_LINE:
        for link, shown in _LINKS:
            line = link.sub(shown, line)
    return _EMPHASIS.sub("", line)


def width_of(line: str, char: float = CHAR) -> float:
    """Return the width of a line in pixels, with letters of the given width; those of East Asia count double."""
    if line.isascii():
        return char * len(line)
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in line)
    return char * (len(line) - wide) + char * _WIDE_CHAR / CHAR * wide
