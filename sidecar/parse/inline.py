"""Reads the runs of a scanned text from left to right: code, math, HTML, links and tags (contract B1-B20, T1-T5)."""

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import NamedTuple

from sidecar.model.note import Link, LinkKind
from sidecar.parse.scanner import Run, Scan
from sidecar.parse.tag import TAG, TAG_SPACES, FoundTag, TagPlaces, is_tag_name
from sidecar.parse.wikilink import DESTINATION, WIKILINK, Target, markdown_target, wikilink_target

__all__ = ["Inline", "read_inline"]

_MARKS = re.compile(r"#|\[\[|`|<|\\|\$")
_MARKS_AND_BRACKETS = re.compile(r"[#\[\]`<\\$]")
_TICKS = re.compile(r"`++")
_ESCAPABLE = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
_MATH = re.compile(r"\$(?![\s$])(?:[^$\\\n]++|\\.)*+(?<!\s)\$(?![\d$])")
_HTML = re.compile(
    r"""<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*+
      |[^\s<>@/]++@[^\s<>]++
      |/[A-Za-z][A-Za-z0-9-]*+\s*+
      |[A-Za-z][A-Za-z0-9-]*+(?:\s++[A-Za-z_:][\w.:-]*+(?:\s*+=\s*+(?:[^\s"'=<>`]++|'[^']*+'|"[^"]*+"))?+)*+\s*+/?
    )>""",
    re.VERBOSE,
)
_DEFINITION = re.compile(
    r"""\[(?!\^)(?:[^\[\]\\\n]++|\\.)++\]:[ \t]*+(?!\[\[)(?:<[^<>\n]*+>|[^\s<]\S*+)
      (?:[ \t]++(?:"[^"\n]*+"|'[^'\n]*+'|\([^()\n]*+\)))?+[ \t]*+(?=\r?(?:\n|\Z))""",
    re.VERBOSE,
)


class Inline(NamedTuple):
    """Links and tags in the order of the text.

    A reference link (``[text][id]``) and its definition give no link: Obsidian keeps them apart (B20). Between inline
    HTML tags the text counts, inside of blocks of HTML it does not (B19).
    """

    links: list[Link]
    tags: list[FoundTag]


def read_inline(text: str, scan: Scan) -> Inline:
    """Find the links and tags of a scanned text."""
    reader = _Reader(text, scan)
    for run in scan.runs:
        if found := reader.marks.search(text, run.start, run.end):
            reader.read(run, found.start())
    if reader.markdown:
        reader.links.sort(key=lambda link: link.start)
    return Inline(reader.links, reader.tags)


class _Bracket(NamedTuple):
    start: int
    inside: int
    tags: int
    """How many tags were found before it."""


