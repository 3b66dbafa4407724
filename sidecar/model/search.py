"""A search as a value: the query's tree, the filter beside it, and what comes back."""

from dataclasses import dataclass
from typing import TypeAlias

from sidecar.model.note import FileKind, Json
from sidecar.model.path import VaultPath

__all__ = [
    "And",
    "Everything",
    "Hit",
    "Hits",
    "Leaf",
    "Not",
    "Or",
    "PathHas",
    "Phrase",
    "PropertyIs",
    "Query",
    "SearchFilter",
    "SearchRequest",
    "TagIs",
    "Term",
]


@dataclass(frozen=True, slots=True)
class Term:
    """One word of text; with ``prefix`` every word that begins so."""

    text: str
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that follow one another (S4)."""

    text: str


@dataclass(frozen=True, slots=True)
class TagIs:
    """Notes with this tag or one nested below it (S7); the name without ``#``."""

    tag: str


@dataclass(frozen=True, slots=True)
class PathHas:
    """Files whose path contains this text (S6)."""

    text: str


@dataclass(frozen=True, slots=True)
class PropertyIs:
    """Notes whose property has this value, or holds it in its list; names compare without case."""

    name: str
    value: Json


@dataclass(frozen=True, slots=True)
class And:
    parts: tuple["Query", ...]
    explicit: bool = False
    """Written with the word AND, so that it is never loosened."""


@dataclass(frozen=True, slots=True)
class Or:
    parts: tuple["Query", ...]


@dataclass(frozen=True, slots=True)
class Not:
    part: "Query"


@dataclass(frozen=True, slots=True)
class Everything:
    """No condition on the text."""


Leaf: TypeAlias = TagIs | PathHas | PropertyIs
"""Conditions that the catalog answers, not the index."""

Query: TypeAlias = Term | Phrase | Leaf | And | Or | Not | Everything


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """Conditions that hold for every result; all must be met."""

    folder: VaultPath | None = None
    leaves: tuple[Leaf, ...] = ()
    kinds: frozenset[FileKind] | None = None
    modified_after_ns: int | None = None


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What to find: the query, its filter, and which page of the ranking."""

    query: Query
    filter: SearchFilter = SearchFilter()
    titles_only: bool = False
    offset: int = 0
    limit: int = 10


@dataclass(frozen=True, slots=True)
class Hit:
    """One file of the ranking; higher scores are better."""

    path: VaultPath
    score: float


@dataclass(frozen=True, slots=True)
class Hits:
    """One page of the ranking and how many files match in all."""

    hits: tuple[Hit, ...]
    total: int
