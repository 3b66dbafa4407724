"""The names of a note in the running text of other files, where a link could stand in their place."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from sidecar.model.path import VaultPath
from sidecar.parse.frontmatter import block_of
from sidecar.parse.near_runs import near_runs
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
_IN_WORD = re.compile(rf"[^\W{_DENSE}]|[\u0300-\u036f]")
_UNLINKABLE = ("[[", "!", "\\")
_SPACES = {0x00A0: " ", 0x202F: " "}
_NO_SPANS = Spans(())


class FoundName(NamedTuple):
    """A name as it is written at one place. Offsets are those of the text it was sought in."""

    start: int
    end: int
    line: int
    """From 1, in that text."""
    in_table: bool


class NamesSought:
    """The names of one note, ready to be sought in many texts.

    They are found as whole words in any case, the longest of them where several fit. Where a name of another note is
    longer and holds one of them, the text means that other note.
    """

    def __init__(self, own: Iterable[str], others: Iterable[str] = ()) -> None:
        """Take the note's names, and longer ones of other notes that hold one of them."""
        self._own = frozenset(form for name in own for form in _forms(name))
        self._others = _around(self._own, {form for name in others for form in _forms(name)} - self._own)

    def __eq__(self, other: object) -> bool:
        """Tell whether both find the same."""
        return isinstance(other, NamesSought) and (self._own, self._others) == (other._own, other._others)

    def __hash__(self) -> int:
        """Return the hash of the names."""
        return hash(self._own)

    def in_note(self, path: VaultPath, text: str) -> list[FoundName]:
        """Return where the names stand in a note's text, from its beginning to its end.

        They do not count in properties, code, math, HTML, comments, links, URLs, tags and brackets, and not in what a
        plugin encrypted or drew.
        """
        spans = self._spans(text)
        if not spans:
            return []
        block = block_of(text)
        start = block.end if block else 0
        readable = searchable_text(path, text)
        if readable is not text:
            spans = [(begin, end) for begin, end in spans if readable[begin:end] == text[begin:end]]
        return list(_plain(readable, start, spans))

    def in_card(self, text: str) -> list[FoundName]:
        """Return where the names stand in the text of a canvas card, which is Markdown without properties."""
        spans = self._spans(text)
        return list(_plain(text, 0, spans)) if spans else []

    def is_own(self, written: str, name: str) -> bool:
        """Tell whether ``written``, as it was found, is this very name."""
        return _folded(written) in _forms(name)

    def _spans(self, text: str) -> list[tuple[int, int]]:
        """Return where the names stand as whole words, whatever they stand in; where they overlap, the longest."""
        folded = _folded(text)
        found = sorted(span for name in self._own for span in _places(folded, name))
        if self._others:
            found = [span for span in found if not self._is_of_another(folded, *span)]
        overlap = any(after[0] < before[1] for before, after in pairwise(found))
        return _longest(found, len(folded)) if overlap else found

    def _is_of_another(self, folded: str, begin: int, end: int) -> bool:
        """Tell whether a longer name of another note stands around what was found."""
        for (before, length), names in self._others.get(folded[begin:end], {}).items():
            first, last = begin - before, begin - before + length
            if first >= 0 and folded[first:last] in names and _is_whole(folded, first, last):
                return True
        return False


def _longest(spans: Iterable[tuple[int, int]], length: int) -> list[tuple[int, int]]:
    """Return those of the spans of a text that no longer one overlaps, nor an earlier one of the same length."""
    kept: list[tuple[int, int]] = []
    taken = bytearray(length)
    for begin, end in sorted(spans, key=lambda span: (span[0] - span[1], span[0])):
        if taken.find(1, begin, end) < 0:
            taken[begin:end] = b"\1" * (end - begin)
            kept.append((begin, end))
    return sorted(kept)


def _plain(text: str, start: int, spans: Sequence[tuple[int, int]]) -> Iterator[FoundName]:
    """Go through those of the spans that stand in plain text behind ``start``."""
    spans = spans[bisect_left(spans, (start, start)) :]
    runs, comments = near_runs(text, start, spans), _NO_SPANS
    if runs is None:
        blocks = scan(text, start)
        runs, comments = blocks.runs, comments_of(text, start, blocks)
    run_starts = [run.start for run in runs]
    hidden: dict[int, Spans] = {}
    line, counted = 1, 0
    for begin, end in spans:
        number = bisect_right(run_starts, begin) - 1
        if number < 0 or end > runs[number].end or comments.meets(begin, end):
            continue
        run = runs[number]
        if number not in hidden:
            hidden[number] = not_plain(text, run.start, run.end)
        if not hidden[number].meets(begin, end):
            line += text.count("\n", counted, begin)
            counted = begin
            yield FoundName(begin, end, line, run.table)


def _places(folded: str, name: str) -> Iterator[tuple[int, int]]:
    """Go through the places where a name is a whole word that a link can replace.

    It cannot inside of a link and in the key of a field, nor behind ``!`` and a backslash, which would change the link.
    """
    at = folded.find(name)
    while at >= 0:
        end = at + len(name)
        if _is_whole(folded, at, end) and not folded.endswith(_UNLINKABLE, 0, at) and not folded.startswith("::", end):
            yield at, end
        at = folded.find(name, at + 1)


def _is_whole(text: str, start: int, end: int) -> bool:
    """Tell whether no word goes on beyond one of the ends."""
    # What stands around is mostly a space or a mark, and then the rest needs no look.
    if start and _is_in_word(text[start - 1]) and _is_in_word(text[start]):
        return False
    return end == len(text) or not (_is_in_word(text[end]) and _is_in_word(text[end - 1]))


def _is_in_word(character: str) -> bool:
    if character.isascii():
        return character.isalnum() or character == "_"
    return _IN_WORD.match(character) is not None


def _around(own: Iterable[str], others: Iterable[str]) -> Mapping[str, Mapping[tuple[int, int], frozenset[str]]]:
    """Return for each own name the longer ones, by what stands before it in them and by their length."""
    found: dict[str, dict[tuple[int, int], set[str]]] = {}
    for other in others:
        for name in own:
            for start, _ in _places(other, name):
                found.setdefault(name, {}).setdefault((start, len(other)), set()).add(other)
    return {name: {key: frozenset(names) for key, names in by.items()} for name, by in found.items()}


def _forms(name: str) -> frozenset[str]:
    """Return a name as it may stand in a text: composed, or with its accents apart as some systems write them."""
    folded = _folded(name).strip()
    if folded.isascii():
        return frozenset({folded} if folded else ())
    return frozenset({folded, unicodedata.normalize("NFC", folded), unicodedata.normalize("NFD", folded)})


def _folded(text: str) -> str:
    """Return a text in small letters and with plain spaces, each character at its place."""
    if text.isascii():
        return text.encode("ascii").lower().decode("ascii")  # bytes are made small many times faster
    folded = text.lower()
    if len(folded) != len(text):
        folded = "".join(small if len(small := character.lower()) == 1 else character for character in text)
    return folded.translate(_SPACES) if "\u00a0" in folded or "\u202f" in folded else folded
