"""A search as a value: the query's tree, the filter beside it, and what comes back."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from sidecar.model.note import FileKind, Json
from sidecar.model.path import VaultPath

__all__ = [
    "And",
    "Compares",
    "Everything",
    "HasTask",
    "Hit",
    "Hits",
    "Leaf",
    "Matches",
    "Not",
    "OneOf",
    "Or",
    "Passage",
    "PathHas",
    "Phrase",
    "Place",
    "PropertyHas",
    "PropertyIs",
    "Query",
    "SearchFilter",
    "SearchRequest",
    "TagIs",
    "Term",
    "TextCondition",
    "Within",
]


@dataclass(frozen=True, slots=True)
class Term:
    """One word of text; with ``prefix`` every word that begins so, with ``case`` only as it is spelled (S10)."""

    text: str
    prefix: bool = False
    case: bool = False


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that follow one another (S4); with ``case`` as they are spelled (S10)."""

    text: str
    case: bool = False


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


@dataclass(frozen=True, slots=True)
class HasTask:
    """Notes with a task: any, or only such as are done, or as are not (S9)."""

    done: bool | None = None


@dataclass(frozen=True, slots=True)
class OneOf:
    """These very files: what a condition on their text came to."""

    paths: frozenset[VaultPath]


Leaf: TypeAlias = TagIs | PathHas | PropertyIs | HasTask | OneOf
"""Conditions that the catalog answers, not the index."""


@dataclass(frozen=True, slots=True)
class Matches:
    """Text that a regular expression of JavaScript's kind matches (S5)."""

    pattern: str
    case: bool = False


@dataclass(frozen=True, slots=True)
class Compares:
    """Values of a property below or above a bound (S11)."""

    sign: str
    """``<``, ``>``, ``<=`` or ``>=``."""
    bound: str


class Place(StrEnum):
    """What of a file a condition looks at; of lines, blocks, sections and tasks one must meet all of it (S5-S9)."""

    FILE = "file"
    """Its path, or all of its text."""
    NAME = "name"
    PATH = "path"
    TAG = "tag"
    CONTENT = "content"
    """Its text without the properties."""
    LINE = "line"
    BLOCK = "block"
    SECTION = "section"
    TASK = "task"
    TASK_TODO = "task-todo"
    TASK_DONE = "task-done"


@dataclass(frozen=True, slots=True)
class Within:
    """Files that have such a place in which the query holds."""

    place: Place
    query: "Query"


@dataclass(frozen=True, slots=True)
class PropertyHas:
    """Notes with a property of this name, one of whose values meets the query (S11)."""

    name: str
    query: "Term | Phrase | Matches | Compares | Everything"


TextCondition: TypeAlias = Within | PropertyHas | Matches | Compares
"""Conditions that neither index nor catalog can answer: the files' own text must be read, or their properties."""

Query: TypeAlias = Term | Phrase | Leaf | TextCondition | And | Or | Not | Everything


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """Conditions that hold for every result; all must be met."""

    folder: VaultPath | None = None
    leaves: tuple[Leaf, ...] = ()
    kinds: frozenset[FileKind] | None = None
    modified_after_ns: int | None = None
    include_excluded: bool = False
    """Also files that the user excluded in Obsidian (A13)."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What to find: the query, its filter, and which page of the ranking."""

    query: Query
    filter: SearchFilter = SearchFilter()
    titles_only: bool = False
    offset: int = 0
    limit: int = 10
    body_only: bool = False


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
    unchecked: int = 0
    """Files that the index does not show as they are, and that there was no time to read; they may match too."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a file whose meaning is near to a question's."""

    path: VaultPath
    similarity: float
    """Cosine, at most 1."""
    line: int
    """The file's line where the passage begins, from 1; 0 in a canvas."""
    heading: str | None = None
