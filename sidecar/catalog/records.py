"""What the catalog answers: a note without its text, a link with its place and target."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sidecar.model.file import FileState
from sidecar.model.note import FileKind, Heading, Json, Link, PropertyProblem, Tag
from sidecar.model.path import VaultPath

__all__ = ["LinkAt", "NamedFile", "NoteRecord", "ResolvedLink"]


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


@dataclass(frozen=True, slots=True)
class ResolvedLink:
    """A link and where it leads; several ``candidates`` mean that Obsidian may choose any of them (R9)."""

    link: Link
    target: VaultPath | None
    candidates: tuple[VaultPath, ...]
