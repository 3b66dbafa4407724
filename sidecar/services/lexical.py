"""Search by words: strict first, then with misspelt words corrected, then with any of the words."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace

from sidecar.errors import Unavailable
from sidecar.index.query import relaxed
from sidecar.index.typo import corrected
from sidecar.model.path import VaultPath
from sidecar.model.ports import SearchIndex
from sidecar.model.search import And, Everything, Hit, Hits, Or, Phrase, Query, SearchFilter, SearchRequest, Term
from sidecar.services.asked import SearchType
from sidecar.services.condition_kinds import is_for_the_index
from sidecar.services.conditions import Conditions, FilesByFolder, files_by_folder, newest_first
from sidecar.services.per_view import PerView
from sidecar.services.rankings import Ranked, Ranking
from sidecar.services.threads import Threads
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles

__all__ = ["Lexical", "Sought"]

_ALL = 1 << 30


@dataclass(frozen=True, slots=True)
class Sought:
    """Where one search looks: what holds for every result, in which view, and how many are wanted."""

    view: View
    filter: SearchFilter
    limit: int
    titles_only: bool = False


class Lexical:
    """Ranks files by the words in them, and answers what else a query asks of a file."""

    def __init__(self, index: SearchIndex, files: VaultFiles, threads: Threads, rebuild: Callable[[], object]) -> None:
        self._index = index
        self._files = files
        self._threads = threads
        self._rebuild = rebuild
        self._by_folder = PerView[FilesByFolder](files_by_folder)

    async def rank(self, query: Query, text: str, sought: Sought) -> Ranking:
        """Rank the files that match; what only meets conditions stands newest first.

        Raises:
            Invalid: when a regular expression is none.
            Unavailable: when the index turned out damaged; it is being made anew then.

        """
        conditions = self._conditions(sought)

        async def rank(query: Query) -> Ranking:
            if is_for_the_index(query):
                hits = await self._threads.search(self._rank_words, query, conditions, sought)
            else:
                hits = await self._threads.search(self._rank, await conditions.answer(query), sought)
            rows = tuple(Ranked(hit.path, hit.score) for hit in hits.hits)
            used = SearchType.TITLE if sought.titles_only else SearchType.TEXT
            return Ranking(query, rows, hits.total, used, unchecked=conditions.unchecked + hits.unchecked)

        return await self.forgiving(query, text, sought, rank)

    async def forgiving(
        self, query: Query, text: str, sought: Sought, rank: Callable[[Query], Awaitable[Ranking]]
    ) -> Ranking:
        """Rank strictly; when nothing is found, correct words that stand nowhere (C21), then let any of them count."""
        strict = await rank(query)
        if strict.total:
            return strict
        better, became = await self._threads.search(self._corrected, query, text, sought)
        unchecked = strict.unchecked
        if became:
            found = await rank(better)
            if found.total:
                return replace(found, corrected=became)
            unchecked = found.unchecked
        if (wider := relaxed(better)) is not None:
            found = await rank(wider)
            if found.total:
                return replace(found, relaxed=True, corrected=became)
            unchecked = found.unchecked
        return replace(strict, unchecked=unchecked)

    async def meeting(self, query: Query, sought: Sought) -> frozenset[VaultPath] | None:
        """Return the files that match, in no order; ``None`` when that is all that may be found."""
        if query == Everything():
            return await self._threads.read(sought.view.allowed, sought.filter)
        answer = await self._conditions(sought).answer(query)
        request = SearchRequest(answer, sought.filter, sought.titles_only, limit=_ALL)
        hits = await self._threads.search(self._search, request, sought.view)
        return frozenset(hit.path for hit in hits.hits)

    def _conditions(self, sought: Sought) -> Conditions:
        return Conditions(
            sought.view,
            sought.filter,
            self._files,
            self._threads,
            self._index,
            self._search,
            self._by_folder,
            titles_only=sought.titles_only,
        )

    def _search(self, request: SearchRequest, view: View) -> Hits:
        try:
            return self._index.search(request, view)
        except Unavailable:
            self._rebuild()
            raise

    def _rank_words(self, query: Query, conditions: Conditions, sought: Sought) -> Hits:
        # What answers a word takes less time than a change of threads.
        return self._rank(conditions.of_names(query), sought)

    def _rank(self, query: Query, sought: Sought) -> Hits:
        request = SearchRequest(query, sought.filter, sought.titles_only, limit=sought.limit)
        if _has_words(query):
            return self._search(request, sought.view)
        hits = self._search(replace(request, limit=_ALL), sought.view)
        paths = newest_first([hit.path for hit in hits.hits], sought.view)[: sought.limit]
        return replace(hits, hits=tuple(Hit(path, 0.0) for path in paths))

    def _corrected(self, query: Query, text: str, sought: Sought) -> tuple[Query, Mapping[str, str]]:
        # Counted are only files the caller may find: a word of theirs gives nothing away.
        anywhere = SearchFilter(include_excluded=sought.filter.include_excluded)
        conditions = self._conditions(sought)

        def count(term: Term) -> int:
            request = SearchRequest(conditions.or_in_path(term), anywhere, sought.titles_only, limit=1)
            return self._search(request, sought.view).total

        return corrected(query, text, count, self._index.vocabulary)


def _has_words(query: Query) -> bool:
    """Tell whether the index can say how well a file matches."""
    match query:
        case And(parts) | Or(parts):
            return any(map(_has_words, parts))
        case _:
            return isinstance(query, Term | Phrase)
