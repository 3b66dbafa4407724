"""The paths and links that formulas of a ``.base`` file name, and words that may mean a file (contract M5, §8)."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

__all__ = ["Literal", "lines_naming", "literals_in", "rewrite_literals"]

_LITERAL = re.compile(
    r"""(?:\b(?P<call>[A-Za-z]\w*)\(\s*)?
    (?:(?P<quote>\\"|''|")(?P<text>[^"'\\\r\n]+)(?P=quote) | '(?P<plain>[^"'\\\r\n]+)'(?!'))""",
    re.VERBOSE,
)
"""A text in quotes, as YAML may have them too, and the name of the function it is the first argument of."""
_IN_FORMULA = frozenset("=<>!&|+(,[")
_QUOTES_AND_ESCAPES = frozenset("\"'\\\r\n")


@dataclass(frozen=True, slots=True)
class Literal:
    """A text in quotes inside a formula."""

    text: str
    call: str
    """The function it is the first argument of; ``""`` when it stands elsewhere in the formula."""


def rewrite_literals(text: str, new: Callable[[Literal], str]) -> str:
    """Return the base with the texts that ``new`` gives for those in its formulas.

    Whether a text in quotes is part of a formula is judged by what stands before it: names and labels are left alone,
    and so is what ``new`` would give quotes of its own.
    """

    def exchanged(found: re.Match[str]) -> str:
        before = text[: found.start()].rstrip()[-1:]
        if not found["call"] and before not in _IN_FORMULA:
            return found[0]
        group = "plain" if found["plain"] else "text"
        written = new(Literal(found[group], found["call"] or ""))
        if _QUOTES_AND_ESCAPES & set(written):
            return found[0]
        start, end = found.start(group) - found.start(), found.end(group) - found.start()
        return found[0][:start] + written + found[0][end:]

    return _LITERAL.sub(exchanged, text)


def literals_in(text: str) -> Iterator[tuple[Literal, int]]:
    """Go through the texts of a base's formulas that :func:`rewrite_literals` asks about, with where each begins."""
    for found in _LITERAL.finditer(text):
        if found["call"] or text[: found.start()].rstrip()[-1:] in _IN_FORMULA:
            group = "plain" if found["plain"] else "text"
            yield Literal(found[group], found["call"] or ""), found.start(group)


def lines_naming(text: str, words: Iterable[str]) -> tuple[int, ...]:
    """Return the lines in which one of the words stands by itself, in any case; lines count from 1."""
    wanted = "|".join(re.escape(word) for word in words if word)
    if not wanted:
        return ()
    pattern = re.compile(rf"(?<![\w/])(?:{wanted})(?!\w)", re.IGNORECASE)
    return tuple(number for number, line in enumerate(text.splitlines(), 1) if pattern.search(line))
