"""What links to what: backlinks, links, unlinked mentions, neighbours, ways, hubs and orphans."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from sidecar.errors import Invalid, NotFound
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.parse.file import first_part
from sidecar.parse.text import read_text
from sidecar.services import link_spots
from sidecar.services.answers import Answers
from sidecar.services.caller import Audience, Caller
from sidecar.services.commit import Committer
from sidecar.services.link_graph import LinkGraph
from sidecar.services.link_notes import counted, hubs, orphans, reached, steps
from sidecar.services.link_results import LinkedNote, LinkPage, LinkQuery, LinkWay, NotePage
from sidecar.services.lookup import find_place
from sidecar.services.mention import Direction, Spot
from sidecar.services.mention_places import shown
from sidecar.services.mentions import Mentions
from sidecar.services.neighbours import around
from sidecar.services.per_view import PerView
from sidecar.services.rankings import Cursor, Rankings
from sidecar.services.threads import Threads
from sidecar.services.views import View, Views
from sidecar.vault.files import VaultFiles
from sidecar.vault.obsidian_settings import CurrentSettings

__all__ = ["Links"]

T = TypeVar("T")
_DEEPEST = 5
_FOLLOWED = frozenset({Direction.BACKLINKS, Direction.OUTGOING, Direction.ALL})
_OVERVIEWS = frozenset({Direction.HUBS, Direction.ORPHANS})


@dataclass(frozen=True, slots=True)
class _Target:
    """The file that was named, and the section of it."""

    view: View
    path: VaultPath
    name: str | None
    section: link_spots.Section | None


@dataclass(frozen=True, slots=True)
class _Page:
    """Where a page begins."""

    search: str
    state: str
    first: int
    limit: int
    moved: bool

    def of(self, items: Sequence[T]) -> Sequence[T]:
        return items[self.first : self.first + self.limit]

    def next(self, total: int) -> str | None:
        behind = self.first + self.limit
        return str(Cursor(self.search, self.state, behind)) if behind < total else None


class Links:
    """Answers what links to what."""

    def __init__(
        self,
        views: Views,
        files: VaultFiles,
        committer: Committer,
        threads: Threads,
        mentions: Mentions,
        settings: CurrentSettings,
        project: str,
    ) -> None:
        self._views = views
        self._files = files
        self._committer = committer
        self._threads = threads
        self._mentions = mentions
        self._settings = settings
        self._project = project
        self._graph = PerView[LinkGraph](lambda view, before: (before or LinkGraph({}, {})).at(view, files.reader()))
        self._hubs = PerView[Sequence[VaultPath]](lambda view, _: hubs(view, self._graph.of(view)))
        self._orphans = PerView[Sequence[VaultPath]](lambda view, _: orphans(view, self._graph.of(view)))
        self._answers = Answers[link_spots.Found]()

    def prepare(self) -> None:
        """Gather the links of the vault for agents: the first question about ways, hubs or neighbours takes that long.

        Raises:
            Invalid, Unavailable: when nobody can tell what agents may see.

        """
        self._graph.of(self._views.newest(Audience.AGENT))

    async def find(self, caller: Caller, query: LinkQuery) -> LinkPage | NotePage | LinkWay:
        """Return a page of mentions, or of files for hubs, orphans and a depth above 1, or a way where ``to`` is given.

        Without an identifier the whole vault is looked at. ``section`` may also stand behind the identifier, as in
        ``Note#Heading``: of backlinks only those that lead there count, of outgoing links those that stand in it.

        Raises:
            NotFound: when the note or the section is not there, with near names.
            Ambiguous: when the name or the heading fits more than once.
            Invalid: when parameters contradict one another, or the cursor is another's.
            Unavailable: when the index turned out damaged; it is being made anew then.

        """
        _check(query)
        if query.direction in _OVERVIEWS:
            return await self._threads.read(self._overview, caller, query)
        if query.identifier is None:
            return await self._threads.read(self._of_vault, caller, query)
        target = await self._threads.read(self._target, caller, query.identifier, query.section)
        if query.to is not None:
            return await self._threads.read(self._way, caller, target, query, query.to)
        if query.depth > 1:
            return await self._threads.read(self._around, target, query)
        named: Sequence[Spot] = ()
        if query.direction is Direction.MENTIONS or (query.direction is Direction.ALL and target.section is None):
            if target.section is not None:
                raise Invalid("An unlinked mention means the whole note.", hint="Leave out the section.")
            named = await self._mentions.of(target.view, target.path)
        return await self._threads.read(self._of_note, target, query, named)

    def _target(self, caller: Caller, identifier: str, section: str | None) -> _Target:
        view = self._views.newest(caller.audience)
        path, subpath = find_place(view, identifier, project=self._project, index_now=self._committer.index_now)
        view = self._views.newest(caller.audience)
        name = section or (subpath.strip("# ") and subpath) or None
        if kind_of(path) is not FileKind.NOTE:
            if name:
                raise Invalid(f"'{path}' has no sections.", hint="Leave out the section.")
            return _Target(view, path, None, None)
        text = read_text(first_part(self._files.read(path)))[0]
        if not view.sees_text(path, text):
            raise NotFound(f"There is no note '{identifier}'.", hint="Use search_notes to find it.")
        return _Target(view, path, name, link_spots.Section.of(text, name) if name else None)

    def _of_note(self, target: _Target, query: LinkQuery, named: Sequence[Spot]) -> LinkPage:
        view, page = target.view, _page(target.view, query)
        asked = (page.search, target.path, target.section)
        rows = self._answers.of(view, asked, lambda: self._rows_of_note(target, query, named))
        return self._link_page(view, query, target, rows, page)

    def _rows_of_note(self, target: _Target, query: LinkQuery, named: Sequence[Spot]) -> Sequence[link_spots.Found]:
        view, path, read = target.view, target.path, self._files.reader()
        rows: list[link_spots.Found] = []
        if query.direction in (Direction.BACKLINKS, Direction.ALL):
            found = link_spots.kept(view, link_spots.backlinks(view, read, path, target.section), query)
            rows += link_spots.in_order(view, path, found, query.order)
        rows += link_spots.in_order(view, path, link_spots.kept(view, named, query), query.order)
        if query.direction in (Direction.OUTGOING, Direction.UNRESOLVED, Direction.ALL):
            links = link_spots.outgoing_spots(view, read, path, target.section)
            if query.direction is Direction.UNRESOLVED:
                links = (spot for spot in links if spot.target is None)
            rows += link_spots.kept(view, links, query, by_target=query.direction is not Direction.UNRESOLVED)
        return rows

    def _of_vault(self, caller: Caller, query: LinkQuery) -> LinkPage:
        view = self._views.newest(caller.audience)
        page = _page(view, query)

        def find() -> Sequence[link_spots.Found]:
            return link_spots.kept(view, link_spots.vault_links(view, self._files.reader(), query.direction), query)

        return self._link_page(view, query, None, self._answers.of(view, page.search, find), page)

    def _link_page(
        self, view: View, query: LinkQuery, target: _Target | None, rows: Sequence[link_spots.Found], page: _Page
    ) -> LinkPage:
        direction = Direction.BACKLINKS if target is not None else Direction.OUTGOING
        spots = link_spots.spots_at(view, page.of(rows), direction)
        return LinkPage(
            target.path if target is not None else None,
            target.name if target is not None else None,
            query.direction,
            tuple(shown(view, self._files.reader(), spots, self._settings.now())),
            len(rows),
            len({row.source for row in rows}),
            view.snapshot.generation,
            page.next(len(rows)),
            page.moved,
        )

    def _overview(self, caller: Caller, query: LinkQuery) -> NotePage:
        view = self._views.newest(caller.audience)
        found = (self._hubs if query.direction is Direction.HUBS else self._orphans).of(view)
        wanted = link_spots.among(view, query)
        paths = [path for path in found if wanted(path)]
        page = _page(view, query)
        notes = tuple(counted(view, self._graph.of(view), page.of(paths)))
        return _notes(view, query, None, notes, len(paths), page)

    def _around(self, target: _Target, query: LinkQuery) -> NotePage:
        view, direction = target.view, query.direction
        forward, back = direction is not Direction.BACKLINKS, direction is not Direction.OUTGOING
        wanted = link_spots.among(view, query)
        graph = self._graph.of(view)

        def links(path: VaultPath) -> Iterator[tuple[VaultPath, VaultPath]]:
            return graph.links(path, forward=forward, back=back)

        found = [n for n in around(view, target.path, query.depth, links=links) if wanted(n.path)]
        page = _page(view, query)
        return _notes(view, query, target.path, tuple(reached(view, page.of(found))), len(found), page)

    def _way(self, caller: Caller, target: _Target, query: LinkQuery, to: str) -> LinkWay:
        goal = self._target(caller, to, None).path
        view = target.view
        back = query.direction is not Direction.OUTGOING
        graph = self._graph.of(view)
        way = graph.way(target.path, goal, back=back)
        found = steps(view, graph, way)
        return LinkWay(target.path, goal, query.direction, found, bool(way), view.snapshot.generation)


def _notes(
    view: View, query: LinkQuery, target: VaultPath | None, notes: tuple[LinkedNote, ...], total: int, page: _Page
) -> NotePage:
    return NotePage(
        target,
        query.direction,
        query.depth,
        notes,
        total,
        view.snapshot.generation,
        page.next(total),
        page.moved,
    )


def _page(view: View, query: LinkQuery) -> _Page:
    search = Rankings.name_of(view.audience, replace(query, cursor=None, limit=0))
    state = Rankings.name_of(view.snapshot.generation)
    at = Cursor.read(query.cursor, search) if query.cursor else None
    return _Page(search, state, at.offset if at else 0, query.limit, at is not None and at.state != state)


def _check(query: LinkQuery) -> None:
    if not 1 <= query.depth <= _DEEPEST:
        raise Invalid(f"depth is {query.depth}; it goes from 1 to {_DEEPEST}.")
    if query.identifier is None:
        if query.direction is Direction.MENTIONS:
            raise Invalid("Unlinked mentions are those of one note.", hint="Give the identifier of a note.")
        if query.section or query.to or query.depth > 1:
            raise Invalid("section, to and depth are about one note.", hint="Give the identifier of a note.")
        return
    if query.direction in _OVERVIEWS:
        raise Invalid(
            f"'{query.direction.value}' is about the whole vault.",
            hint="Leave out identifier; folder and tag narrow it.",
        )
    far = query.to is not None or query.depth > 1
    if far and query.direction not in _FOLLOWED:
        raise Invalid("to and depth follow links.", hint="Use direction backlinks, outgoing or all.")
    if far and (query.section or query.kinds):
        raise Invalid("to and depth are about whole files.", hint="Leave out section and kinds.")
