"""The links of one file or of the whole vault, filtered and put in order before any text around them is read."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from sidecar.catalog.graph import target_of
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
    "backlinks",
    "in_order",
    "kept",
    "outgoing_spots",
    "spots_at",
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


def backlinks(view: View, read: Read, target: VaultPath, section: Section | None) -> Iterator[Found]:
    """Go through the links that lead to a file, or to one section of it; those in bases come last."""
    if section is None:
        yield from view.ends_to(target)
    else:
        for at in view.backlinks(target):
            if section.is_meant_by(at.link.subpath):
                yield link_spot(at.source, at.link, target, Direction.BACKLINKS, _hash(view, at.source))
    for base in view.bases:
        for link, meant in base_links(view, read, base):
            if meant == target and (section is None or section.is_meant_by(link.subpath)):
                yield link_spot(base, link, target, Direction.BACKLINKS, _hash(view, base))


def outgoing_spots(view: View, read: Read, source: VaultPath, section: Section | None) -> Iterator[Spot]:
    """Go through the links that stand in a file, or in one section of it, wherever they lead."""
    links: Iterable[tuple[Link, VaultPath | None]] = ((found.link, found.target) for found in view.outgoing(source))
    if source.extension == "base":
        links = base_links(view, read, source)
    for link, target in links:
        if section is None or section.holds(link):
            yield link_spot(source, link, target, Direction.OUTGOING, _hash(view, source))


def vault_links(view: View, read: Read, direction: Direction) -> list[Found]:
    """Return links of the whole vault: all there are, those that lead nowhere (R10), or those that lead somewhere.

    They come by source and place, but ``backlinks`` by target first.
    """
    links, found = view.links_by_file(), list[Found]()
    for source in sorted([*links, *view.bases]):
        found += links[source] if source in links else _base_spots(view, read, source)
    if direction is Direction.UNRESOLVED:
        return [one for one in found if one.target is None]
    if direction is not Direction.ALL:
        found = [one for one in found if one.target is not None]
    if direction is Direction.BACKLINKS:
        found.sort(key=lambda one: one.target or "")
    return found


def _base_spots(view: View, read: Read, base: VaultPath) -> Iterator[Spot]:
    for link, target in base_links(view, read, base):
        yield link_spot(base, link, target, Direction.OUTGOING, _hash(view, base))


def spots_at(view: View, found: Sequence[Found], direction: Direction) -> Iterator[Spot]:
    """Go through links read whole, those known by their ends as links of this direction.

    What leads elsewhere by now is left out.
    """
    links = iter(view.links_at([(one.source, one.n) for one in found if isinstance(one, LinkEnd)]))
    for one in found:
        if isinstance(one, Spot):
            yield one
        elif (at := next(links)) and one.target in (None, target_of(at.link, one.source, view.snapshot).target):
            yield link_spot(one.source, at.link, one.target, direction, _hash(view, one.source))


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


def in_order(view: View, target: VaultPath, spots: Sequence[F], order: MentionOrder) -> list[F]:
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


def _hash(view: View, path: VaultPath) -> str:
    state = view.state(path)
    return state.hash if state else ""
