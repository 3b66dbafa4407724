"""The links of one file or of the whole vault, filtered and put in order before any text around them is read."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from sidecar.catalog.records import LinkEnd
from sidecar.model.note import Heading, Link
from sidecar.model.path import VaultPath
from sidecar.model.search import TagIs
from sidecar.parse.place import place_of
from sidecar.parse.scanner import headings_of
from sidecar.parse.subpath import heading_of_subpath
from sidecar.services.base_links import base_links
from sidecar.services.file_order import FileOrder, sort_keys
from sidecar.services.link_results import LinkQuery, MentionOrder
from sidecar.services.mention import Direction, MentionKind, Spot, link_spot, mention_kind
from sidecar.services.views import View

__all__ = [
    "Found",
    "Section",
    "among",
    "backlink_spots",
    "in_order",
    "kept",
    "outgoing_spots",
    "spots_at",
    "unresolved_spots",
    "vault_links",
]

Read: TypeAlias = Callable[[VaultPath], bytes]
Found: TypeAlias = Spot | LinkEnd
F = TypeVar("F", Spot, LinkEnd, Found)
_ORDERS = {
    MentionOrder.NAME: FileOrder.TITLE_ASC,
    MentionOrder.NAME_DESC: FileOrder.TITLE_DESC,
    MentionOrder.MODIFIED: FileOrder.UPDATED_DESC,
    MentionOrder.MODIFIED_ASC: FileOrder.UPDATED_ASC,
    MentionOrder.CREATED: FileOrder.CREATED_DESC,
    MentionOrder.CREATED_ASC: FileOrder.CREATED_ASC,
}


@dataclass(frozen=True, slots=True)
class Section:
    """A heading or block of a note, to which links lead and in which they stand."""

    start: int
    end: int
    block: str | None
    headings: tuple[Heading, ...]

    @classmethod
    def of(cls, text: str, name: str) -> "Section":
        """Find a section by its heading or ``^block``; raises as :func:`place_of` does."""
        start, end = place_of(text, name)
        block = name.strip().removeprefix("#")
        return cls(start, end, block[1:].strip().lower() if block.startswith("^") else None, headings_of(text))

    def is_meant_by(self, subpath: str) -> bool:
        """Tell whether a link with this subpath leads to this very section (B22, B23)."""
        if self.block is not None:
            return subpath.rpartition("#")[2].strip().lower() == f"^{self.block}"
        heading = heading_of_subpath(self.headings, subpath) if subpath else None
        return heading is not None and heading.start == self.start

    def holds(self, link: Link) -> bool:
        """Tell whether a link of the note stands in this section."""
        return self.start <= link.start < self.end


def backlink_spots(view: View, read: Read, target: VaultPath, section: Section | None) -> Iterator[Spot]:
    """Go through the links that lead to a file, or to one section of it; those in bases come last."""
    direction = Direction.BACKLINKS
    for at in view.backlinks(target):
        if section is None or section.is_meant_by(at.link.subpath):
            yield link_spot(at.source, at.link, target, direction, _hash(view, at.source))
    for base in view.bases:
        for link, meant in base_links(view, read, base):
            if meant == target and (section is None or section.is_meant_by(link.subpath)):
                yield link_spot(base, link, target, direction, _hash(view, base))


def outgoing_spots(view: View, read: Read, source: VaultPath, section: Section | None) -> Iterator[Spot]:
    """Go through the links that stand in a file, or in one section of it, wherever they lead."""
    links: Iterable[tuple[Link, VaultPath | None]] = ((found.link, found.target) for found in view.outgoing(source))
    if source.extension == "base":
        links = base_links(view, read, source)
    for link, target in links:
        if section is None or section.holds(link):
            yield link_spot(source, link, target, Direction.OUTGOING, _hash(view, source))


def unresolved_spots(view: View, read: Read) -> Iterator[Spot]:
    """Go through all links that lead nowhere (R10); those in bases come last."""
    for at in view.unresolved():
        yield link_spot(at.source, at.link, None, Direction.OUTGOING, _hash(view, at.source))
    for base in view.bases:
        for link, target in base_links(view, read, base):
            if target is None:
                yield link_spot(base, link, None, Direction.OUTGOING, _hash(view, base))


def vault_links(view: View, read: Read, direction: Direction) -> list[Found]:
    """Return all links of the vault: those that lead somewhere by target or by source, or all there are by source."""
    found: list[Found] = [end for end in view.link_ends() if end.target is not None or direction is Direction.ALL]
    for base in view.bases:
        for link, target in base_links(view, read, base):
            if target is not None or direction is Direction.ALL:
                found.append(link_spot(base, link, target, Direction.OUTGOING, _hash(view, base)))
    if direction is Direction.BACKLINKS:
        return sorted(found, key=lambda one: (one.target or "", *_place(one)))
    return sorted(found, key=_place)


def spots_at(view: View, found: Sequence[Found]) -> Iterator[Spot]:
    """Go through links of the vault, read whole."""
    ends = [one for one in found if isinstance(one, LinkEnd)]
    links = iter(view.links_at([(end.source, end.n) for end in ends]))
    for one in found:
        if isinstance(one, Spot):
            yield one
        elif at := next(links):
            yield link_spot(one.source, at.link, one.target, Direction.OUTGOING, _hash(view, one.source))


def among(view: View, query: LinkQuery) -> Callable[[VaultPath | None], bool]:
    """Return what tells whether a file is in the folder and has the tag that are asked for; no file is in neither."""
    folder = VaultPath.of(query.folder) if query.folder else VaultPath("")
    tagged = view.matching(TagIs(query.tag.strip().lstrip("#"))) if query.tag else None

    def is_wanted(path: VaultPath | None) -> bool:
        if path is None:
            return not folder and tagged is None
        return path.is_under(folder) and (tagged is None or path in tagged)

    return is_wanted


def kept(view: View, found: Iterable[F], query: LinkQuery, *, by_target: bool = False) -> list[F]:
    """Return what meets the filters; folder and tag are those of the file at the other end of the link."""
    kinds, is_wanted = frozenset(query.kinds), among(view, query)
    return [
        one
        for one in found
        if (not kinds or _kind(one) in kinds) and is_wanted(one.target if by_target else one.source)
    ]


def in_order(view: View, target: VaultPath, spots: Sequence[Spot], order: MentionOrder) -> list[Spot]:
    """Order mentions by the files they stand in; those of one file stay as they are."""
    counts = Counter(spot.source for spot in spots)
    if order is MentionOrder.RELEVANCE:
        linked = {found.target for found in view.outgoing(target)}
        files = view.snapshot.files
        modified = {path: files[path].mtime_ns if path in files else 0 for path in counts}
        ranked = sorted(counts, key=lambda path: (path not in linked, -counts[path], -modified[path], path))
    else:
        by = _ORDERS[order]
        keys: Mapping[VaultPath, str] | Mapping[VaultPath, float] = sort_keys(view, counts, by)
        ranked = sorted(sorted(counts), key=lambda path: keys[path], reverse=by.descends)
    rank = {path: number for number, path in enumerate(ranked)}
    return sorted(spots, key=lambda spot: rank[spot.source])


def _kind(one: Found) -> MentionKind:
    return one.kind if isinstance(one, Spot) else mention_kind(one.source, one.kind)


def _place(one: Found) -> tuple[VaultPath, int]:
    return one.source, one.start if isinstance(one, Spot) else one.n


def _hash(view: View, path: VaultPath) -> str:
    state = view.state(path)
    return state.hash if state else ""
