"""The blocks of a card's Markdown, with the height that each takes in the app's default theme."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from sidecar.canvas.letters import Words

__all__ = ["Block", "Code", "Item", "Items", "Lines", "Picture", "Quote", "Rule", "Table", "narrowest", "stacked"]

_LINE: Final = 24
_GAP: Final = 16
"""Between a paragraph and the next."""
_HEADING_GAP: Final = 40
_HEADINGS: Final = ((1.618, 1.2), (1.462, 1.2), (1.318, 1.3), (1.188, 1.4), (1.076, 1.5), (1.0, 1.5))
"""For each level how large its letters are, and how high its lines are in such letters."""
_LETTER: Final = 16
_ITEM_STEP: Final = 36
_ITEM_EDGE: Final = 2.4
_CODE_SIDES, _CODE_ENDS, _CODE_LEAST = 32, 24, 38
_CELL_SIDES, _CELL_LINE, _ROW_EDGE = 21, 22, 13
_QUOTE_SIDES: Final = 42
_CALLOUT_ENDS: Final = 40
_RULE: Final = 32
_PICTURE: Final = 240
_FONTS: Final = 1.06
"""Other fonts are so much wider than the one that the widths of letters are those of."""


class Block(ABC):
    """A part of a text between two gaps."""

    __slots__ = ()

    def gaps(self) -> tuple[float, float]:
        """Return the least space above and below; of two that meet the larger one counts."""
        return _GAP, _GAP

    def narrowest(self) -> float:
        """Return the room without which it sticks out of the card."""
        return 0.0

    @abstractmethod
    def height(self, room: float) -> float:
        """Return its height in so much room, without its gaps."""


def stacked(blocks: Sequence[Block], room: float) -> float:
    """Return the height of blocks one below the other, without the gaps above and below all of them."""
    height, below = 0.0, 0.0
    for number, block in enumerate(blocks):
        above, after = block.gaps()
        height += (max(above, below) if number else 0) + block.height(room)
        below = after
    return height


def narrowest(blocks: Iterable[Block]) -> float:
    """Return the room without which one of them sticks out."""
    return max((block.narrowest() for block in blocks), default=0.0)


@dataclass(frozen=True, slots=True)
class Lines(Block):
    """A paragraph, whose lines end where they end in the source; or a heading of a level from 1 to 6."""

    words: tuple[Words, ...]
    level: int = 0
    follows_heading: bool = False

    def gaps(self) -> tuple[float, float]:
        """Return more above a heading."""
        return (_HEADING_GAP if self.level and not self.follows_heading else _GAP), _GAP

    def height(self, room: float) -> float:
        """Return the height of its lines."""
        scale, part = _HEADINGS[self.level - 1] if self.level else (1.0, _LINE / _LETTER)
        return _LETTER * scale * part * sum(words.lines(room, scale * _FONTS) for words in self.words)


@dataclass(frozen=True, slots=True)
class Item:
    """One entry of a list, so many steps from the left, with the lines that belong to it."""

    depth: int
    words: tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class Items(Block):
    """A list; a loose one has space between its entries."""

    items: tuple[Item, ...]
    is_loose: bool

    def height(self, room: float) -> float:
        """Return the height of its entries."""
        lines = sum(
            words.lines(room - _ITEM_STEP * (item.depth + 1), _FONTS) for item in self.items for words in item.words
        )
        edges = _ITEM_EDGE + (2 * _GAP if self.is_loose else 0)
        return lines * _LINE + len(self.items) * edges


@dataclass(frozen=True, slots=True)
class Code(Block):
    """Lines of code, which are broken too."""

    lines: tuple[Words, ...]

    def height(self, room: float) -> float:
        """Return the height of its frame."""
        lines = sum(line.lines(room - _CODE_SIDES) for line in self.lines)
        return max(_CODE_ENDS + _LINE * lines, _CODE_LEAST)


@dataclass(frozen=True, slots=True)
class Table(Block):
    """The cells of a table, row by row; the first row is the head."""

    rows: tuple[tuple[Words, ...], ...]

    def narrowest(self) -> float:
        """Return what the widest word of each column needs."""
        return sum(least + _CELL_SIDES for least, _ in self._columns())

    def height(self, room: float) -> float:
        """Return the height of its rows; apps differ in how columns share a room that is too small for them."""
        columns = self._columns()
        wanted = sum(most for _, most in columns)
        inner = room - _CELL_SIDES * len(columns)
        if inner >= wanted:
            return self._height([most for _, most in columns])
        spare = max(inner - sum(least for least, _ in columns), 0)
        growth = wanted - sum(least for least, _ in columns) or 1
        whole_words = [least + spare * (most - least) / growth for least, most in columns]
        by_length = [inner * most / wanted for _, most in columns]
        return max(self._height(whole_words), self._height(by_length))

    def _height(self, widths: Sequence[float]) -> float:
        rows = ([cell.lines(width, _FONTS) for cell, width in zip(row, widths, strict=False)] for row in self.rows)
        return sum(_ROW_EDGE + _CELL_LINE * max(lines, default=1) for lines in rows)

    def _columns(self) -> list[tuple[float, float]]:
        """Return for each column the width of its widest word and that of its longest cell."""
        count = len(self.rows[0])
        cells = [[row[number] for row in self.rows if number < len(row)] for number in range(count)]
        return [
            (max(one.widest for one in column) * _FONTS, (max(one.whole for one in column) + 1) * _FONTS)
            for column in cells
        ]


@dataclass(frozen=True, slots=True)
class Quote(Block):
    """What is quoted; or a callout, whose title is its first block."""

    blocks: tuple[Block, ...]
    is_callout: bool

    def gaps(self) -> tuple[float, float]:
        """Return none for what is quoted: those of what is in it stay within."""
        return (_GAP, _GAP) if self.is_callout else (0.0, 0.0)

    def narrowest(self) -> float:
        """Return what the widest part needs."""
        return narrowest(self.blocks) + _QUOTE_SIDES

    def height(self, room: float) -> float:
        """Return the height of what is in it, with the gaps around that, or the frame of a callout."""
        return stacked(self.blocks, room - _QUOTE_SIDES) + (_CALLOUT_ENDS if self.is_callout else 2 * _GAP)


@dataclass(frozen=True, slots=True)
class Rule(Block):
    """A line from side to side."""

    def gaps(self) -> tuple[float, float]:
        """Return much."""
        return _RULE, _RULE

    def height(self, room: float) -> float:  # noqa: ARG002 - that of the protocol
        """Return its thickness."""
        return 2


@dataclass(frozen=True, slots=True)
class Picture(Block):
    """A picture or a note shown in a line of its own."""

    def height(self, room: float) -> float:  # noqa: ARG002 - that of the protocol
        """Return what is kept free for it."""
        return _PICTURE
