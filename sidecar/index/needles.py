"""Where in a text the words of a query stand; it is taken apart only where their letters are."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, islice
from typing import NamedTuple, TypeAlias

from sidecar.index.analysis import fold, spans, stem, tokens
from sidecar.model.search import And, Or, Phrase, Place, Query, Term, Within

__all__ = [
    "Match",
    "Needle",
    "Needles",
    "fold_line",
    "holds",
    "is_plain_at",
    "likely_words",
    "matches_in",
    "needles",
    "word_at",
]

_NAMES = frozenset({Place.NAME, Place.PATH, Place.TAG})
_ASCII_WORD = re.compile(r"[a-z0-9]+")
_REST = re.compile(r"[a-z0-9]*")
_DATA = 64
"""Letters without white space that a file embedded in a text has at least."""
_PREPARED = 64
_MOST_REMEMBERED = 4096


@dataclass(frozen=True, slots=True)
class Needle:
    """Words to be shown, that stand one after another; ``exact`` allows no other form of a word."""

    words: tuple[str, ...]
    prefix: bool = False
    exact: bool = False

    @property
    def anchor(self) -> str:
        """Letters with which every folded word begins that can be its first.

        A word and its stem differ in the stem's last letter and what follows it; only "dying" has the stem "die".
        """
        if self.exact or len(self.words) > 1:
            return self.words[0]
        root = stem(self.words[0])
        return root[:-2] if root.endswith("ie") else root[:-1] or root

    def begins_at(self, word: str) -> bool:
        """Tell whether ``word`` can be the first of its words."""
        if len(self.words) > 1:
            return word == self.words[0]
        return self._is_last(word) or (not self.exact and stem(word) == stem(self.words[0]))

    def goes_on(self, following: Sequence[str]) -> bool:
        """Tell whether the words behind its first are these."""
        rest = self.words[1:]
        if not rest:
            return True
        return len(following) == len(rest) and tuple(following[:-1]) == rest[:-1] and self._is_last(following[-1])

    def _is_last(self, word: str) -> bool:
        return word.startswith(self.words[-1]) if self.prefix else word == self.words[-1]


Needles: TypeAlias = tuple[Needle, ...]


class Match(NamedTuple):
    """Where in a text a needle stands, by its number."""

    needle: int
    start: int
    end: int


Word: TypeAlias = tuple[str, int, int]
"""A folded word, and where it stands."""


def needles(query: Query) -> Needles:
    """Return what a query wants to see in a text: its terms and phrases that are not excluded."""
    return tuple(dict.fromkeys(_wanted(query)))


def matches_in(text: str, wanted: Needles) -> list[Match]:
    """Return all places where one of the needles stands, from left to right."""
    return list(_Search(text, _prepared(wanted)).matches()) if wanted else []


def holds(text: str, needle: Needle) -> bool:
    """Tell whether a needle stands in a text."""
    return next(_Search(text, _prepared((needle,))).matches(), None) is not None


def fold_line(line: str) -> str:
    """Fold a line of text; many lines of a text are ASCII even where it is not."""
    return line.lower() if line.isascii() else fold(line)


def likely_words(line: str, folded: str, anchors: Sequence[str]) -> list[Word]:
    """Return the words of a line that begin with an anchor, and perhaps others."""
    if not _is_plain(line, folded):
        return list(spans(line))
    found: dict[int, int] = {}
    for anchor in anchors:
        at = folded.find(anchor)
        while at >= 0:
            if not at or not folded[at - 1].isalnum():
                found[at] = _REST.match(folded, at).end()  # type: ignore[union-attr]  # it always matches
            at = folded.find(anchor, at + 1)
    return [(folded[at:end], at, end) for at, end in sorted(found.items())]


def word_at(folded: str, at: int) -> str:
    """Return the letters and digits that stand from here on in folded ASCII text."""
    return _REST.match(folded, at)[0]  # type: ignore[index]  # it always matches


def is_plain_at(folded: str, at: int, end: int) -> bool:
    """Tell whether what stands here in ASCII text is certainly a word: it is in no data embedded in the text."""
    begin = max(folded.rfind(" ", 0, at), folded.rfind("\n", 0, at)) + 1
    ends = [found for mark in " \n" if (found := folded.find(mark, end)) >= 0]
    behind = min(ends, default=len(folded))
    return behind - begin < _DATA and "data:" not in folded[begin:behind]


def _wanted(query: Query) -> Iterator[Needle]:
    match query:
        case Term(text, prefix):
            words = tuple(tokens(text))
            if words:
                yield Needle(words, prefix=prefix)
        case Phrase(text):
            words = tuple(tokens(text))
            if words:
                yield Needle(words, exact=True)
        case Within(place, part) if place not in _NAMES:
            yield from _wanted(part)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _wanted(part)
        case _:
            return


class _Wanted:
    """Needles, and which of them each word that was met can begin: the same words come in every text."""

    def __init__(self, wanted: Needles) -> None:
        self.needles = wanted
        self.anchors = tuple(dict.fromkeys(needle.anchor for needle in wanted))
        self._known: dict[str, tuple[int, ...]] = {}

    def beginning_at(self, word: str) -> tuple[int, ...]:
        found = self._known.get(word)
        if found is None:
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            found = tuple(n for n, needle in enumerate(self.needles) if needle.begins_at(word))
            self._known[word] = found
        return found


_prepared = lru_cache(maxsize=_PREPARED)(_Wanted)


class _Search:
    """One look for needles in one text."""

    def __init__(self, text: str, wanted: _Wanted) -> None:
        self._lines = text.split("\n")
        self._starts = [0, *accumulate(len(line) + 1 for line in self._lines)]
        self._wanted = wanted
        self._words: dict[int, list[Word]] = {}

    def matches(self) -> Iterator[Match]:
        """Go through all matches; one word stands in one line, so lines without its letters are passed by."""
        wanted, anchors = self._wanted, self._wanted.anchors
        for number, line in enumerate(self._lines):
            folded = line.lower() if line.isascii() else fold(line)
            for anchor in anchors:
                if anchor in folded:
                    break
            else:
                continue
            begin = self._starts[number]
            for word, start, end in likely_words(line, folded, anchors):
                for n in wanted.beginning_at(word):
                    needle = wanted.needles[n]
                    last = begin + end if len(needle.words) == 1 else self._end(needle, number, folded, (start, end))
                    if last is not None:
                        yield Match(n, begin + start, last)

    def _end(self, needle: Needle, number: int, folded: str, first: tuple[int, int]) -> int | None:
        """Return where the last word of a needle ends if its words follow on the first, which stands there."""
        if _is_plain(self._lines[number], folded):
            # Most words are followed by others in the same line: then one look is enough.
            following = _ASCII_WORD.search(folded, first[1])
            if following and not following[0].startswith(needle.words[1]):
                return None
        begin, count = self._starts[number] + first[0], len(needle.words) - 1
        behind = list(islice(self._words_behind(number, begin), count))
        return behind[-1][2] if needle.goes_on([word for word, _, _ in behind]) else None

    def _words_behind(self, number: int, begin: int) -> Iterator[Word]:
        yield from (word for word in self._words_of(number) if word[1] > begin)
        for later in range(number + 1, len(self._lines)):
            yield from self._words_of(later)

    def _words_of(self, number: int) -> list[Word]:
        found = self._words.get(number)
        if found is None:
            line, begin = self._lines[number], self._starts[number]
            folded = fold_line(line)
            if _is_plain(line, folded):
                found = [(w[0], begin + w.start(), begin + w.end()) for w in _ASCII_WORD.finditer(folded)]
            else:
                found = [(word, begin + start, begin + end) for word, start, end in spans(line)]
            self._words[number] = found
        return found


def _is_plain(line: str, folded: str) -> bool:
    """Tell whether the words of a line are its runs of letters and digits, each where it stands when folded."""
    if not line.isascii() or "data:" in folded:
        return False
    return len(line) < _DATA or max(map(len, line.split()), default=0) < _DATA
