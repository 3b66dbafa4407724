"""Whether a piece of text holds a word or phrase, by the rules by which the index finds them (S1, S4, S10)."""

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from operator import eq
from typing import TypeAlias

from sidecar.index.analysis import fold, spans, tokens
from sidecar.index.needles import Needle, holds, is_plain_at, likely_words, word_at
from sidecar.model.search import Phrase, Term

__all__ = ["WordCheck", "Words", "anchor_of", "word_check"]

_WITH_BREAK = (1).__add__


class Words:
    """A text that is taken apart when it is first asked for."""

    __slots__ = ("_folded", "_is_even", "_spelled", "_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._folded: str | None = None
        self._is_even: bool | None = None
        self._starts: tuple[list[int], list[int]] | None = None
        self._spelled: list[str] | None = None

    @property
    def folded(self) -> str:
        """The text in the form in which words are compared; folding moves letters, but never into another line."""
        if self._folded is None:
            if self.text.isascii():
                self._folded = self.text.lower()
            else:
                lines = self.text.split("\n")
                self._folded = "\n".join([line.lower() if line.isascii() else fold(line) for line in lines])
        return self._folded

    @property
    def is_even(self) -> bool:
        """Whether each line of the folded text begins where it does in the text."""
        if self._is_even is None:
            text, folded = self.text, self.folded
            self._is_even = text.isascii() or (
                len(text) == len(folded) and all(map(eq, map(len, text.split("\n")), map(len, folded.split("\n"))))
            )
        return self._is_even

    def lines_with(self, letters: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Go through the lines of the folded text that hold all these folded letters: where they begin and end."""
        folded, (first, *others) = self.folded, letters
        at = folded.find(first)
        while at >= 0:
            begin, end = folded.rfind("\n", 0, at) + 1, folded.find("\n", at)
            if end < 0:
                end = len(folded)
            for other in others:
                if folded.find(other, begin, end) < 0:
                    break
            else:
                yield begin, end
            at = folded.find(first, end + 1)

    def in_text(self, begin: int) -> int:
        """Return where a line begins in the text that begins so in the folded text; one may stand behind the last."""
        if self.is_even:
            return begin
        in_text, in_folded = self._line_starts()
        return in_text[bisect_left(in_folded, begin)]

    def in_folded(self, at: int) -> int:
        """Return where in the folded text the line begins in which this place of the text is."""
        if self.is_even:
            return self.text.rfind("\n", 0, at) + 1
        in_text, in_folded = self._line_starts()
        return in_folded[bisect_right(in_text, at) - 1]

    def _line_starts(self) -> tuple[list[int], list[int]]:
        """Return where each line begins, and where one behind the last would, in the text and in the folded one."""
        if self._starts is None:
            self._starts = _starts(self.text), _starts(self.folded)
        return self._starts

    @property
    def spelled(self) -> Sequence[str]:
        """Its words as they are written."""
        if self._spelled is None:
            self._spelled = _spelled(self.text)
        return self._spelled


def _starts(text: str) -> list[int]:
    return [0, *accumulate(map(_WITH_BREAK, map(len, text.split("\n"))))]


WordCheck: TypeAlias = Callable[[Words], bool]


def word_check(wanted: Term | Phrase) -> WordCheck:
    """Return what tells whether a text holds these words one after another; nothing holds what has no words."""
    prefix = isinstance(wanted, Term) and wanted.prefix
    if wanted.case:
        return _spelled_check(_spelled(wanted.text), prefix=prefix)
    words = tuple(tokens(wanted.text))
    if not words:
        return lambda _: False
    needle = Needle(words, prefix=prefix, exact=isinstance(wanted, Phrase))
    return _word_check(needle) if len(words) == 1 else _needle_check(needle)


def anchor_of(wanted: Term | Phrase) -> str:
    """Return letters that stand in every folded text which holds the words; none when there are no words."""
    words = tuple(tokens(wanted.text))
    return Needle(words, exact=wanted.case or isinstance(wanted, Phrase)).anchor if words else ""


def _spelled(text: str) -> list[str]:
    return [unicodedata.normalize("NFC", text[start:end]) for _, start, end in spans(text)]


def _word_check(needle: Needle) -> WordCheck:
    """Look for one word only where it may stand: taking a whole note apart costs much more."""
    anchor = needle.anchor
    only = (anchor,)
    known: dict[str, bool] = {}

    def check(text: Words) -> bool:
        if not text.text.isascii():
            return by_lines(text)
        folded = text.folded
        at = folded.find(anchor)
        while at >= 0:
            if not at or not folded[at - 1].isalnum():
                word = word_at(folded, at)
                if begins(word):
                    return is_plain_at(folded, at, at + len(word)) or by_lines(text)
            at = folded.find(anchor, at + 1)
        return False

    def by_lines(text: Words) -> bool:
        return any(
            in_line(text.text[text.in_text(begin) : text.in_text(end + 1) - 1], text.folded[begin:end])
            for begin, end in text.lines_with(only)
        )

    def in_line(line: str, folded: str) -> bool:
        return any(begins(word) for word, _, _ in likely_words(line, folded, only))

    def begins(word: str) -> bool:
        found = known.get(word)
        if found is None:
            found = known[word] = needle.begins_at(word)
        return found

    return check


def _needle_check(needle: Needle) -> WordCheck:
    def check(text: Words) -> bool:
        return all(word in text.folded for word in needle.words) and holds(text.text, needle)

    return check


def _spelled_check(wanted: Sequence[str], *, prefix: bool) -> WordCheck:
    def check(text: Words) -> bool:
        words, count = text.spelled, len(wanted)
        for at in range(len(words) - count + 1):
            there = words[at : at + count]
            last = there[-1].startswith(wanted[-1]) if prefix else there[-1] == wanted[-1]
            if last and there[:-1] == wanted[:-1]:
                return True
        return False

    return check if wanted else lambda _: False
