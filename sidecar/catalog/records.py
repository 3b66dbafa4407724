"""What the catalog answers: a note without its text, a link with its place and target."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sidecar.model.file import FileState
from sidecar.model.note import FileKind, Heading, Json, Link, LinkKind, PropertyProblem, Tag
from sidecar.model.path import VaultPath

__all__ = ["LinkAt", "LinkEnd", "NamedFile", "NoteRecord", "ResolvedLink"]


@dataclass(frozen=True, slots=True)
class NoteRecord:
    """All about one file but its text."""

    path: VaultPath
    kind: FileKind
    state: FileState
    title: str
    permalink: str | None
    """Its own, else the one computed from the path; ``None`` for an attachment."""
    properties: Mapping[str, Json]
    problem: PropertyProblem | None
    aliases: tuple[str, ...]
    tags: tuple[Tag, ...]
    headings: tuple[Heading, ...]
    link_count: int
    task_count: int
    observation_count: int
    relation_count: int


class NamedFile(NamedTuple):
    """A file under all names that a person may give it, for suggestions."""

    path: VaultPath
    title: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LinkAt:
    """A link and the file that holds it."""

    source: VaultPath
    link: Link


class LinkEnd(NamedTuple):
    """A link by its place in the file that holds it, and where it leads."""

    source: VaultPath
    n: int
    """Its number among the links of that file, from 0."""
    kind: LinkKind
    target: VaultPath | None


@dataclass(frozen=True, slots=True)
class ResolvedLink:
    """A link and where it leads; several ``candidates`` mean that Obsidian may choose any of them (R9)."""

    link: Link
    target: VaultPath | None
    candidates: tuple[VaultPath, ...]
