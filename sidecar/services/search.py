"""Search the vault: parse, rank, and cut an excerpt of each hit."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sidecar.catalog.permalink import permalink_of
from sidecar.errors import Invalid, Unavailable
from sidecar.index.query import parse_query, relaxed
from sidecar.index.typo import corrected
from sidecar.model.path import VaultPath
from sidecar.model.ports import SearchIndex
from sidecar.model.search import (
    And,
    Hit,
    Hits,
    Leaf,
    Or,
    Phrase,
    PropertyIs,
    Query,
    SearchFilter,
    SearchRequest,
    TagIs,
    Term,
)
from sidecar.services.caller import Caller
from sidecar.services.conditions import Conditions, newest_first
from sidecar.services.excerpts import Excerpt, Excerpts
from sidecar.services.rankings import KEPT, Cursor, Ranking, Rankings
from sidecar.services.threads import Threads
from sidecar.services.views import View, Views
from sidecar.vault.files import VaultFiles

__all__ = ["Excerpt", "Found", "Search", "SearchResults"]

_LARGEST_PAGE = 100
_ALL = 1 << 30


@dataclass(frozen=True, slots=True)
class Found:
    """One file of the results; no ``score`` where only conditions were given, no ``excerpt`` where no text matched."""

    path: VaultPath
    title: str
    permalink: str
    score: float | None
    excerpt: Excerpt | None


@dataclass(frozen=True, slots=True)
class SearchResults:
    """One page of results."""

    query: str
    results: tuple[Found, ...]
    total: int
    page: int
    page_size: int
    relaxed: bool = False
    """No file had all words, so that any of them counts."""
    corrected: Mapping[str, str] = field(default_factory=dict)
    """Words that stand nowhere, and what was searched for instead."""
    unchecked: int = 0
    """Files that there was no time to look at; there may be more results."""
    next: str | None = None
    """The cursor of the page behind this one."""
    moved: bool = False
    """The vault changed since the page before, so that a result may be missing or come twice."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A search before its words: what else holds for every result, and how many are wanted."""

    filter: SearchFilter
    types: tuple[str, ...]
    titles_only: bool
    limit: int

    def request(self, query: Query) -> SearchRequest:
        if self.types:
            query = And((query, Or(tuple(PropertyIs("type", name) for name in self.types))))
        return SearchRequest(query, self.filter, self.titles_only, limit=self.limit)


