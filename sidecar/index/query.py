"""Our query language: one grammar for what users of Basic Memory type and for Obsidian's operators (S1-S11)."""

import re
from collections.abc import Callable, Collection, Sequence

from sidecar.index.analysis import tokens
from sidecar.index.lexemes import Kind, Lexeme, lexemes_of, value_lexemes
from sidecar.model.search import (
    And,
    Compares,
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

__all__ = ["parse_query", "relaxed"]

_DEEPEST = 40
_SHORTEST_PREFIX = 2

_APOSTROPHE_AT_EDGE = re.compile(r"'\s|\s'")
_NOTHING = re.compile(r'[\s*"()]*')
_BOUND = re.compile(r"([<>]=?)\s*(\S.*)", re.DOTALL)
_TEXT_PLACES = frozenset(Place) - {Place.FILE, Place.NAME, Place.PATH, Place.TAG}
_TASKS = frozenset({Place.TASK, Place.TASK_TODO, Place.TASK_DONE})
_CASE = {"match-case": True, "ignore-case": False}
_WORDS_OF_VALUES: dict[str, bool | None] = {"null": None, "EMPTY": None, "TRUE": True, "FALSE": False}


def parse_query(text: str, property_names: Collection[str] = ()) -> Query:
    """Read a query; whatever it is, it means something, and nothing is raised.

    Words stand together unless ``OR`` is between them; ``AND``, ``OR`` and ``NOT`` count in capitals only. ``-x`` and
    ``NOT x`` exclude, parentheses group, quotes make a phrase, ``/x/`` is a regular expression (not checked here),
    ``word*`` is a beginning, as is the last bare word. An operator such as ``tag:`` or ``line:`` applies to the word,
    phrase, expression or group behind it; ``[name:value]`` is a condition on a property, and so is ``name:value`` for
    each of ``property_names``.
    """
    text = text.strip()
    if _is_single_quoted(text):
        return Phrase(text[1:-1].strip())
    names = {name.casefold() for name in property_names}
    return _Parser(lexemes_of(text, names)).query() or _plain(text)


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


def _joined(kind: "Callable[[tuple[Query, ...]], Query]", parts: "Sequence[Query]") -> Query | None:
    if len(parts) > 1:
        return kind(tuple(parts))
    return parts[0] if parts else None


class _Parser:
    """Descends through the lexemes: OR binds loosest, then standing together, then NOT (S2, S3).

    What a word, phrase or expression means depends on the operator it stands behind: ``make`` knows.
    """

    def __init__(
        self, lexemes: list[Lexeme], make: "Callable[[Lexeme, bool], Query | None] | None" = None, *, case: bool = False
    ) -> None:
        self._lexemes = lexemes
        self._make = make or self._searched
        self._case = case
        self._at = 0
        self._depth = 0
        self._negated = 0

    def query(self) -> Query | None:
        parts: list[Query] = []
        while self._peek() is not None:
            part = self._either()
            if part is not None:
                parts.append(part)
            self._take(Kind.CLOSE)  # one too many
        return _joined(And, parts)

    def _either(self) -> Query | None:
        parts: list[Query] = []
        while True:
            part = self._together()
            if part is not None:
                parts.append(part)
            if not self._take(Kind.OR):
                return _joined(Or, parts)

    def _together(self) -> Query | None:
        parts: list[Query] = []
        explicit = False
        while self._peek() not in {None, Kind.OR, Kind.CLOSE}:
            if self._take(Kind.AND):
                explicit = True
                continue
            part = self._operand()
            if part is not None:
                parts.append(part)
        return _joined(lambda all_parts: And(all_parts, explicit), parts)

    def _operand(self) -> Query | None:
        negations = 0
        while self._take(Kind.NOT):
            negations += 1
        self._negated += negations
        part = self._atom()
        self._negated -= negations
        return Not(part) if part is not None and negations % 2 else part

    def _atom(self) -> Query | None:
        if self._peek() in {None, Kind.AND, Kind.OR, Kind.CLOSE}:
            return None
        lexeme = self._lexemes[self._at]
        self._at += 1
        match lexeme.kind:
            case Kind.OPEN:
                return self._deeper(self._group)
            case Kind.NAME:
                return self._deeper(lambda: self._named(lexeme.text))
            case Kind.PROPERTY:
                return _property(lexeme, case=self._case)
            case _:
                return self._make(lexeme, self._case)

    def _deeper(self, parse: Callable[[], Query | None]) -> Query | None:
        if self._depth == _DEEPEST:
            return None
        self._depth += 1
        part = parse()
        self._depth -= 1
        return part

    def _group(self) -> Query | None:
        part = self._either()
        self._take(Kind.CLOSE)
        return part

    def _named(self, name: str) -> Query | None:
        operator = name.casefold()
        outer = self._make, self._case
        place = Place(operator) if operator in _TEXT_PLACES else None
        if place is not None:
            self._make = _word_of_text
        elif operator in _CASE:
            self._case = _CASE[operator]
        else:
            self._make = _MAKERS.get(operator) or _value_maker(name)
        all_of_them = place in _TASKS and self._takes_nothing()
        part = Everything() if all_of_them else self._atom()
        self._make, self._case = outer
        return Within(place, part) if place is not None and part is not None else part

    def _takes_nothing(self) -> bool:
        """Step over ``""``, which stands for whatever there is (S9)."""
        nothing = self._peek() is Kind.PHRASE and not self._lexemes[self._at].text
        self._at += nothing
        return nothing

    def _searched(self, lexeme: Lexeme, case: bool) -> Query | None:
        """Read what stands behind no operator; what the index cannot know of is looked up in the text."""
        if lexeme.kind is Kind.WORD and lexeme.last and not case:
            words = tokens(lexeme.text.rstrip("*"))
            if words and not self._negated and len(words[-1]) >= _SHORTEST_PREFIX:
                return Term(lexeme.text.rstrip("*"), prefix=True)
        part = _word_of_text(lexeme, case)
        return Within(Place.FILE, part) if part is not None and (case or isinstance(part, Matches)) else part

    def _peek(self) -> Kind | None:
        return self._lexemes[self._at].kind if self._at < len(self._lexemes) else None

    def _take(self, kind: Kind) -> bool:
        found = self._peek() is kind
        self._at += found
        return found


def _word_of_text(lexeme: Lexeme, case: bool) -> Term | Phrase | Matches | None:
    match lexeme.kind:
        case Kind.REGEX:
            return Matches(lexeme.text, case)
        case Kind.PHRASE:
            return Phrase(lexeme.text, case) if tokens(lexeme.text) else None
        case _:
            text = lexeme.text.rstrip("*")
            return Term(text, prefix=text != lexeme.text, case=case) if tokens(text) else None


def _tag(lexeme: Lexeme, case: bool) -> Query | None:
    if lexeme.kind is Kind.REGEX:
        return Within(Place.TAG, Matches(lexeme.text, case))
    tag = lexeme.text.strip().lstrip("#").rstrip("/")
    return TagIs(tag) if tag else None


def _path(lexeme: Lexeme, case: bool) -> Query | None:
    if lexeme.kind is Kind.REGEX:
        return Within(Place.PATH, Matches(lexeme.text, case))
    text = lexeme.text.strip("*")
    if not text:
        return None
    return Within(Place.PATH, Phrase(text, case=True)) if case else PathHas(text)


def _name(lexeme: Lexeme, case: bool) -> Query | None:
    if lexeme.kind is Kind.REGEX:
        return Within(Place.NAME, Matches(lexeme.text, case))
    text = lexeme.text.strip("*")
    return Within(Place.NAME, Phrase(text, case)) if text else None


_MAKERS: "dict[str, Callable[[Lexeme, bool], Query | None]]" = {"tag": _tag, "path": _path, "file": _name}


def _property(lexeme: Lexeme, *, case: bool) -> Query:
    there_is = PropertyHas(lexeme.text, Everything())
    if lexeme.value is None:
        return there_is
    value = _Parser(value_lexemes(lexeme.value), _value_maker(lexeme.text), case=case).query()
    if value is None:
        return there_is
    # Without one the notes that lack the property would do for [name:-value] too.
    return And((there_is, value)) if _excludes(value) else value


def _excludes(query: Query) -> bool:
    match query:
        case And(parts) | Or(parts):
            return any(_excludes(part) for part in parts)
        case _:
            return isinstance(query, Not)


def _value_maker(name: str) -> "Callable[[Lexeme, bool], Query | None]":
    def make(lexeme: Lexeme, case: bool) -> Query | None:
        if lexeme.kind is Kind.REGEX:
            return PropertyHas(name, Matches(lexeme.text, case))
        if lexeme.kind is Kind.PHRASE:
            return PropertyHas(name, Phrase(lexeme.text, case=True)) if case else PropertyIs(name, lexeme.text)
        if lexeme.text in _WORDS_OF_VALUES:
            return PropertyIs(name, _WORDS_OF_VALUES[lexeme.text])
        if bound := _BOUND.fullmatch(lexeme.text):
            return PropertyHas(name, Compares(bound[1], bound[2].strip()))
        text = lexeme.text.rstrip("*")
        if text != lexeme.text or case:
            return PropertyHas(name, Term(text, prefix=text != lexeme.text, case=case)) if text else None
        return PropertyIs(name, text)

    return make
