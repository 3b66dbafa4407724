"""Where a file is mentioned: by a link, or by one of its names; as it is found, and as it is shown."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from sidecar.model.note import FileKind, Link, LinkKind, kind_of
from sidecar.model.path import VaultPath

__all__ = ["ID_OF_PATH", "Direction", "Mention", "MentionKind", "Spot", "link_spot", "mention_kind", "path_id"]

ID_OF_PATH = 6
"""How many digits of an id tell the file."""
_ID_OF_PLACE = 10


class Direction(StrEnum):
    """Which links are asked for."""

    BACKLINKS = "backlinks"
    OUTGOING = "outgoing"
    MENTIONS = "mentions"
    UNRESOLVED = "unresolved"
    ALL = "all"
    HUBS = "hubs"
    ORPHANS = "orphans"


class MentionKind(StrEnum):
    """Where a mention stands."""

    BODY = "body"
    EMBED = "embed"
    PROPERTY = "property"
    CANVAS = "canvas"
    BASE = "base"


_KINDS = {
    LinkKind.EMBED: MentionKind.EMBED,
    LinkKind.MARKDOWN_EMBED: MentionKind.EMBED,
    LinkKind.PROPERTY: MentionKind.PROPERTY,
    LinkKind.CANVAS_FILE: MentionKind.CANVAS,
    LinkKind.CANVAS_TEXT: MentionKind.CANVAS,
}


class Spot(NamedTuple):
    """A mention as it is found, before the text around it is read."""

    # Before the fields, one of which takes the name of the decorator.
    @property
    def id(self) -> str:
        """A name for this very place in this very version of the file; it begins with :func:`path_id`."""
        said = repr((self.source, self.card, self.line, self.start, self.written, self.hash))
        return path_id(self.source) + hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:_ID_OF_PLACE]

    source: VaultPath
    target: VaultPath | None
    """``None`` for a link that leads nowhere."""
    direction: Direction
    """``backlinks``, ``outgoing`` or ``mentions``: how it belongs to what was asked for."""
    kind: MentionKind
    line: int
    start: int
    """Offset in the source's text; in a canvas, in the card's."""
    written: str
    hash: str
    """Checksum of the source in which it stands there."""
    linkpath: str = ""
    """Where a link leads as it is written; that of a canvas card is rooted, for it means nothing else."""
    subpath: str = ""
    display: str | None = None
    """What a link shows, or the alias by which a note is named."""
    heading: str | None = None
    """The heading a link stands under; that of a name is read with the text around it."""
    property: str | None = None
    card: str | None = None
    in_table: bool = False


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention as it is shown. Lines and columns count from 1, offsets are code points.

    In a canvas, ``line`` is that of the card in the file, ``column`` is in the line of the card's text, and
    ``card_text`` is how that text begins.
    """

    id: str
    path: VaultPath
    title: str
    target: VaultPath | None
    direction: Direction
    kind: MentionKind
    line: int
    column: int
    context: str
    """The line it stands in, or the part of it around the mention."""
    start: int
    """Where in ``context`` it begins, and below where it ends."""
    end: int
    as_written: str
    modified_ns: int
    created_ns: int
    subpath: str = ""
    alias: str | None = None
    """What a link shows, or the alias by which the note is named."""
    heading: str | None = None
    property: str | None = None
    card: str | None = None
    card_text: str | None = None
    creates: VaultPath | None = None
    """The file that following a link would make, which leads nowhere yet (R17)."""
    hidden: bool = False
    """Agents may not know of the file it stands in."""


def path_id(path: VaultPath) -> str:
    """Return the digits with which the ids of a file's mentions begin."""
    return hashlib.sha256(path.encode("utf-8", "surrogatepass")).hexdigest()[:ID_OF_PATH]


def mention_kind(source: VaultPath, kind: LinkKind) -> MentionKind:
    """Return the kind of mention that a link in this file is."""
    return MentionKind.BASE if kind_of(source) is FileKind.BASE else _KINDS.get(kind, MentionKind.BODY)


def link_spot(source: VaultPath, link: Link, target: VaultPath | None, direction: Direction, checksum: str) -> Spot:
    """Return a link as a mention of where it leads."""
    is_rooted = link.kind is LinkKind.CANVAS_FILE and not link.linkpath.startswith("/")
    return Spot(
        source=source,
        target=target,
        direction=direction,
        kind=mention_kind(source, link.kind),
        line=link.line,
        start=link.start,
        written=link.raw,
        hash=checksum,
        linkpath=f"/{link.linkpath}" if is_rooted else link.linkpath,
        subpath=link.subpath,
        display=link.display,
        heading=link.heading,
        property=link.property,
        card=link.card,
    )