class Search:
    """Finds notes, canvases and bases by their text, names, tags and properties."""

    def __init__(
        self, index: SearchIndex, views: Views, files: VaultFiles, threads: Threads, rebuild: Callable[[], object]
    ) -> None:
        self._index = index
        self._views = views
        self._files = files
        self._threads = threads
        self._rebuild = rebuild
        self._rankings = Rankings()

    async def find(
        self,
        caller: Caller,
        *,
        query: str | None,
        page: int = 1,
        page_size: int = 10,
        titles_only: bool = False,
        tags: Sequence[str] = (),
        note_types: Sequence[str] = (),
        status: str | None = None,
        include_excluded: bool = False,
        cursor: str | None = None,
    ) -> SearchResults:
        """Rank what matches; what only meets conditions stands in the order of its last change, newest first.

        When there is nothing, words that stand nowhere are corrected (C21), and when several plain words are nowhere
        together, any of them counts. What the user excluded in Obsidian is left out unless it is asked for (A13).
        ``cursor`` comes from a page of the same search and wins over ``page``.

        Raises:
            Invalid: when there is nothing to search for, a regular expression is none, or the cursor is another's.
            Unavailable: when the index turned out damaged; it is being made anew then.

        """
        filters = _filter(tags, status, include_excluded=include_excluded)
        if not (query and query.strip()) and not filters.leaves and not note_types:
            raise Invalid("There is nothing to search for.", hint="Give a query, tags or status.")
        if not 1 <= page_size <= _LARGEST_PAGE:
            raise Invalid(f"page_size is {page_size}; it goes from 1 to {_LARGEST_PAGE}.")
        search = Rankings.name_of(caller.audience, query, titles_only, filters, tuple(note_types))
        at = Cursor.read(cursor, search) if cursor else None
        first = at.offset if at else (page - 1) * page_size
        view = await self._threads.read(self._views.newest, caller.audience)
        state = Rankings.name_of(view.snapshot.generation)
        ranking = self._rankings.of(at) if at else None
        moved = ranking is None and at is not None and at.state != state
        if ranking is not None and at is not None:
            state = at.state
        else:
            asked = _Asked(filters, tuple(note_types), titles_only, max(KEPT, first + page_size))
            ranking = await self._ranking(query or "", asked, view)
            self._rankings.keep(search, state, ranking)
        more = first + page_size < ranking.total
        return SearchResults(
            query=query or "",
            results=await self._threads.read(self._found, ranking.hits[first : first + page_size], ranking.query, view),
            total=ranking.total,
            page=first // page_size + 1,
            page_size=page_size,
            relaxed=ranking.relaxed,
            corrected=ranking.corrected,
            unchecked=ranking.unchecked,
            next=str(Cursor(search, state, first + page_size)) if more else None,
            moved=moved,
        )

    async def _ranking(self, text: str, asked: _Asked, view: View) -> Ranking:
        conditions = Conditions(
            view, asked.filter, self._files, self._threads, self._search, titles_only=asked.titles_only
        )

        async def rank(query: Query) -> Ranking:
            answer = await conditions.answer(query)
            hits = await self._threads.search(self._rank, asked.request(answer), view)
            return Ranking(query, hits.hits, hits.total, unchecked=conditions.unchecked)

        query = parse_query(text, await self._threads.read(view.property_names))
        strict = await rank(query)
        if strict.total:
            return strict
        better, became = await self._threads.search(self._corrected, query, text, asked, conditions, view)
        if became and (found := await rank(better)).total:
            return replace(found, corrected=became)
        wider = relaxed(better)
        if wider is not None and (found := await rank(wider)).total:
            return replace(found, relaxed=True, corrected=became)
        return replace(strict, unchecked=conditions.unchecked)

    def _search(self, request: SearchRequest, view: View) -> Hits:
        try:
            return self._index.search(request, view)
        except Unavailable:
            self._rebuild()
            raise

    def _rank(self, request: SearchRequest, view: View) -> Hits:
        if _has_words(request.query):
            return self._search(request, view)
        hits = self._search(replace(request, limit=_ALL), view)
        paths = newest_first([hit.path for hit in hits.hits], view)[: request.limit]
        return Hits(tuple(Hit(path, 0.0) for path in paths), hits.total)

    def _corrected(
        self, query: Query, text: str, asked: _Asked, conditions: Conditions, view: View
    ) -> tuple[Query, Mapping[str, str]]:
        # Counted are only files the caller may find: a word of theirs gives nothing away.
        anywhere = SearchFilter(include_excluded=asked.filter.include_excluded)

        def count(term: Term) -> int:
            request = SearchRequest(conditions.or_in_path(term), anywhere, asked.titles_only, limit=1)
            return self._search(request, view).total

        return corrected(query, text, count, self._index.vocabulary)

    def _found(self, hits: Sequence[Hit], query: Query, view: View) -> tuple[Found, ...]:
        # A ranking that was kept may name files that are gone by now, or private.
        there = [hit for hit in hits if view.state(hit.path) is not None]
        excerpts = Excerpts(query, self._files, view)
        titles = view.titles_of([hit.path for hit in there])
        return tuple(
            Found(
                path=hit.path,
                title=titles.get(hit.path, hit.path.basename),
                permalink=permalink_of(hit.path),
                score=hit.score or None,
                excerpt=excerpts.of(hit.path),
            )
            for hit in there
        )


def _filter(tags: Sequence[str], status: str | None, *, include_excluded: bool) -> SearchFilter:
    leaves: list[Leaf] = [TagIs(tag.strip().lstrip("#")) for tag in tags if tag.strip(" #")]
    if status:
        leaves.append(PropertyIs("status", status))
    return SearchFilter(leaves=tuple(leaves), include_excluded=include_excluded)


def _has_words(query: Query) -> bool:
    """Tell whether the index can say how well a file matches."""
    match query:
        case And(parts) | Or(parts):
            return any(map(_has_words, parts))
        case _:
            return isinstance(query, Term | Phrase)
