"""The names of a note in the running text of other files, where a link could stand in their place."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from sidecar.model.path import VaultPath
from sidecar.parse.frontmatter import block_of
from sidecar.parse.plain_text import Spans, comments_of, not_plain
from sidecar.parse.scanner import scan
from sidecar.parse.searchable import searchable_text

__all__ = ["FoundName", "NamesSought"]

_DENSE = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecd\u1000-\u109f\u1780-\u17d3"  # Thai, Lao, Burmese, Khmer
    "\u3005-\u3007\u3041-\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"  # Han, Hangul
)
"""Scripts that are written without spaces, or glue endings to their words: a name may stand inside of a run."""
_MARK = "\u0300-\u036f"
_IN_WORD = re.compile(rf"[^\W{_DENSE}]|[{_MARK}]")
_BEHIND = rf"(?![^\W{_DENSE}]|[{_MARK}])"
_BEFORE = rf"(?<![^\W{_DENSE}])"
_NO_FIELD = "(?!::)"
"""A name before two colons is the key of an inline field, which a link would break."""
_SPACES = {0x00A0: " ", 0x202F: " "}


class FoundName(NamedTuple):
    """A name as it is written at one place. Offsets are those of the text it was sought in."""

    start: int
    end: int
    line: int
    """From 1, in that text."""
    heading: str | None
    in_table: bool


class NamesSought:
    """The names of one note, ready to be sought in many texts.

    They are found as whole words in any case, the longest of them where several fit. Where a name of another note is
    longer and holds one of them, the text means that other note.
    """

    def __init__(self, own: Iterable[str], others: Iterable[str] = ()) -> None:
        """Take the note's names, and longer ones of other notes that hold one of them."""
        self._own = frozenset(form for name in own for form in _forms(name))
        ordered = sorted(self._own, key=lambda name: (-len(name), name))
        source = "|".join(map(_as_pattern, ordered))
        self._in_folded = re.compile(source or "(?!)")
        self._in_any_case = re.compile(source or "(?!)", re.IGNORECASE)
        self._others = self._around(form for name in others for form in _forms(name))

    def __bool__(self) -> bool:
        """Tell whether there is any name that can be sought."""
        return bool(self._own)

    def in_note(self, path: VaultPath, text: str) -> list[FoundName]:
        """Return where the names stand in a note's text, from its beginning to its end.

        They do not count in properties, code, math, HTML, comments, links, URLs, tags and brackets, and not in what a
        plugin encrypted or drew.
        """
        if not self._may_stand_in(text):
            return []
        block = block_of(text)
        readable = searchable_text(path, text)
        return list(self._found(readable, block.end if block else 0))

    def in_card(self, text: str) -> list[FoundName]:
        """Return where the names stand in the text of a canvas card, which is Markdown without properties."""
        return list(self._found(text, 0)) if self._may_stand_in(text) else []

    def is_own(self, written: str, name: str) -> bool:
        """Tell whether ``written``, as it was found, is this very name."""
        return _folded(written) in _forms(name)

    def _may_stand_in(self, text: str) -> bool:
        folded = text.lower()
        if not folded.isascii():
            folded = folded.translate(_SPACES)
        return any(name in folded for name in self._own)

    def _found(self, text: str, start: int) -> Iterator[FoundName]:
        blocks = scan(text, start)
        folded = text.lower()
        pattern = self._in_folded
        if len(folded) != len(text):
            folded, pattern = text, self._in_any_case
        comments: Spans | None = None
        for run in blocks.runs:
            hits = [hit.span() for hit in pattern.finditer(folded, run.start, run.end)]
            if not hits:
                continue
            if comments is None:
                comments = comments_of(text, start, blocks)
            taken = not_plain(text, run.start, run.end)
            for begin, end in hits:
                if taken.meets(begin, end) or comments.meets(begin, end) or self._is_of_another(text, begin, end):
                    continue
                line = blocks.first_line + bisect_right(blocks.starts, begin) - 1
                yield FoundName(begin, end, line, run.heading, run.table)

    def _is_of_another(self, text: str, begin: int, end: int) -> bool:
        """Tell whether a longer name of another note stands around what was found."""
        around = self._others.get(_folded(text[begin:end]), {})
        for (before, length), names in around.items():
            first = begin - before
            if first < 0 or _folded(text[first : first + length]) not in names:
                continue
            last = first + length
            if not (_goes_on(text, first - 1, first) or _goes_on(text, last, last - 1)):
                return True
        return False

    def _around(self, others: Iterable[str]) -> Mapping[str, Mapping[tuple[int, int], frozenset[str]]]:
        """Return for each own name the longer ones by what stands before it and by their length."""
        found: dict[str, dict[tuple[int, int], set[str]]] = {}
        for other in set(others) - self._own:
            for hit in self._in_folded.finditer(other):
                key = (hit.start(), len(other))
                found.setdefault(hit[0], {}).setdefault(key, set()).add(other)
        return {own: {key: frozenset(names) for key, names in by.items()} for own, by in found.items()}


def _forms(name: str) -> frozenset[str]:
    """Return a name as it may stand in a text: composed, or with its accents apart as some systems write them."""
    folded = _folded(name)
    if folded.isascii():
        return frozenset({folded} if folded else ())
    return frozenset({folded, unicodedata.normalize("NFC", folded), unicodedata.normalize("NFD", folded)} - {""})


def _folded(text: str) -> str:
    return text.translate(_SPACES).lower().strip()


def _as_pattern(name: str) -> str:
    body = re.escape(name).replace(r"\ ", "[ \u00a0\u202f]")
    before = _BEFORE if _IN_WORD.match(name[0]) else ""
    behind = _BEHIND if _IN_WORD.match(name[-1]) else ""
    return f"{before}{body}{behind}{_NO_FIELD}"


def _goes_on(text: str, at: int, beside: int) -> bool:
    """Tell whether the character at ``at`` belongs to the same word as the one beside it."""
    return 0 <= at < len(text) and bool(_IN_WORD.match(text[at]) and _IN_WORD.match(text[beside]))
