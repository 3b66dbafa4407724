"""Words near a word that nobody wrote: what a typing error may have stood for (C21)."""

from collections.abc import Callable, Collection, Iterable
from string import ascii_lowercase

from sidecar.index.analysis import tokens
from sidecar.model.search import And, Or, Place, Query, Term, Within

__all__ = ["corrected", "near_words"]

_MOST_GUESSES = 8
_NAMES = frozenset({Place.NAME, Place.PATH, Place.TAG})

_SHORTEST = 4
_SHORTEST_WITH_TWO = 8


def corrected(
    query: Query, written: str, count: Callable[[Term], int], words_beginning: Callable[[str], Collection[str]]
) -> tuple[Query, dict[str, str]]:
    """Put near words in the place of words that stand nowhere; return the query, and which word became which.

    ``count`` tells how many files a word finds: of several near words the one that finds most is taken, and none that
    finds nothing. Phrases, what is excluded, and words ``written`` with a star are left as they are.
    """
    became: dict[str, str] = {}

    def correct(part: Query) -> Query:
        match part:
            case Term(text, case=False):
                words = tokens(text)
                unknown = len(words) == 1 and f"{text}*" not in written and not count(part)
                better = _better(words[0], count, words_beginning) if unknown else None
                if better is None:
                    return part
                became[text] = better
                return Term(better, part.prefix)
            case And(parts, explicit):
                return And(tuple(map(correct, parts)), explicit)
            case Or(parts):
                return Or(tuple(map(correct, parts)))
            case Within(place, inner) if place not in _NAMES:
                return Within(place, correct(inner))
            case _:
                return part

    return correct(query), became


def _better(word: str, count: Callable[[Term], int], words_beginning: Callable[[str], Collection[str]]) -> str | None:
    counts = {near: count(Term(near)) for near in near_words(word, words_beginning)[:_MOST_GUESSES]}
    best = max(counts, key=counts.__getitem__, default=None)
    return best if best is not None and counts[best] else None


def near_words(word: str, words_beginning: Callable[[str], Collection[str]]) -> tuple[str, ...]:
    """Return the words nearest to ``word``, in alphabetical order.

    One error is allowed from four letters on, two from eight: a letter too many, too few or wrong, or two neighbours in
    the wrong order. ``words_beginning`` gives the words that begin with some letters. The first letter is rarely the
    wrong one, so where it is, it must be the only error.
    """
    allowed = 0 if len(word) < _SHORTEST or not word.isalpha() else 1 if len(word) < _SHORTEST_WITH_TWO else 2
    if not allowed:
        return ()
    return (
        _nearest(word, words_beginning(word[0]), allowed)
        or _nearest(word, words_beginning(word[1] + word[0]), allowed)
        or tuple(guess for guess in _with_other_first_letter(word) if guess in words_beginning(guess))
    )


def _with_other_first_letter(word: str) -> list[str]:
    others = {letter + rest for letter in ascii_lowercase for rest in (word, word[1:])}
    return sorted((others | {word[1:]}) - {word})


def _nearest(word: str, words: Iterable[str], allowed: int) -> tuple[str, ...]:
    letters = set(word)
    shortest, longest = len(word) - allowed, len(word) + allowed
    likely = [w for w in words if shortest <= len(w) <= longest and len(letters.symmetric_difference(w)) <= 2 * allowed]
    found: dict[int, list[str]] = {}
    for other in likely:
        errors = _errors(word, other, allowed)
        if 0 < errors <= allowed and other.isalpha():
            found.setdefault(errors, []).append(other)
    return tuple(sorted(found[min(found)])) if found else ()


def _errors(one: str, other: str, allowed: int) -> int:
    """Count the errors between two words, at least ``allowed + 1`` when there are more than allowed."""
    too_many = allowed + 1
    width = len(other)
    before = [too_many] * (width + 2)
    row = [min(j, too_many) for j in range(width + 2)]
    for i, letter in enumerate(one, 1):
        earlier, before = before, row
        # Further from the diagonal there are more errors than allowed.
        first, last = max(i - allowed, 1), min(i + allowed, width)
        row = [too_many] * (width + 2)
        if i <= allowed:
            row[0] = i
        fewest = too_many
        for j in range(first, last + 1):
            against = other[j - 1]
            cost = before[j - 1] + (letter != against)
            if row[j - 1] < cost:
                cost = row[j - 1] + 1
            if before[j] < cost:
                cost = before[j] + 1
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == against and earlier[j - 2] < cost:
                cost = earlier[j - 2] + 1
            row[j] = cost
            fewest = min(fewest, cost)
        if fewest > allowed:
            return too_many
    return row[width]
