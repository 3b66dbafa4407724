"""What of running text is no plain text: code, math, HTML, comments, links, URLs, tags and what stands in brackets."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator

from sidecar.parse.scanner import Scan
from sidecar.parse.tag import TAG, is_tag_name
from sidecar.parse.wikilink import DESTINATION, WIKILINK

__all__ = ["Spans", "comments_of", "not_plain"]

_OPENING = re.compile(
    r"""\\.
      | (?P<code>`++)
      | (?P<math>\$\$?)
      | (?P<comment><!--)
      | (?P<html><[A-Za-z/][^<>]*+>)
      | (?P<bracket>\[)
      | (?P<tag>\#)
      | (?P<block>(?<!\S)\^[A-Za-z0-9-]++)
      | (?P<url>(?<![A-Za-z0-9+.-])(?:[A-Za-z][A-Za-z0-9+.-]*+://|mailto:|www\.)[^\s<>]++)
      | (?P<mail>(?<![\w.+-])[\w.+-]++@[\w-]++\.[\w.-]++)
    """,
    re.VERBOSE | re.DOTALL,
)
_MARK = re.compile(r"[\\`$<\[#^]")
"""What an opening begins with, but for addresses; alone it is found many times faster."""
_ADDRESS = re.compile(r"@|://|www\.|mailto:")
_BRACKET = re.compile(r"\\.|[\[\]]", re.DOTALL)
_TICKS = re.compile(r"`++")
_MATH = re.compile(r"\$(?![\s$])(?:[^$\\\n]++|\\.)*+(?<!\s)\$(?![\d$])")
_COMMENT_MARK = re.compile(r"(?<!%)%%(?!%)")
"""B27: more than two of them are none."""


class Spans:
    """Parts of a text, none of which overlap."""

    __slots__ = ("_ends", "_starts")

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        self._ends = [end for _, end in ordered]

    def meets(self, start: int, end: int) -> bool:
        """Tell whether one of the parts has a character in common with this one."""
        return bisect_right(self._ends, start) < bisect_left(self._starts, end)


def not_plain(text: str, start: int, end: int) -> Spans:
    """Return the parts of one run of text (a paragraph, a heading or a table) that are not plain text."""
    return Spans(_Run(text, start, end).parts())


def comments_of(text: str, start: int, blocks: Scan) -> Spans:
    """Return the ``%%`` comments of a scanned text, over several paragraphs too (B17); marks in code are none."""
    if "%%" not in text:
        return Spans(())
    code = [(fence.start, fence.end) for fence in blocks.fences]
    code += [part for run in blocks.runs if "`" in text[run.start : run.end] for part in _Run(text, *run[:2]).codes()]
    outside = Spans(code)
    marks = [m.span() for m in _COMMENT_MARK.finditer(text, start) if not outside.meets(*m.span())]
    return Spans((first[0], last[1]) for first, last in zip(marks[::2], marks[1::2], strict=False))


class _Run:
    """Goes through one run from left to right, in time that grows with its length only."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._text, self._start, self._end = text, start, end
        self._ticks: dict[int, list[int]] | None = None
        self._pairs: dict[int, int] | None = None
        self._unclosed: set[str] = set()
        self._has_address = _ADDRESS.search(text, start, end) is not None

    def parts(self) -> Iterator[tuple[int, int]]:
        return ((start, end) for _, start, end in self._found())

    def codes(self) -> Iterator[tuple[int, int]]:
        return ((start, end) for kind, start, end in self._found() if kind == "code")

    def _found(self) -> Iterator[tuple[str, int, int]]:
        at = self._start
        while opening := self._opening(at):
            kind, begin = opening.lastgroup, opening.start()
            behind = self._behind(kind, begin, opening.end()) if kind else None
            if kind and behind is not None:
                yield kind, begin, behind
            at = behind if behind is not None else opening.end()

    def _opening(self, at: int) -> re.Match[str] | None:
        if self._has_address:
            return _OPENING.search(self._text, at, self._end)
        while mark := _MARK.search(self._text, at, self._end):
            if opening := _OPENING.match(self._text, mark.start(), self._end):
                return opening
            at = mark.end()
        return None

    def _behind(self, kind: str, begin: int, inside: int) -> int | None:
        """Return where what opens at ``begin`` ends; ``None`` when it is a mark like any other."""
        match kind:
            case "code":
                return self._behind_code(inside - begin, inside)
            case "math" if inside - begin > 1:
                return self._behind_mark("$$", inside)
            case "math" | "tag":
                return self._behind_match(TAG if kind == "tag" else _MATH, begin)
            case "comment":
                return self._behind_mark("-->", inside)
            case "bracket":
                return self._behind_bracket(begin)
            case _:
                return inside

    def _behind_match(self, pattern: re.Pattern[str], begin: int) -> int | None:
        found = pattern.match(self._text, begin, self._end)
        return found.end() if found and (pattern is not TAG or is_tag_name(found[1])) else None

    def _behind_code(self, size: int, inside: int) -> int | None:
        if self._ticks is None:
            self._ticks = {}
            for run in _TICKS.finditer(self._text, self._start, self._end):
                self._ticks.setdefault(len(run[0]), []).append(run.start())
        closing = self._ticks.get(size, [])
        at = bisect_left(closing, inside)
        return closing[at] + size if at < len(closing) else None

    def _behind_mark(self, mark: str, inside: int) -> int | None:
        if mark in self._unclosed:
            return None
        found = self._text.find(mark, inside, self._end)
        if found < 0:
            self._unclosed.add(mark)
            return None
        return found + len(mark)

    def _behind_bracket(self, begin: int) -> int | None:
        if link := WIKILINK.match(self._text, begin, self._end):
            return link.end()
        if self._pairs is None:
            self._pairs = _bracket_pairs(self._text, self._start, self._end)
        close = self._pairs.get(begin)
        if close is None:
            return None
        if destination := DESTINATION.match(self._text, close, self._end):
            return destination.end()
        if self._text.startswith(":", close) and self._text[begin - 1 : begin] in ("", "\n"):
            line_end = self._text.find("\n", close, self._end)
            return self._end if line_end < 0 else line_end
        return close


def _bracket_pairs(text: str, start: int, end: int) -> dict[int, int]:
    """Return where each bracket that is closed ends."""
    pairs, opened = {}, []
    for found in _BRACKET.finditer(text, start, end):
        if found[0] == "[":
            opened.append(found.start())
        elif found[0] == "]" and opened:
            pairs[opened.pop()] = found.end()
    return pairs
