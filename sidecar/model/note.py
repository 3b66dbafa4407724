"""What one file of the vault says: the values that parsing makes and the catalog keeps.

Lines count from 1. Offsets are code points in the file's decoded text (BOM dropped, line breaks as they are on disk).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from sidecar.model.path import VaultPath

__all__ = [
    "BlockId",
    "Card",
    "FileKind",
    "Heading",
    "Json",
    "Link",
    "LinkKind",
    "Observation",
    "ParsedFile",
    "PropertyProblem",
    "Relation",
    "Tag",
    "Task",
    "kind_of",
]

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


class FileKind(StrEnum):
    """How Obsidian treats a file (A4, A5)."""

    NOTE = "note"
    CANVAS = "canvas"
    BASE = "base"
    ATTACHMENT = "attachment"


_KINDS = {"md": FileKind.NOTE, "canvas": FileKind.CANVAS, "base": FileKind.BASE}


def kind_of(path: VaultPath) -> FileKind:
    """Tell the kind of a file from its extension."""
    return _KINDS.get(path.extension, FileKind.ATTACHMENT)


class LinkKind(StrEnum):
    """Where a link stands and how it is written."""

    WIKILINK = "wikilink"
    EMBED = "embed"
    MARKDOWN = "markdown"
    MARKDOWN_EMBED = "markdown_embed"
    PROPERTY = "property"
    CANVAS_FILE = "canvas_file"
    CANVAS_TEXT = "canvas_text"


@dataclass(frozen=True, slots=True)
class Link:
    """One internal link, decoded (B1-B21)."""

    kind: LinkKind
    raw: str
    """The link exactly as written, brackets included (for a canvas file card: the path)."""
    linkpath: str
    """Text before the first ``#``, percent-decoded; ``""`` for a link into the same file (B9)."""
    subpath: str
    """From the first ``#`` on, ``#`` included; ``""`` without one."""
    display: str | None
    line: int
    start: int
    """Offset of ``raw`` in the file's text; in a canvas, in the card's text."""
    heading: str | None = None
    """The heading it stands under."""
    property: str | None = None
    """Dotted key of the property that holds it (B21): ``up``, ``rel.0``."""
    card: str | None = None
    """Id of the canvas card that holds it."""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading with its raw text (B16)."""

    level: int
    text: str
    line: int
    start: int
    """Offset of the heading's first line."""
    end: int
    """Offset just behind its last line, line break included."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag without its ``#``, as written (T1-T8)."""

    name: str
    line: int
    in_property: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """A list item with a checkbox (B25)."""

    status: str
    """The one character between the brackets; a space means open."""
    text: str
    line: int
    parent: int | None = None
    """Line of the task or list item above it in the tree."""
    heading: str | None = None


@dataclass(frozen=True, slots=True)
class BlockId:
    """A block id without its ``^`` (B22)."""

    name: str
    line: int


@dataclass(frozen=True, slots=True)
class Observation:
    """A categorised fact: ``- [category] text #tag (context)``."""

    category: str
    content: str
    tags: tuple[str, ...]
    context: str | None
    line: int


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed link: ``- type [[Target]] (context)``."""

    type: str
    target: str
    """Link text of the target as written: path, subpath and display."""
    context: str | None
    line: int


@dataclass(frozen=True, slots=True)
class Card:
    """A text card or group label of a canvas, for search."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class PropertyProblem:
    """Why the properties cannot be read (Y3)."""

    message: str
    line: int
    """Line in the file."""


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """All that the catalog and the index need to know of one file."""

    path: VaultPath
    kind: FileKind
    title: str
    """The ``title`` property if it is text, else the basename."""
    body: str
    """Searchable text without the properties' block; cards of a canvas one paragraph each."""
    properties: Mapping[str, Json] = field(default_factory=dict)
    problem: PropertyProblem | None = None
    aliases: tuple[str, ...] = ()
    headings: tuple[Heading, ...] = ()
    tags: tuple[Tag, ...] = ()
    links: tuple[Link, ...] = ()
    tasks: tuple[Task, ...] = ()
    block_ids: tuple[BlockId, ...] = ()
    observations: tuple[Observation, ...] = ()
    relations: tuple[Relation, ...] = ()
    cards: tuple[Card, ...] = ()
    incomplete: str | None = None
    """Why not all that the file holds could be read, in words for the user."""
    text: str | None = field(default=None, compare=False, repr=False)
    """All of a note that is for searching, the properties' block too; ``None`` where it was not read."""
