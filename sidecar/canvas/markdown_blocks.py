"""The Markdown of a card read into its blocks, only as exactly as its size needs."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from sidecar.canvas.letters import Word, Words, code_words_of, words_of
from sidecar.canvas.line_marks import EMBED, FENCE, HEADING, ITEM, QUOTE, RULE, unmarked
from sidecar.canvas.text_blocks import Block, Code, Item, Items, Lines, Picture, Quote, Rule, Table

__all__ = ["blocks_of"]

_BOLD, _INLINE_CODE = 1.12, 1.06
"""How much wider bold letters are, and a line in which some are code."""
_SETEXT = re.compile(r"\s{0,3}(=+|-+)\s*$")
_DELIMITERS = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
_CALLOUT = re.compile(r"\[!([^\]]+)\][+-]?\s*(.*)")
_TASK = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+\[.\]\s")
_BAR = re.compile(r"(?<!\\)\|")
_CODE_INDENT: Final = "    "
_STEP: Final = 4
_DEEPEST: Final = 6
"""Quotes in quotes are followed so far."""
_FARTHEST: Final = 20
"""So many lines behind an empty one it is looked for whether a list goes on."""
_LONGEST_RULER: Final = 1_000
"""Characters of the line below a table's head; to look for it in a longer one takes too long."""
_BOX: Final = Word(22)
"""The box of a task."""


def blocks_of(text: str) -> tuple[Block, ...]:
    """Read a text into its blocks."""
    return tuple(_Reader(text.expandtabs(_STEP).splitlines()).blocks())


class _Reader:
    """Reads lines from first to last; ``at`` is the next one."""

    def __init__(self, lines: Sequence[str], depth: int = 0) -> None:
        self.lines = lines
        self.at = 0
        self.depth = depth

    def blocks(self) -> Iterator[Block]:
        follows_heading = False
        while self.at < len(self.lines):
            if not self.lines[self.at].strip():
                self.at += 1
                continue
            block = self._block()
            if isinstance(block, Lines) and block.level:
                block, follows_heading = replace(block, follows_heading=follows_heading), True
            else:
                follows_heading = False
            yield block

    def _block(self) -> Block:
        line = self.lines[self.at]
        if FENCE.match(line):
            return self._fenced()
        if ITEM.match(line) and not RULE.match(line):
            return self._items()
        if line.startswith(_CODE_INDENT):
            return Code(
                tuple(code_words_of(one[_STEP:]) for one in self._taken(lambda one: one.startswith(_CODE_INDENT)))
            )
        if QUOTE.match(line) and self.depth < _DEEPEST:
            return self._quote()
        if self._is_table():
            return self._table()
        return self._single(line) or self._paragraph()

    def _single(self, line: str) -> Block | None:
        """Read a block that takes one line."""
        heading = HEADING.match(line)
        block: Block | None = None
        if heading:
            block = Lines((_words(heading[2], _BOLD),), len(heading[1]))
        elif RULE.match(line):
            block = Rule()
        elif EMBED.match(line):
            block = Picture()
        self.at += block is not None
        return block

    def _taken(self, belongs: Callable[[str], object]) -> list[str]:
        """Take the lines from here on that belong together."""
        begin = self.at
        while self.at < len(self.lines) and belongs(self.lines[self.at]):
            self.at += 1
        return list(self.lines[begin : self.at])

    def _fenced(self) -> Code:
        self.at += 1
        lines = self._taken(lambda line: not FENCE.match(line))
        self.at += 1
        return Code(tuple(code_words_of(line) for line in lines))

    def _quote(self) -> Quote:
        lines = [match[1] for line in self._taken(QUOTE.match) if (match := QUOTE.match(line))]
        callout = _CALLOUT.match(lines[0])
        if callout is None:
            return Quote(tuple(_Reader(lines, self.depth + 1).blocks()), is_callout=False)
        title = Lines((_words(callout[2] or callout[1], _BOLD),))
        return Quote((title, *_Reader(lines[1:], self.depth + 1).blocks()), is_callout=True)

    def _is_table(self) -> bool:
        head, ruler = "".join(self.lines[self.at : self.at + 1]), "".join(self.lines[self.at + 1 : self.at + 2])
        if "|" not in head or "-" not in ruler or len(ruler) > _LONGEST_RULER:
            return False
        return _DELIMITERS.fullmatch(ruler) is not None and not _SETEXT.match(ruler)

    def _table(self) -> Table:
        head = self.lines[self.at]
        self.at += 2  # the ruler of a table with one column may have no bar
        body = self._taken(lambda line: "|" in line)
        columns = len(_cells(head, _BOLD))
        return Table((_cells(head, _BOLD), *(_cells(line)[:columns] for line in body)))

    def _items(self) -> Items:
        items: list[Item] = []
        steps: list[int] = []
        is_loose = False
        while self.at < len(self.lines):
            line = self.lines[self.at]
            item = ITEM.match(line)
            if item and not RULE.match(line):
                indent = len(item[1])
                steps = [*(step for step in steps if step < indent), indent]
                sign = (_BOX,) if _TASK.match(line) else ()
                items.append(Item(len(steps) - 1, (Words(sign + _words(item[2]).words),)))
            elif line.strip() and not self._ends(line):
                last = items[-1]
                items[-1] = replace(last, words=(*last.words, _words(line)))
            elif not line.strip() and self._goes_on():
                is_loose = True
            else:
                break
            self.at += 1
        return Items(tuple(items), is_loose)

    def _ends(self, line: str) -> bool:
        """Tell whether a line begins another block, though it follows a list or a paragraph at once."""
        return any(sign.match(line) for sign in (FENCE, HEADING, RULE, QUOTE)) and not line.startswith("  ")

    def _goes_on(self) -> bool:
        """Tell whether a list goes on behind empty lines."""
        rest = (line for line in self.lines[self.at : self.at + _FARTHEST] if line.strip())
        following = next(rest, "")
        return bool(ITEM.match(following) and not RULE.match(following)) or following.startswith("  ")

    def _paragraph(self) -> Lines:
        begin = self.at
        self.at += 1
        while self.at < len(self.lines) and (line := self.lines[self.at]).strip():
            under = _SETEXT.match(line)
            if under:
                whole = " ".join(self.lines[begin : self.at])
                self.at += 1
                return Lines((_words(whole, _BOLD),), 1 if "=" in under[1] else 2)
            if self._ends(line) or ITEM.match(line) or EMBED.match(line) or self._is_table():
                break
            self.at += 1
        return Lines(tuple(_words(line) for line in self.lines[begin : self.at]))


def _words(line: str, scale: float = 1.0) -> Words:
    wider = _BOLD if "**" in line else _INLINE_CODE if "`" in line else 1.0
    return words_of(unmarked(line), max(scale, wider))


def _cells(line: str, scale: float = 1.0) -> tuple[Words, ...]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    return tuple(_words(cell, scale) for cell in _BAR.split(inner))
