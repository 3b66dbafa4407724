"""Search the vault: understand what is asked, rank by words, by meaning or by name, and show a page of the ranking."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sidecar.index.query import parse_query
from sidecar.model.path import VaultPath
from sidecar.model.ports import Nearest, SearchIndex
from sidecar.model.search import Leaf, OneOf, PropertyIs, Query, SearchFilter, TagIs
from sidecar.services.asked import Asked, Plan, RowKind, SearchType, plan_of
from sidecar.services.caller import Caller
from sidecar.services.fact_search import FactSearch
from sidecar.services.file_order import FileOrder, ordered
from sidecar.services.lexical import Lexical, Sought
from sidecar.services.metadata_filters import notes_meeting
from sidecar.services.nearness import Nearness, fused, is_plain
from sidecar.services.permalinks import rank_permalinks
from sidecar.services.rankings import KEPT, Cursor, Ranked, Ranking, Rankings
from sidecar.services.results import Found, SearchResults, Showing
from sidecar.services.threads import Threads
from sidecar.services.views import View, Views
from sidecar.vault.files import VaultFiles

__all__ = ["Asked", "Found", "Search", "SearchResults"]

_ALL = 1 << 30


@dataclass(frozen=True, slots=True)
class _Prepared:
    """All that is known of a search before anything is looked up: read in one go, as each change of threads costs."""

    plan: Plan
    view: View
    conditions: SearchFilter
    query: Query
    kind: SearchType | None


@dataclass(frozen=True, slots=True)
class Seen:
    """A ranking and the view in which it is to be shown."""

    ranking: Ranking
    view: View


class Search:
    """Finds notes, canvases and bases, and the facts in them, by text, meaning, names, tags and properties."""

    def __init__(
        self,
        index: SearchIndex,
        views: Views,
        files: VaultFiles,
        threads: Threads,
        rebuild: Callable[[], object],
        *,
        project: str = "",
        nearest: Nearest | None = None,
    ) -> None:
        self._views = views
        self._files = files
        self._threads = threads
        self._project = project
        self._lexical = Lexical(index, files, threads, rebuild)
        self._facts = FactSearch(self._lexical, threads)
        self._nearness = Nearness(nearest, self._lexical, threads)
        self._rankings = Rankings()

    async def find(self, caller: Caller, *, query: str, page_size: int = 10) -> SearchResults:
        """Show the first page of what a query finds; raises as :meth:`answer` does."""
        return await self.answer(caller, Asked(query, page_size=page_size))

    async def answer(self, caller: Caller, asked: Asked) -> SearchResults:
        """Rank what matches and show one page; what only meets conditions stands newest first.

        When there is nothing, words that stand nowhere are corrected (C21), and when several plain words are nowhere
        together, any of them counts. What the user excluded in Obsidian is left out unless it is asked for (A13).
        ``cursor`` comes from a page of the same search and wins over ``page``. Search by meaning that cannot be had is
        one by words, and the results say why.

        Raises:
            Invalid: when there is nothing to search for, a parameter or regular expression is none, or the cursor is
                another's.
            Unavailable: when the index turned out damaged; it is being made anew then.

        """
        prepared = await self._threads.read(self._asked, caller, asked)
        search = Rankings.name_of(caller.audience, asked.what)
        at = Cursor.read(asked.cursor, search) if asked.cursor else None
        first = at.offset if at else (asked.page - 1) * asked.page_size
        view = prepared.view
        state = Rankings.name_of(view.snapshot.generation)
        ranking = self._rankings.of(at) if at else None
        moved = ranking is None and at is not None and at.state != state
        if ranking is not None and at is not None:
            state = at.state
        else:
            ranking = await self._ranking(prepared, max(KEPT, first + asked.page_size))
            self._rankings.keep(search, state, ranking)
        rows = ranking.rows[first : first + asked.page_size]
        more = first + asked.page_size < ranking.total
        return SearchResults(
            query=asked.query or "",
            results=await self.show(Seen(ranking, view), rows, asked.context_lines),
            total=ranking.total,
            page=first // asked.page_size + 1,
            page_size=asked.page_size,
            used=ranking.used,
            unmeant=ranking.unmeant,
            relaxed=ranking.relaxed,
            corrected=ranking.corrected,
            unchecked=ranking.unchecked,
            has_more=more,
            next=str(Cursor(search, state, first + asked.page_size)) if more else None,
            moved=moved,
        )

    async def rank(self, caller: Caller, plan: Plan, limit: int) -> Seen:
        """Rank what matches without showing it, for one ranking made of several; raises as ``answer`` does."""
        prepared = await self._threads.read(self._prepared, caller, plan)
        return Seen(await self._ranking(prepared, limit), prepared.view)

    async def show(self, seen: Seen, rows: Sequence[Ranked], context_lines: int) -> tuple[Found, ...]:
        """Show rows of a ranking; what is gone by now, or private, is left out."""
        showing = Showing(seen.ranking.query, self._files, seen.view, context_lines)
        return await self._threads.read(showing.of, rows)

    def _asked(self, caller: Caller, asked: Asked) -> _Prepared:
        return self._prepared(caller, plan_of(asked, time.time_ns()))

    def _prepared(self, caller: Caller, plan: Plan) -> _Prepared:
        view = self._views.newest(caller.audience)
        query = parse_query(plan.text, view.property_names())
        kind = plan.kind
        if kind is None and is_plain(query) and RowKind.ENTITY in plan.rows and self._nearness.is_ready():
            kind = SearchType.HYBRID
        return _Prepared(plan, view, _filter(plan, view), query, kind)

    async def _ranking(self, prepared: _Prepared, limit: int) -> Ranking:
        plan, view = prepared.plan, prepared.view
        titles_only = plan.kind is SearchType.TITLE
        sought = Sought(view, prepared.conditions, limit if plan.order is None else _ALL, titles_only)
        if plan.kind is SearchType.PERMALINK:
            among = await self._threads.read(view.allowed, prepared.conditions)
            ranking = await self._threads.read(rank_permalinks, view, plan, among, self._project, sought.limit)
        else:
            ranking = await self._of_query(prepared, sought)
        if plan.order is None:
            return ranking
        return replace(ranking, rows=await self._threads.read(_in_order, ranking.rows, view, plan.order))

    async def _of_query(self, prepared: _Prepared, sought: Sought) -> Ranking:
        plan, query = prepared.plan, prepared.query
        facts = plan.rows - {RowKind.ENTITY}
        if not facts:
            return await self._of_files(prepared, sought)
        of_facts = await self._facts.rank(plan, query, sought)
        if plan.kind in (SearchType.SEMANTIC, SearchType.HYBRID):
            of_facts = replace(of_facts, unmeant="observations and relations are found by their words")
        if RowKind.ENTITY not in plan.rows:
            return of_facts
        of_files = await self._of_files(prepared, sought)
        rows = fused([of_files.rows, of_facts.rows])
        return replace(
            of_files,
            rows=rows[: sought.limit],
            total=of_files.total + of_facts.total,
            relaxed=of_files.relaxed and of_facts.relaxed,
            unchecked=of_files.unchecked + of_facts.unchecked,
            unmeant=of_files.unmeant or of_facts.unmeant,
        )

    async def _of_files(self, prepared: _Prepared, sought: Sought) -> Ranking:
        plan, query, kind = prepared.plan, prepared.query, prepared.kind
        if kind in (SearchType.SEMANTIC, SearchType.HYBRID):
            return await self._nearness.rank(kind, query, plan.text, sought, plan.min_similarity)
        return await self._lexical.rank(query, plan.text, sought)


def _filter(plan: Plan, view: View) -> SearchFilter:
    leaves: list[Leaf] = [TagIs(tag) for tag in plan.tags]
    leaves += [OneOf(notes_meeting(view, condition)) for condition in plan.conditions]
    if plan.note_types:
        typed = (view.matching(PropertyIs("type", name)) for name in plan.note_types)
        leaves.append(OneOf(frozenset[VaultPath]().union(*typed)))
    return SearchFilter(leaves=tuple(leaves), modified_after_ns=plan.after_ns, include_excluded=plan.include_excluded)


def _in_order(rows: Sequence[Ranked], view: View, order: FileOrder) -> tuple[Ranked, ...]:
    """Order rows by their files; those of one file stay as they are."""
    places = {path: place for place, path in enumerate(ordered(view, {row.path for row in rows}, order))}
    return tuple(sorted(rows, key=lambda row: places[row.path]))
