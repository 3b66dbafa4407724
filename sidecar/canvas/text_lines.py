"""The lines of a card's Markdown as a picture shows them: wrapped to a width, headings larger, lists indented."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sidecar.canvas.line_marks import (
    CHAR,
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
    unmarked,
    width_of,
)

__all__ = ["TextLine", "plain_lines", "text_lines"]

_LONGEST: Final = 2_000
"""Characters of one line of the source that are looked at."""
_BOLD: Final = 1.12
"""How much wider bold letters are."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line: its text, where it begins from the left, how large its letters are, and how it looks."""

    text: str
    indent: float = 0
    scale: float = 1.0
    look: str = ""
    """``heading``, ``code``, ``quote``, ``rule`` or nothing."""

    @property
    def height(self) -> float:
        """The height of the line in pixels when letters have their usual size."""
        return LINE * self.scale


def plain_lines(text: str, room: float, look: str = "") -> Iterator[TextLine]:
    """Yield the lines of a text that is no Markdown."""
    char = CHAR * _BOLD if look == "heading" else CHAR
    return (TextLine(part, look=look) for part in _wrapped(text[:_LONGEST], room, char))


def text_lines(text: str, room: float, boldness: float = 1.0) -> Iterator[TextLine]:
    """Yield the lines of a text for cards with so much room from left to right, in pixels; empty ones between parts.

    ``boldness`` is the part by which headings are larger than text, of what they are in the app.
    """
    in_code, pause = False, False
    for source in text.expandtabs(4).splitlines():
        line = source[:_LONGEST]
        if FENCE.match(line):
            in_code = not in_code
        elif in_code:
            yield from (TextLine(part, look="code") for part in _wrapped(line, room, CODE_CHAR))
        elif line.strip():
            yield from _marked(line, room, boldness)
            pause = True
        elif pause:
            yield TextLine("", scale=0.6)
            pause = False


def _marked(line: str, room: float, boldness: float) -> Iterator[TextLine]:
    heading, item, quote = HEADING.match(line), ITEM.match(line), QUOTE.match(line)
    if RULE.match(line):
        yield TextLine("", scale=0.6, look="rule")
    elif heading:
        scale = 1 + (HEADINGS[len(heading[1]) - 1] - 1) * boldness
        parts = _wrapped(unmarked(heading[2]), room, CHAR * scale * _BOLD)
        yield from (TextLine(part, scale=scale, look="heading") for part in parts)
    elif item:
        indent = len(item[1]) * STEP / 4
        sign = line.strip().split(" ")[0]
        for number, part in enumerate(_wrapped(unmarked(item[2]), room - STEP - indent, CHAR)):
            shown = sign if sign[0].isdigit() else "•"
            yield TextLine(part if number else f"{shown} {part}", indent + (STEP / 2 if number else 0))
    elif quote:
        parts = _wrapped(unmarked(quote[1]), room - STEP, CHAR)
        yield from (TextLine(part, STEP / 2, look="quote") for part in parts)
    else:
        embed = EMBED.match(line)
        parts = _wrapped(("▣ " if embed else "") + unmarked(line.strip()), room, CHAR)
        yield from (TextLine(part) for part in parts)


def _wrapped(text: str, room: float, char: float) -> Iterator[str]:
    """Break a text between words, and within words that are wider than the room; wide letters count double."""
    line, width = "", 0.0
    for word in text.split(" "):
        wide = width_of(word, char)
        if line and width + char + wide > room:
            yield line
            line, width = "", 0.0
        while wide > room:
            fits = _fitting(word, room, char)
            yield word[:fits]
            word = word[fits:]  # noqa: PLW2901 - the rest of it comes on the next line
            wide = width_of(word, char)
        line = f"{line} {word}" if line else word
        width += wide + (char if width else 0)
    yield line


def _fitting(word: str, room: float, char: float) -> int:
    if word.isascii():
        return max(1, int(room / char))
    width = 0.0
    for number, letter in enumerate(word):
        width += width_of(letter, char)
        if width > room:
            return max(1, number)
    return len(word)
