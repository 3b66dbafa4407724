"""Tells line by line what a line of Markdown belongs to: paragraph, heading, list, quote, code, math or HTML."""

import re
from collections.abc import Callable
from typing import NamedTuple

from sidecar.model.note import Heading
from sidecar.parse.block_rules import (
    BLOCK,
    CODE,
    COMMENT_MARK,
    DELIMITER_ROW,
    FENCE_END,
    MATH,
    ONE_LINE,
    SETEXT,
    SPACES,
    Leaf,
    html_leaf,
)

__all__ = ["Blocks", "Fence", "Item", "Run"]

_CODE_INDENT = 4
_TAB = 4
_FOOTNOTE_INDENT = 4
_QUOTE = -1
"""Width of a quote on the stack of containers; the width of a list item is the indent of its content."""
_MAX_DEPTH = 32
"""Containers beyond this depth are text: nobody nests so deep, and it keeps the work linear."""


class Run(NamedTuple):
    """Running text (a paragraph, a heading or a table) whose inline syntax is parsed as one."""

    start: int
    end: int
    """Offset behind its last line, line break excluded."""
    heading: str | None
    """The heading it stands under; a heading stands under itself."""
    table: bool
    block_end: bool
    """A block id may stand at its end (B22): not in headings, tables and comments."""


class Item(NamedTuple):
    """The first line of a list item, behind its marker."""

    start: int
    end: int
    line: int
    parent: int | None
    """Line of the list item that holds it."""
    heading: str | None
    quoted: bool


class Fence(NamedTuple):
    """A fenced block of code, whole lines; one that is never closed ends with the text or what holds it."""

    start: int
    inside: int
    """Where the line behind the opening one begins."""
    end: int
    language: str
    """First word behind the opening marks, lower-cased."""


class _Container(NamedTuple):
    width: int
    item_line: int | None
    quoted: bool


_ROOT = _Container(0, None, quoted=False)


