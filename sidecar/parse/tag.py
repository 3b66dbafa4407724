"""What is a tag, and where one may begin (contract T1-T8)."""

import re
from typing import NamedTuple

from sidecar.model.note import Tag

__all__ = ["TAG", "TAG_SPACES", "FoundTag", "TagPlaces", "all_tags", "is_tag_name"]

_SPACE = "\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
"""JavaScript's whitespace; Python's ``\\s`` differs (T1)."""
TAG = re.compile(rf"#([^{_SPACE}\u2000-\u206f\u2e00-\u2e7f!-,.:-@\[-^`{{-~]++)")
TAG_SPACES = frozenset("\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff") | {
    chr(c) for c in range(0x2000, 0x200B)
}
_EMPHASIS = {"*": 1, "_": 1, "~": 2, "=": 2}
"""How many of a mark make it one."""
_QUOTE_MARKS = re.compile(r"[ \t>]*+\Z")
_OPENING_UNDERSCORE = re.compile(r"(?<![^\W_])_++(?=\S)")


class FoundTag(NamedTuple):
    """A tag in running text, without its ``#``."""

    name: str
    start: int
    line: int


def is_tag_name(name: str) -> bool:
    """Tell whether characters that fit make a tag: not of ASCII digits alone (T2)."""
    return not (name.isascii() and name.isdigit())


def all_tags(in_properties: tuple[Tag, ...], in_text: list[FoundTag]) -> tuple[Tag, ...]:
    """Join tags as Obsidian lists them: properties first, duplicates kept (T8)."""
    return in_properties + tuple([Tag(tag.name, tag.line) for tag in in_text])


class TagPlaces:
    """Judges where a tag may begin in one run of text (T3).

    Pairs of emphasis marks are not parsed: a mark counts when another of its kind stands on the other side.
    """

    __slots__ = ("_end", "_start", "_table", "_text", "_underscore")

    def __init__(self, text: str, start: int, end: int, *, table: bool) -> None:
        self._text, self._start, self._end, self._table = text, start, end, table
        self._underscore: int | None = None

    def may_begin(self, at: int, after: int) -> bool:
        """Tell whether the ``#`` at ``at`` can begin a tag that ends at ``after``."""
        text = self._text
        if at == self._start or (previous := text[at - 1]) in TAG_SPACES:
            return True
        if previous in _EMPHASIS:
            return self._is_emphasis(at, after, previous)
        if previous == "%":
            return text.endswith("%%", self._start, at) and not text.endswith("%%%", self._start, at)
        if previous == ">":
            line = max(text.rfind("\n", 0, at) + 1, self._start)
            return line > self._start and _QUOTE_MARKS.match(text, line, at) is not None
        return previous == "|" and self._table

    def _is_emphasis(self, at: int, after: int, mark: str) -> bool:
        text = self._text
        first = at - 1
        while first > self._start and text[first - 1] == mark:
            first -= 1
        if at - first < _EMPHASIS[mark]:
            return False
        if first > self._start and text[first - 1].isalnum():
            return text.rfind(mark, self._start, first) >= 0
        # An underscore is a character of tags too, so the closing one may be inside.
        return text.find(mark, at, self._end) >= 0 if mark == "_" else text.find(mark, after, self._end) >= 0

    def trim(self, name: str, at: int) -> str:
        """Drop the underscores that close emphasis around the tag ``name``."""
        if not name.endswith("_"):
            return name
        if self._underscore is None:
            opening = _OPENING_UNDERSCORE.search(self._text, self._start, self._end)
            self._underscore = opening.start() if opening else self._end
        return (name.rstrip("_") or name) if self._underscore < at else name
