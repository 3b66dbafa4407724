"""What can be asked of links, and the answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from sidecar.model.path import VaultPath
from sidecar.services.mention import Direction, Mention, MentionKind

__all__ = ["LinkPage", "LinkQuery", "LinkWay", "LinkedNote", "MentionOrder", "NotePage", "Step"]


class MentionOrder(StrEnum):
    """The order of the files in which mentions stand; those of one file stay together."""

    RELEVANCE = "relevance"
    """Files that are linked in both directions first, then those with more mentions, then the newest."""
    NAME = "name"
    NAME_DESC = "name_desc"
    MODIFIED = "modified"
    MODIFIED_ASC = "modified_asc"
    CREATED = "created"
    CREATED_ASC = "created_asc"


@dataclass(frozen=True, slots=True)
class LinkQuery:
    """Which links are wanted; without ``identifier`` those of the whole vault."""

    identifier: str | None = None
    direction: Direction = Direction.BACKLINKS
    section: str | None = None
    kinds: Sequence[MentionKind] = ()
    folder: str | None = None
    tag: str | None = None
    depth: int = 1
    to: str | None = None
    limit: int = 50
    cursor: str | None = None
    order: MentionOrder = MentionOrder.RELEVANCE


@dataclass(frozen=True, slots=True)
class LinkPage:
    """One page of mentions. ``files`` counts the files they stand in, ``total`` all of them."""

    target: VaultPath | None
    section: str | None
    direction: Direction
    mentions: tuple[Mention, ...]
    total: int
    files: int
    generation: int
    next: str | None = None
    """The cursor of the page behind this one."""
    moved: bool = False
    """The vault changed since the page before, so that a mention may be missing or come twice."""


@dataclass(frozen=True, slots=True)
class LinkedNote:
    """A file by its links: how many files it leads to and is led to from.

    Of a neighbour also how far away it is, and the link that led to it: ``relation`` from ``source`` to ``target``.
    """

    path: VaultPath
    title: str
    modified_ns: int
    incoming: int | None = None
    outgoing: int | None = None
    hops: int | None = None
    relation: str | None = None
    source: VaultPath | None = None
    target: VaultPath | None = None
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class NotePage:
    """One page of files: the most linked, those nothing links to, or those around ``target``."""

    target: VaultPath | None
    direction: Direction
    depth: int
    notes: tuple[LinkedNote, ...]
    total: int
    generation: int
    next: str | None = None
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One link of a way: ``relation`` stands in ``source`` and leads to ``target``."""

    source: VaultPath
    target: VaultPath
    relation: str
    is_forward: bool
    """Whether the way follows the link as it leads, or from its target back."""


@dataclass(frozen=True, slots=True)
class LinkWay:
    """A shortest way along links from one file to another; no steps when there is none, or both are the same."""

    start: VaultPath
    goal: VaultPath
    direction: Direction
    steps: tuple[Step, ...]
    is_found: bool
    generation: int
