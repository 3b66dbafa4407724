"""The pieces a query is written in: words, phrases, regular expressions, operators and parentheses."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto

__all__ = ["OPERATORS", "Kind", "Lexeme", "lexemes_of", "value_lexemes"]

OPERATORS = frozenset(
    {
        "file",
        "path",
        "content",
        "tag",
        "line",
        "block",
        "section",
        "task",
        "task-todo",
        "task-done",
        "match-case",
        "ignore-case",
    }
)
_CASE_OPERATORS = frozenset({"match-case", "ignore-case"})

_CURLY_QUOTES = str.maketrans("“”„‟", '""""')
_INNER = r'(?:\\.|[^"\\])'
_REGEX = r"/(?=\S)(?P<regex>(?:\\.|\[(?:\\.|[^\]\\\n]){0,200}+\]|[^/\\\n])++)/(?:[gim]{1,3})?(?=[\s)\]]|$)"
"""It ends where a word could; ``/usr/bin`` is none. Flags say nothing that is not so anyway."""
_LEXEME = re.compile(
    rf"""
      (?P<open> \( )
    | (?P<close> \) )
    | (?P<empty> ""(?=[\s)]|$) )
    | ""(?P<doubled> {_INNER}+ )""?
    | "(?P<phrase> {_INNER}* )"
    | (?P<minus> -(?=[^\s\-)]) )
    | {_REGEX}
    | \[[ ]*(?: "(?P<quoted_property> {_INNER}+ )" | (?P<property> [^\s\[\]":]{{1}}[^\[\]":\n]*? ) )[ ]*
        (?: : (?P<value> (?: "{_INNER}*" | {_REGEX.replace("?P<regex>", "?:")} | [^\]"] ){{0,500}}+ ) )? \]
    | (?P<word> [^\s"()]+ (?: \( [^\s"()]* \) [^\s"()]* )* )
    | (?P<stray> \S )
    """,
    re.VERBOSE | re.DOTALL,
)
_NAME = re.compile(r'([^\s"():/\[\]]+):(?=[^\s)])')
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_BOUND = re.compile(r"\s*(?:(?:[<>]=?)\s*\S.*|-?\d[\d.,]*)", re.DOTALL)


class Kind(Enum):
    """What a lexeme is."""

    OPEN = auto()
    CLOSE = auto()
    PHRASE = auto()
    WORD = auto()
    REGEX = auto()
    AND = auto()
    OR = auto()
    NOT = auto()
    NAME = auto()
    """``name:`` before what it applies to."""
    PROPERTY = auto()
    """``[name]`` or ``[name:value]``."""


_WORDS = {"AND": Kind.AND, "OR": Kind.OR, "NOT": Kind.NOT}


@dataclass(frozen=True, slots=True)
class Lexeme:
    """One piece; ``value`` is what stands behind the colon of a property, ``None`` without a colon."""

    kind: Kind
    text: str
    value: str | None = None
    last: bool = False
    """It is the last of the query, so that a bare word may be unfinished."""


def lexemes_of(text: str, property_names: Collection[str] = ()) -> list[Lexeme]:
    """Split a query; ``name:`` counts where it is an operator or one of the properties, given in small letters."""
    found = list(_lexemes(text.translate(_CURLY_QUOTES), OPERATORS.union(property_names)))
    for i in reversed(range(len(found))):
        if found[i].kind not in {Kind.OPEN, Kind.CLOSE}:
            found[i] = replace(found[i], last=True)
            break
    return found


def value_lexemes(value: str) -> list[Lexeme]:
    """Split what stands behind the colon in ``[name:value]``; a bound or a negative number is one word."""
    if _BOUND.fullmatch(value) and " OR " not in value:
        return [Lexeme(Kind.WORD, value.strip())]
    return list(_lexemes(value, _CASE_OPERATORS))


def _lexemes(text: str, names: Collection[str]) -> Iterator[Lexeme]:
    at, known = 0, names
    while at < len(text):
        name = _NAME.match(text, at)
        if name and name[1].casefold() in known:
            yield Lexeme(Kind.NAME, name[1])
            # What stands right behind a name is its argument, colons and all.
            at, known = name.end(), names if name[1].casefold() in _CASE_OPERATORS else _CASE_OPERATORS
            continue
        known = names
        match = _LEXEME.match(text, at)
        if match is None:
            at += 1
            continue
        at = match.end()
        yield from _lexeme(match)


def _lexeme(match: re.Match[str]) -> Iterator[Lexeme]:
    found = match[0]
    if match["property"] or match["quoted_property"]:
        name = match["property"] or _ESCAPED.sub(r"\1", match["quoted_property"])
        yield Lexeme(Kind.PROPERTY, name.strip(), match["value"])
    elif match["regex"]:
        yield Lexeme(Kind.REGEX, match["regex"])
    else:
        match match.lastgroup:
            case "open":
                yield Lexeme(Kind.OPEN, found)
            case "close":
                yield Lexeme(Kind.CLOSE, found)
            case "minus":
                yield Lexeme(Kind.NOT, found)
            case "empty":
                yield Lexeme(Kind.PHRASE, "")
            case "phrase" | "doubled" as group:
                yield Lexeme(Kind.PHRASE, _ESCAPED.sub(r"\1", match[group]))
            case "word":
                yield Lexeme(_WORDS.get(found, Kind.WORD), found)
            case _:
                pass
