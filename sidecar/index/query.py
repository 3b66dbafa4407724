"""Our query language: one grammar for what users of Basic Memory type and for Obsidian's operators (S1-S7)."""

import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from enum import Enum, auto

from sidecar.index.analysis import tokens
from sidecar.model.search import And, Everything, Not, Or, PathHas, Phrase, PropertyIs, Query, TagIs, Term

__all__ = ["parse_query", "relaxed"]

_DEEPEST = 40
_SHORTEST_PREFIX = 2

_CURLY_QUOTES = str.maketrans("“”„‟", '""""')
_INNER = r'(?:\\.|[^"\\])'
_LEXEME = re.compile(
    rf"""
      (?P<open> \( )
    | (?P<close> \) )
    | ""(?P<doubled> {_INNER}+ )""?
    | "(?P<phrase> {_INNER}* )"
    | (?P<minus> -(?=[^\s\-)]) )
    | (?P<word> [^\s"()]+ (?: \( [^\s"()]* \) [^\s"()]* )* )
    | (?P<stray> \S )
    """,
    re.VERBOSE | re.DOTALL,
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_APOSTROPHE_AT_EDGE = re.compile(r"'\s|\s'")
_NOTHING = re.compile(r'[\s*"()]*')


class _Kind(Enum):
    OPEN = auto()
    CLOSE = auto()
    PHRASE = auto()
    WORD = auto()
    AND = auto()
    OR = auto()
    NOT = auto()
    NAME = auto()
    """``name:`` before what it applies to."""


_WORDS = {"AND": _Kind.AND, "OR": _Kind.OR, "NOT": _Kind.NOT}


@dataclass(frozen=True, slots=True)
class _Lexeme:
    kind: _Kind
    text: str
    last: bool = False


def parse_query(text: str, property_names: Collection[str] = ()) -> Query:
    """Read a query; whatever it is, it means something, and nothing is raised.

    Words stand together unless ``OR`` is between them; ``AND``, ``OR`` and ``NOT`` count in capitals only. ``-x`` and
    ``NOT x`` exclude, parentheses group, quotes make a phrase, ``word*`` is a beginning, as is the last bare word.
    ``tag:`` and ``path:`` are conditions, and so is ``name:value`` for each of ``property_names``.
    """
    text = text.strip()
    if _is_single_quoted(text):
        return Phrase(text[1:-1].strip())
    names = {name.casefold() for name in property_names}
    lexemes = list(_lexemes(text.translate(_CURLY_QUOTES), names))
    for i in reversed(range(len(lexemes))):
        if lexemes[i].kind not in {_Kind.OPEN, _Kind.CLOSE}:
            lexemes[i] = replace(lexemes[i], last=True)
            break
    return _Parser(lexemes).query() or _plain(text)


def relaxed(query: Query) -> Query | None:
    """Return the query that any one of the words satisfies, or ``None`` unless it is several plain words."""
    if isinstance(query, And) and not query.explicit and all(isinstance(part, Term) for part in query.parts):
        return Or(query.parts)
    return None


def _is_single_quoted(text: str) -> bool:
    inner = text[1:-1]
    quoted = text.startswith("'") and text.endswith("'")
    return quoted and bool(tokens(inner)) and not _APOSTROPHE_AT_EDGE.search(inner)


def _plain(text: str) -> Query:
    """Read operators without operands as the words they are."""
    if _NOTHING.fullmatch(text):
        return Everything()
    words = [Term(word) for word in text.split() if tokens(word)]
    return _joined(And, words) or Term(text)


def _joined(kind: "Callable[[tuple[Query, ...]], Query]", parts: "list[Query] | list[Term]") -> Query | None:
    if len(parts) > 1:
        return kind(tuple(parts))
    return parts[0] if parts else None


def _lexemes(text: str, property_names: set[str]) -> Iterator[_Lexeme]:
    for match in _LEXEME.finditer(text):
        found = match[0]
        match match.lastgroup:
            case "open":
                yield _Lexeme(_Kind.OPEN, found)
            case "close":
                yield _Lexeme(_Kind.CLOSE, found)
            case "minus":
                yield _Lexeme(_Kind.NOT, found)
            case "phrase" | "doubled" as group:
                yield _Lexeme(_Kind.PHRASE, _ESCAPED.sub(r"\1", match[group]))
            case "word" if found in _WORDS:
                yield _Lexeme(_WORDS[found], found)
            case "word":
                yield from _word_or_condition(found, text[match.end() : match.end() + 1], property_names)


def _word_or_condition(word: str, following: str, property_names: set[str]) -> Iterator[_Lexeme]:
    name, colon, value = word.partition(":")
    known = name.casefold() in {"tag", "path"} or name.casefold() in property_names
    if not (colon and known and (value or following in {'"', "("})):
        yield _Lexeme(_Kind.WORD, word)
        return
    yield _Lexeme(_Kind.NAME, name)
    if value:
        yield _Lexeme(_Kind.PHRASE, value)


class _Parser:
    """Descends through the lexemes: OR binds loosest, then standing together, then NOT (S2, S3)."""

    def __init__(self, lexemes: list[_Lexeme]) -> None:
        self._lexemes = lexemes
        self._at = 0
        self._depth = 0
        self._negated = 0
        self._name: str | None = None

    def query(self) -> Query | None:
        parts: list[Query] = []
        while self._peek() is not None:
            part = self._either()
            if part is not None:
                parts.append(part)
            self._take(_Kind.CLOSE)  # one too many
        return _joined(And, parts)

    def _either(self) -> Query | None:
        parts: list[Query] = []
        while True:
            part = self._together()
            if part is not None:
                parts.append(part)
            if not self._take(_Kind.OR):
                return _joined(Or, parts)

    def _together(self) -> Query | None:
        parts: list[Query] = []
        explicit = False
        while self._peek() not in {None, _Kind.OR, _Kind.CLOSE}:
            if self._take(_Kind.AND):
                explicit = True
                continue
            part = self._operand()
            if part is not None:
                parts.append(part)
        return _joined(lambda all_parts: And(all_parts, explicit), parts)

    def _operand(self) -> Query | None:
        negations = 0
        while self._take(_Kind.NOT):
            negations += 1
        self._negated += negations
        part = self._atom()
        self._negated -= negations
        return Not(part) if part is not None and negations % 2 else part

    def _atom(self) -> Query | None:
        if self._peek() in {None, _Kind.AND, _Kind.OR, _Kind.CLOSE}:
            return None
        lexeme = self._lexemes[self._at]
        self._at += 1
        match lexeme.kind:
            case _Kind.OPEN:
                return self._group()
            case _Kind.NAME:
                outer, self._name = self._name, lexeme.text
                part = self._atom()
                self._name = outer
                return part
            case _ if self._name is not None:
                return _condition(self._name, lexeme.text)
            case _Kind.PHRASE:
                return Phrase(lexeme.text) if tokens(lexeme.text) else None
            case _:
                return self._word(lexeme)

    def _group(self) -> Query | None:
        if self._depth == _DEEPEST:
            return None
        self._depth += 1
        part = self._either()
        self._take(_Kind.CLOSE)
        self._depth -= 1
        return part

    def _word(self, lexeme: _Lexeme) -> Query | None:
        text = lexeme.text.rstrip("*")
        words = tokens(text)
        if not words:
            return None
        typed = lexeme.last and not self._negated and len(words[-1]) >= _SHORTEST_PREFIX
        return Term(text, prefix=typed or text != lexeme.text)

    def _peek(self) -> _Kind | None:
        return self._lexemes[self._at].kind if self._at < len(self._lexemes) else None

    def _take(self, kind: _Kind) -> bool:
        found = self._peek() is kind
        self._at += found
        return found


def _condition(name: str, value: str) -> Query | None:
    match name.casefold():
        case "tag":
            tag = value.strip().lstrip("#").rstrip("/")
            return TagIs(tag) if tag else None
        case "path":
            text = value.strip("*")
            return PathHas(text) if text else None
        case _:
            return PropertyIs(name, value)
