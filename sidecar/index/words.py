"""Whether a piece of text holds a word or phrase, by the rules by which the index finds them (S1, S4, S10)."""

import unicodedata
from collections.abc import Callable, Sequence
from typing import TypeAlias

from sidecar.index.analysis import spans, tokens
from sidecar.index.needles import Needle, fold_line, holds, likely_words
from sidecar.model.search import Phrase, Term

__all__ = ["WordCheck", "Words", "anchor_of", "word_check"]


class Words:
    """A text that is taken apart when it is first asked for."""

    __slots__ = ("_folded", "_lines", "_spelled", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._folded: str | None = None
        self._lines: list[str] | None = None
        self._spelled: list[str] | None = None

    @property
    def folded(self) -> str:
        """The text in the form in which words are compared."""
        if self._folded is None:
            self._folded = self.text.lower() if self.text.isascii() else "\n".join(self.folded_lines)
        return self._folded

    @property
    def folded_lines(self) -> Sequence[str]:
        """Its lines in that form; folding moves letters, but never into another line."""
        if self._lines is None:
            if self.text.isascii():
                self._lines = self.folded.split("\n")
            else:
                self._lines = list(map(fold_line, self.text.split("\n")))
        return self._lines

    def lines_with(self, letters: Sequence[str]) -> list[int]:
        """Return the numbers of the lines that hold all these folded letters."""
        first, *others = letters
        if not others:
            return [n for n, line in enumerate(self.folded_lines) if first in line]
        return [n for n, line in enumerate(self.folded_lines) if first in line and all(map(line.__contains__, others))]

    @property
    def spelled(self) -> Sequence[str]:
        """Its words as they are written."""
        if self._spelled is None:
            self._spelled = _spelled(self.text)
        return self._spelled


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
    known: dict[str, bool] = {}

    def check(text: Words) -> bool:
        if anchor not in text.folded:
            return False
        both = zip(text.text.split("\n"), text.folded_lines, strict=True)
        return any(anchor in folded and in_line(line, folded) for line, folded in both)

    def in_line(line: str, folded: str) -> bool:
        return any(begins(word) for word, _, _ in likely_words(line, folded, (anchor,)))

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