class Blocks:
    """The state between two lines, and the cursor in the present one."""

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = start
        self.headings: list[Heading] = []
        self.runs: list[Run] = []
        self.items: list[Item] = []
        self.fences: list[Fence] = []
        self._fence: Fence | None = None
        self.stack: list[_Container] = []
        self.leaf: Leaf | None = None
        self.comment = False
        self.plain = True
        self.heading: str | None = None
        self.run_start = -1
        self.run_end = -1
        self.table = False
        self.line = ""
        self.position = self.after = self.number = 0
        self.at = self.column = self.base = 0
        self.empty_item = -1  # line of the last list item without text: an empty line behind it ends it

    def close_run(self, *, block_end: bool = True) -> None:
        """End the paragraph, if one is open."""
        if self.run_start >= 0:
            block_end = block_end and not self.table and not self.comment
            self.runs.append(Run(self.run_start, self.run_end, self.heading, self.table, block_end))
            self.run_start = -1
            self.table = False

    def close_fence(self, end: int) -> None:
        """End the fenced block, if one is open."""
        if self._fence:
            self.fences.append(self._fence._replace(end=end))
            self._fence = None

    def feed(self, line: str, position: int, number: int) -> None:
        """Take the next line."""
        self.after = min(position + len(line) + 1, len(self.text))
        self.line = line.removesuffix("\r")
        self.position, self.number = position, number
        self.at = self.column = self.base = 0
        self._skip_spaces()
        if self._continue_containers() and not (self.leaf and self._continue_leaf()):
            if self._ends_comment():
                self._text()
                self.close_run()
                self.comment = False
            else:
                self._open_blocks()
        self.plain = not self.stack and self.leaf is None and not self.comment

    @property
    def _indent(self) -> int:
        return self.column - self.base

    @property
    def _blank(self) -> bool:
        return self.at >= len(self.line)

    def _skip_spaces(self) -> None:
        spaces = SPACES.match(self.line, self.at)
        if spaces and spaces[0]:
            self.at = spaces.end()
            if "\t" in spaces[0]:
                for character in spaces[0]:
                    self.column += 1 if character == " " else _TAB - self.column % _TAB
            else:
                self.column += len(spaces[0])

    def _text(self) -> None:
        if self.run_start < 0:
            self.run_start = self.position + self.at
        self.run_end = self.position + len(self.line)

    def _continue_containers(self) -> bool:
        """Step into the containers that go on in this line; false when nothing else is to be done with it."""
        matched = 0
        for container in self.stack:
            if container.width == _QUOTE:
                if self._indent >= _CODE_INDENT or not self.line.startswith(">", self.at):
                    break
                self._eat_quote_mark()
            elif not self._blank:
                if self._indent < container.width:
                    break
                self.base += container.width
            matched += 1
        if matched < len(self.stack):
            if self.leaf is None and self.run_start >= 0 and self._is_lazy():
                self._text()
                return False
            self.leaf = None
            self.close_fence(self.position)
            self.close_run()
            del self.stack[matched:]
        elif self._blank and self.empty_item == self.number - 1 and self.stack:
            del self.stack[-1]
        return True

    def _is_lazy(self) -> bool:
        """Tell whether the line goes on with a paragraph though it lacks the marks of its containers."""
        if self._blank or self._ends_comment():
            return False
        if self._indent >= _CODE_INDENT or not (block := BLOCK.match(self.line, self.at)):
            return True
        return block.lastgroup == "html" and not html_leaf(self.line, self.at, in_paragraph=True)

    def _ends_comment(self) -> bool:
        return self.comment and COMMENT_MARK.search(self.line, self.at) is not None

    def _eat_quote_mark(self) -> None:
        self.at += 1
        self.column += 1
        self.base = self.column + (self.line[self.at : self.at + 1] in {" ", "\t"})
        self._skip_spaces()

    def _continue_leaf(self) -> bool:
        """Keep the line from being read as text where it belongs to code, math or HTML."""
        leaf = self.leaf
        if leaf is None:
            return False
        if leaf is CODE:
            if self._blank or self._indent >= _CODE_INDENT:
                return True
            self.leaf = None
            return False
        if leaf.fence:
            mark = FENCE_END.match(self.line, self.at) if self._indent < _CODE_INDENT else None
            if mark and mark[1].startswith(leaf.fence):
                self.leaf = None
                self.close_fence(self.after)
        elif leaf.end is None:
            if self._blank:
                self.leaf = None
        elif found := leaf.end.search(self.line, self.at):
            self.leaf = None
            if leaf.tail and self.line[found.end() :].strip():
                self.at = found.end()
                self._text()
        return True

    def _open_blocks(self) -> None:
        while not self._blank:
            if self._indent >= _CODE_INDENT:
                # Obsidian finds tags in an indented first line, so it takes an earlier line to make code.
                if self.run_start >= 0 or (self.position == self.start and not self.stack):
                    self._text()
                else:
                    self.leaf = CODE
                return
            if self.run_start >= 0 and self._goes_on():
                return
            block = BLOCK.match(self.line, self.at)
            if block is None or block.lastgroup is None:
                self._text()
                return
            if not _OPENERS[block.lastgroup](self, block):
                return
        self.close_run()

    def _goes_on(self) -> bool:
        """Read a line that can only stand inside or at the end of a paragraph."""
        if not self.table and (mark := SETEXT.match(self.line, self.at)):
            self._underline(1 if mark[1][0] == "=" else 2)
            return True
        if "|" in self.line and DELIMITER_ROW.match(self.line, self.at):
            self.table = True
            self._text()
            return True
        return False

    def _underline(self, level: int) -> None:
        if self.stack or self.comment:
            self.close_run()
            return
        written = self.text[self.run_start : self.run_end]
        start = self.text.rfind("\n", 0, self.run_start) + 1
        line = self.number - written.count("\n") - 1
        self._add_heading(Heading(level, " ".join(map(str.strip, written.split("\n"))), line, start, self.after))

    def _add_heading(self, heading: Heading) -> None:
        self.headings.append(heading)
        self.heading = heading.text
        self.close_run(block_end=False)

    def _open_heading(self, mark: re.Match[str]) -> bool:
        self.close_run()
        self.at = mark.end()
        text = _without_closing(self.line[self.at :].strip())
        self._text()
        if self.stack or self.comment:
            self.close_run(block_end=False)
        else:
            self._add_heading(Heading(len(mark[0]), text, self.number, self.position, self.after))
        return False

    def _open_quote(self, _mark: re.Match[str]) -> bool:
        if len(self.stack) >= _MAX_DEPTH:
            self._text()
            return False
        self.close_run()
        self._eat_quote_mark()
        outer = self.stack[-1] if self.stack else _ROOT
        self.stack.append(_Container(_QUOTE, outer.item_line, quoted=True))
        return True

    def _open_item(self, mark: re.Match[str]) -> bool:
        empty = not self.line[mark.end() :].strip()
        if len(self.stack) >= _MAX_DEPTH or (self.run_start >= 0 and (empty or mark[0][:-1] not in {"", "1"})):
            # Inside a paragraph a list must not begin with an empty item or another number than 1.
            self._text()
            return False
        self.close_run()
        base = self.base
        self.at = mark.end()
        self.column += len(mark[0])
        self.base = self.column + 1
        self._skip_spaces()
        if empty:
            self.empty_item = self.number
        text = not empty and self._indent < _CODE_INDENT
        if text:
            self.base = self.column
        outer = self.stack[-1] if self.stack else _ROOT
        self.stack.append(_Container(self.base - base, self.number, outer.quoted))
        if text and not self.comment:
            start, end = self.position + self.at, self.position + len(self.line)
            self.items.append(Item(start, end, self.number, outer.item_line, self.heading, outer.quoted))
        return True

    def _open_footnote(self, mark: re.Match[str]) -> bool:
        if len(self.stack) >= _MAX_DEPTH:
            self._text()
            return False
        self.close_run()
        outer = self.stack[-1] if self.stack else _ROOT
        self.stack.append(_Container(self._indent + _FOOTNOTE_INDENT, outer.item_line, outer.quoted))
        self.at = mark.end()
        self.column += len(mark[0])
        self._skip_spaces()
        self.base = self.column
        return True

    def _open_fence(self, mark: re.Match[str]) -> bool:
        self.close_run()
        self.leaf = Leaf(fence=mark[0])
        language = self.line[mark.end() :].split(maxsplit=1)
        self._fence = Fence(self.position, self.after, self.after, language[0].lower() if language else "")
        return False

    def _open_rule(self, _mark: re.Match[str]) -> bool:
        self.close_run()
        return False

    def _open_math(self, mark: re.Match[str]) -> bool:
        if "$$" in self.line[mark.end() :] or self.text.find("$$", self.after) < 0:
            self._text()
        else:
            self.close_run()
            self.leaf = MATH
        return False

    def _open_comment(self, mark: re.Match[str]) -> bool:
        if COMMENT_MARK.search(self.line, mark.end()) or not COMMENT_MARK.search(self.text, self.after):
            self._text()
        else:
            self.close_run()
            self.comment = True
            if self.line[mark.end() :].strip():
                self._text()
        return False

    def _open_html(self, mark: re.Match[str]) -> bool:
        leaf = html_leaf(self.line, mark.start(), in_paragraph=self.run_start >= 0)
        if leaf:
            self.close_run()
            self.leaf = None if leaf is ONE_LINE else leaf
        else:
            self._text()
        return False


def _without_closing(text: str) -> str:
    """Drop the ``#`` that may close a heading."""
    bare = text.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else text


_OPENERS: dict[str, Callable[[Blocks, re.Match[str]], bool]] = {
    "quote": Blocks._open_quote,  # noqa: SLF001 - the table belongs to the class
    "heading": Blocks._open_heading,  # noqa: SLF001
    "fence": Blocks._open_fence,  # noqa: SLF001
    "rule": Blocks._open_rule,  # noqa: SLF001
    "item": Blocks._open_item,  # noqa: SLF001
    "math": Blocks._open_math,  # noqa: SLF001
    "html": Blocks._open_html,  # noqa: SLF001
    "comment": Blocks._open_comment,  # noqa: SLF001
    "footnote": Blocks._open_footnote,  # noqa: SLF001
}
"""Each tells whether the rest of the line may open another block."""
