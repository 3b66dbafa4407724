"""Conditions on the text itself, asked of one file at a time: the second face of a query (S5-S10)."""

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from sidecar.index.document import Document, Piece
from sidecar.index.pieces import Span
from sidecar.index.regex import Patience, compile_regex
from sidecar.index.values import is_check, value_check
from sidecar.index.words import Words, anchor_of, word_check
from sidecar.model.search import (
    And,
    Everything,
    Matches,
    Not,
    Or,
    PathHas,
    Phrase,
    Place,
    PropertyHas,
    PropertyIs,
    Query,
    TagIs,
    Term,
    Within,
)
from sidecar.parse.inline import read_inline
from sidecar.parse.scanner import scan

__all__ = ["TextCheck", "both", "name_check", "spot", "text_check", "widened"]


_NAMES = frozenset({Place.NAME, Place.PATH, Place.TAG})
_OF_THE_FILE = _NAMES | {Place.FILE}


TextCheck: TypeAlias = Callable[[Piece], "Span | None"]
"""Tells whether a condition holds in a piece, by where: what met it, or else the whole piece."""


def text_check(query: Query, patience: Patience) -> TextCheck:
    """Prepare a condition; ask it of ``document.whole``.

    The check raises ``OutOfTime`` when its regular expressions have taken all of ``patience``.

    Raises:
        Invalid: when a regular expression is none.

    """
    check: TextCheck
    match query:
        case Term() | Phrase():
            check = _if_holds(word_check(query))
        case Matches(pattern, case):
            check = _expression(pattern, patience, case=case)
        case And(parts):
            check = _all([text_check(part, patience) for part in parts])
        case Or(parts):
            check = _any([text_check(part, patience) for part in parts])
        case Not(part):
            unwanted = text_check(part, patience)
            check = _if_holds(lambda piece: unwanted(piece) is None)
        case Within(place, part) if place in _OF_THE_FILE:
            check = _of_file(place, part, patience)
        case Within(place, part):
            check = _within(place, part, patience)
        case _:
            check = _if_holds(_condition(query, patience))
    return check


def name_check(query: Query, patience: Patience) -> Callable[[str], bool]:
    """Prepare a condition on a name or path; words count anywhere in it, also inside of words.

    Raises:
        Invalid: when a regular expression is none.

    """
    match query:
        case Matches(pattern, case):
            expression = compile_regex(pattern, patience, case=case)
            return lambda name: expression.span(name) is not None
        case Term(text=text, case=case) | Phrase(text, case):
            wanted = unicodedata.normalize("NFC", text)
            return (lambda name: wanted in name) if case else (lambda name: wanted.lower() in name.lower())
        case _:
            raise TypeError(f"no name can be asked for {type(query).__name__}")


def spot(query: Query, document: Document, patience: Patience) -> Span | None:
    """Return where in a document the first condition on its text is met that the query holds and does not exclude."""
    match query:
        case And(parts) | Or(parts):
            return next((found for part in parts if (found := spot(part, document, patience))), None)
        case Within(place) if place not in _NAMES and place is not Place.CONTENT:
            found = text_check(query, patience)(document.whole)
            return None if found == document.whole.span else found
        case _:
            return None


def widened(query: Query) -> Query:
    """Return what the index can be asked for to get every file whose text may meet the query, and perhaps others."""
    match query:
        case Term(text, prefix):
            return Term(text, prefix)
        case Phrase(text):
            return Phrase(text)
        case And(parts):
            return both(*map(widened, parts))
        case Or(parts):
            wider = tuple(map(widened, parts))
            return Everything() if Everything() in wider else Or(wider)
        case Within(place, part) if place not in _NAMES:
            return widened(part)
        case _:
            return Everything()


def both(*parts: Query) -> Query:
    """Return the query that all of these meet, without those that everything meets."""
    said = tuple(part for part in parts if part != Everything())
    return And(said) if len(said) > 1 else said[0] if said else Everything()


def _within(place: Place, part: Query, patience: Patience) -> TextCheck:
    check = text_check(part, patience)
    anchors = sorted(dict.fromkeys(_anchors(part)), key=len, reverse=True)

    def first(piece: Piece) -> Span | None:
        return next((found for inner in piece.inner(place, anchors) if (found := check(inner))), None)

    return first


def _of_file(place: Place, part: Query, patience: Patience) -> TextCheck:
    if place is Place.FILE:
        check, fits = text_check(part, patience), _path_check(part, patience)
        return lambda piece: check(piece.document.whole) or (piece.span if fits(piece.document.path) else None)
    fits = name_check(part, patience)
    if place is Place.TAG:
        return _if_holds(lambda piece: any(map(fits, _tags(piece))))
    if place is Place.NAME:
        return _if_holds(lambda piece: fits(piece.document.path.name))
    return _if_holds(lambda piece: fits(piece.document.path))


def _path_check(query: Query, patience: Patience) -> Callable[[str], bool]:
    """Prepare what a bare word or expression asks of a path: unlike behind ``path:``, words are whole (S1)."""
    if isinstance(query, Term | Phrase):
        holds = word_check(query)
        return lambda path: holds(Words(path))
    return name_check(query, patience)


def _condition(query: Query, patience: Patience) -> Callable[[Piece], bool]:
    match query:
        case Everything():
            return lambda _: True
        case PathHas(text):
            fits = name_check(Phrase(text), patience)
            return lambda piece: fits(piece.document.path)
        case TagIs(tag):
            key = tag.lower()
            return lambda piece: any(f"{name.lower()}/".startswith(f"{key}/") for name in _tags(piece))
        case PropertyHas(name, _) | PropertyIs(name, _):
            meets = value_check(query.query, patience) if isinstance(query, PropertyHas) else is_check(query.value)
            return lambda piece: any(map(meets, piece.document.values_of(name)))
        case _:
            raise TypeError(f"no text can be asked for {type(query).__name__}")


def _anchors(query: Query) -> Iterator[str]:
    """Go through letters that every text must hold in which the query is met."""
    match query:
        case Term() | Phrase():
            yield anchor_of(query)
        case And(parts):
            for part in parts:
                yield from _anchors(part)
        case Within(Place.LINE | Place.BLOCK | Place.SECTION | Place.TASK | Place.TASK_TODO | Place.TASK_DONE, part):
            yield from _anchors(part)
        case _:
            return


def _tags(piece: Piece) -> list[str]:
    return [tag.name for tag in read_inline(piece.text, scan(piece.text)).tags]


def _expression(pattern: str, patience: Patience, *, case: bool) -> TextCheck:
    expression = compile_regex(pattern, patience, case=case)

    def check(piece: Piece) -> Span | None:
        found = expression.span(piece.text)
        return (piece.start + found[0], piece.start + found[1]) if found else None

    return check


def _if_holds(check: "Callable[[Piece], bool]") -> TextCheck:
    return lambda piece: piece.span if check(piece) else None


def _all(checks: "Sequence[TextCheck]") -> TextCheck:
    def check(piece: Piece) -> Span | None:
        best = piece.span
        for part in checks:
            found = part(piece)
            if found is None:
                return None
            best = min(best, found, key=lambda span: span[1] - span[0])
        return best

    return check


def _any(checks: "Sequence[TextCheck]") -> TextCheck:
    return lambda piece: next((found for part in checks if (found := part(piece))), None)