class _Reader:
    """The cursor in one run, and what was learnt about the rest of it."""

    def __init__(self, text: str, scan: Scan) -> None:
        self.text = text
        self.marks = _MARKS_AND_BRACKETS if "](" in text or "]:" in text else _MARKS
        self.links: list[Link] = []
        self.tags: list[FoundTag] = []
        self.markdown = False
        self.starts = scan.starts
        self.line_before = scan.first_line - 1

    def read(self, run: Run, at: int) -> None:
        """Read one run from its first mark on."""
        text, search = self.text, self.marks.search
        self.run = run
        self.begin, end, self.heading = run.start, run.end, run.heading
        self.end = end
        self.node_end = -1  # where the last parsed node ended: a tag may follow at once (T3)
        self.places: TagPlaces | None = None
        self.brackets: list[_Bracket] = []
        self.dead = 0  # brackets below this depth hold a link already, so they open none
        self.last_ticks: dict[int, int] | None = None
        self.unclosed: set[str] = set()
        while True:
            found = search(text, _HANDLERS[text[at]](self, at), end)
            if not found:
                return
            at = found.start()

    def line_of(self, at: int) -> int:
        return self.line_before + bisect_right(self.starts, at)

    def tag(self, at: int) -> int:
        text = self.text
        found = TAG.match(text, at, self.end)
        if not found:
            return at + 1
        name, after = found[1], found.end()
        if at not in (self.begin, self.node_end) and text[at - 1] not in TAG_SPACES:
            places = self.tag_places()
            if not places.may_begin(at, after):
                return after
        if name[-1] == "_":
            name = self.tag_places().trim(name, at)
            after = at + 1 + len(name)
        if is_tag_name(name):
            self.tags.append(FoundTag(name, at, self.line_of(at)))
            self.node_end = after
        return after

    def tag_places(self) -> TagPlaces:
        if self.places is None:
            self.places = TagPlaces(self.text, self.run.start, self.run.end, table=self.run.table)
        return self.places

    def escape(self, at: int) -> int:
        if self.text[at + 1 : min(at + 2, self.end)] not in _ESCAPABLE:
            return at + 1
        self.node_end = at + 2
        return at + 2

    def code(self, at: int) -> int:
        """Step over code: as many backticks as opened it close it."""
        text, end = self.text, self.end
        if self.last_ticks is None:
            self.last_ticks = {len(run[0]): run.start() for run in _TICKS.finditer(text, at, end)}
        inside = at + 1
        while inside < end and text[inside] == "`":
            inside += 1
        size = inside - at
        if self.last_ticks.get(size, -1) <= at:
            return inside
        for ticks in _TICKS.finditer(text, inside, end):
            if len(ticks[0]) == size:
                self.node_end = ticks.end()
                break
        return self.node_end

    def math(self, at: int) -> int:
        if self.text.startswith("$$", at, self.end):
            return self.step_over("$$", at + 2)
        return self.match_node(_MATH, at)

    def html(self, at: int) -> int:
        if self.text.startswith("<!--", at, self.end):
            return self.step_over("-->", at + 4)
        return self.match_node(_HTML, at)

    def step_over(self, close: str, inside: int) -> int:
        if close not in self.unclosed:
            found = self.text.find(close, inside, self.end)
            if found >= 0:
                self.node_end = found + len(close)
                return self.node_end
            self.unclosed.add(close)
        return inside

    def match_node(self, pattern: re.Pattern[str], at: int) -> int:
        if not (found := pattern.match(self.text, at, self.end)):
            return at + 1
        self.node_end = found.end()
        return self.node_end

    def open_bracket(self, at: int) -> int:
        text = self.text
        if found := WIKILINK.match(text, at, self.end):
            if target := wikilink_target(found[1]):
                embed = self.is_embed(at)
                self.add(LinkKind.EMBED if embed else LinkKind.WIKILINK, target, at - embed, found.end())
            self.node_end = found.end()
            return self.node_end
        if (at == self.begin or text[at - 1] == "\n") and (found := _DEFINITION.match(text, at, self.end)):
            return found.end()
        self.brackets.append(_Bracket(at - self.is_embed(at), at + 1, len(self.tags)))
        return at + 1

    def close_bracket(self, at: int) -> int:
        if not self.brackets:
            return at + 1
        opening = self.brackets.pop()
        embed = opening.inside - opening.start > 1
        dead = len(self.brackets) < self.dead and not embed
        self.dead = min(self.dead, len(self.brackets))
        found = None if dead else DESTINATION.match(self.text, at + 1, self.end)
        if not found:
            return at + 1
        if embed:
            del self.tags[opening.tags :]
        else:
            self.dead = len(self.brackets)
        if target := markdown_target(found, self.text[opening.inside : at]):
            self.add(LinkKind.MARKDOWN_EMBED if embed else LinkKind.MARKDOWN, target, opening.start, found.end())
            self.markdown = True
        self.node_end = found.end()
        return self.node_end

    def is_embed(self, at: int) -> bool:
        return at > max(self.begin, self.node_end) and self.text[at - 1] == "!"

    def add(self, kind: LinkKind, target: Target, start: int, end: int) -> None:
        linkpath, subpath, display = target
        line = self.line_of(start)
        self.links.append(Link(kind, self.text[start:end], linkpath, subpath, display, line, start, self.heading))


_HANDLERS: dict[str, Callable[[_Reader, int], int]] = {
    "#": _Reader.tag,
    "[": _Reader.open_bracket,
    "]": _Reader.close_bracket,
    "`": _Reader.code,
    "$": _Reader.math,
    "<": _Reader.html,
    "\\": _Reader.escape,
}
"""Each reads what stands at an offset and returns the offset to go on from."""
