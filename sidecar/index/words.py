"""Whether a piece of text holds a word or phrase, by the rules by which the index finds them (S1, S4, S10)."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import TypeAlias

from sidecar.index.analysis import fold, spans, tokens
from sidecar.index.snippets import Needle
from sidecar.model.search import Phrase, Term

__all__ = ["WordCheck", "Words", "anchor_of", "word_check"]


class Words:
    """A text that is taken apart when it is first asked for."""

    __slots__ = ("_folded", "_spelled", "_words", "text")

    def __init__(self, text: str, folded: str | None = None) -> None:
        self.text = text
        self._folded = folded
        self._words: list[str] | None = None
        self._spelled: list[str] | None = None

    @property
    def folded(self) -> str:
        """The text in the form in which words are compared."""
        if self._folded is None:
            self._folded = fold(self.text)
        return self._folded

    @property
    def words(self) -> Sequence[str]:
        """Its words, folded."""
        if self._words is None:
            self._words = tokens(self.text)
        return self._words

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
    plain = re.compile(rf"(?<![a-z0-9]){re.escape(anchor)}[a-z0-9]*+")
    known: dict[str, bool] = {}

    def check(text: Words) -> bool:
        if anchor not in text.folded:
            return False
        lines, folded = text.text.split("\n"), text.folded.split("\n")
        return any(anchor in low and in_line(Words(line, low)) for line, low in zip(lines, folded, strict=True))

    def in_line(line: Words) -> bool:
        if line.text.isascii() and not any(map(begins, plain.findall(line.folded))):
            return False
        return any(map(begins, line.words))

    def begins(word: str) -> bool:
        found = known.get(word)
        if found is None:
            found = known[word] = needle.begins_at(word)
        return found

    return check


def _needle_check(needle: Needle) -> WordCheck:
    anchor, following = needle.anchor, len(needle.words)

    def check(text: Words) -> bool:
        if anchor not in text.folded:
            return False
        words = text.words
        starts = (at for at, word in enumerate(words) if needle.begins_at(word))
        return any(needle.goes_on(words[at + 1 : at + following]) for at in starts)

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
