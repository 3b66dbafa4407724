"""Whether the value of a property meets a condition (S11)."""

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

from sidecar.index.analysis import fold
from sidecar.index.regex import Patience, compile_regex
from sidecar.index.words import Words, word_check
from sidecar.model.note import Json
from sidecar.model.search import Compares, Everything, Matches, Phrase, Term

__all__ = ["ValueCheck", "is_check", "value_check"]

ValueCheck: TypeAlias = Callable[[Json], bool]

_NUMBER = re.compile(r"\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?\s*", re.ASCII)


def value_check(query: Term | Phrase | Matches | Compares | Everything, patience: Patience) -> ValueCheck:
    """Return what tells whether a value, or one of the values in a list, meets the condition.

    Raises:
        Invalid: when a regular expression is none.

    """
    match query:
        case Everything():
            return lambda _: True
        case Term() | Phrase():
            holds = word_check(query)
            return lambda value: any(holds(Words(text)) for text in _texts(value))
        case Matches(pattern, case):
            expression = compile_regex(pattern, patience, case=case)
            return lambda value: any(expression.span(text) is not None for text in _texts(value))
        case Compares(sign, bound):
            return _comparison(sign, bound)


def is_check(wanted: Json) -> ValueCheck:
    """Return what tells whether a value is this one, or holds it in its list or, where it is text, among its words."""
    if wanted is None:
        return lambda value: value is None
    if not isinstance(wanted, str):
        return lambda value: value == wanted or (isinstance(value, list) and wanted in value)
    key, holds = fold(wanted), word_check(Phrase(wanted))
    return lambda value: any(fold(text) == key or holds(Words(text)) for text in _texts(value))


def _comparison(sign: str, bound: str) -> ValueCheck:
    """Numbers compare with numbers, all else by its letters, which is right for dates."""
    number = _number(bound)
    folded = fold(bound)

    def check(value: Json) -> bool:
        if isinstance(value, list):
            return any(map(check, value))
        if isinstance(value, bool | dict) or value is None:
            return False
        if number is not None:
            counted = _number(value)
            return counted is not None and _stands(sign, (counted > number) - (counted < number))
        text = fold(str(value))
        return _stands(sign, (text > folded) - (text < folded))

    return check


def _stands(sign: str, order: int) -> bool:
    return (order < 0 and sign[0] == "<") or (order > 0 and sign[0] == ">") or (order == 0 and sign.endswith("="))


def _number(value: str | float) -> float | None:
    if isinstance(value, str):
        return float(value) if _NUMBER.fullmatch(value) else None
    return value


def _texts(value: Json) -> Iterator[str]:
    match value:
        case None:
            return
        case bool():
            yield str(value).lower()
        case list():
            for item in value:
                yield from _texts(item)
        case dict():
            for item in value.values():
                yield from _texts(item)
        case _:
            yield str(value)
