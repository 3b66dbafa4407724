"""Search the vault: parse, rank, and cut an excerpt of each hit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sidecar.catalog.permalink import permalink_of
from sidecar.errors import Invalid, SidecarError, Unavailable
from sidecar.index.query import parse_query, relaxed
from sidecar.index.snippets import Needles, needles, snippet
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.model.ports import SearchIndex
from sidecar.model.search import (
    And,
    Everything,
    Hits,
    Leaf,
    Or,
    PropertyIs,
    Query,
    SearchFilter,
    SearchRequest,
    TagIs,
)
from sidecar.parse.file import parse_file
from sidecar.parse.frontmatter import block_of
from sidecar.services.caller import Caller
from sidecar.services.threads import Threads
from sidecar.services.views import View, Views
from sidecar.vault.files import VaultFiles

__all__ = ["Excerpt", "Found", "Search", "SearchResults"]

_LARGEST_PAGE = 100


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A piece of a file's text that matched, and the line of the match; ``line`` is ``None`` in a canvas."""

    text: str
    line: int | None
    heading: str | None


@dataclass(frozen=True, slots=True)
class Found:
    """One file of the results; ``excerpt`` is ``None`` where no text matched."""

    path: VaultPath
    title: str
    permalink: str
    score: float
    excerpt: Excerpt | None


@dataclass(frozen=True, slots=True)
class SearchResults:
    """One page of results. ``relaxed`` tells that no file had all words, so that any of them counts."""

    query: str
    results: tuple[Found, ...]
    total: int
    page: int
    page_size: int
    relaxed: bool


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
    ) -> SearchResults:
        """Rank what matches; when several plain words are nowhere together, any of them counts.

        Raises:
            Invalid: when there is nothing to search for.
            Unavailable: when the index turned out damaged; it is being made anew then.

        """
        filters = _filter(tags, status)
        if not (query and query.strip()) and not filters.leaves and not note_types:
            raise Invalid("There is nothing to search for.", hint="Give a query, tags or status.")
        if not 1 <= page_size <= _LARGEST_PAGE:
            raise Invalid(f"page_size is {page_size}; it goes from 1 to {_LARGEST_PAGE}.")
        view = await self._threads.read(self._views.newest, caller.audience)
        tree = parse_query(query or "", await self._threads.read(view.property_names))
        tree = _of_types(tree, note_types)
        request = SearchRequest(tree, filters, titles_only, (page - 1) * page_size, page_size)
        hits, was_relaxed = await self._threads.search(self._rank, request, view)
        found = await self._threads.read(self._found, hits, tree, view)
        return SearchResults(query or "", found, hits.total, page, page_size, was_relaxed)

    def _rank(self, request: SearchRequest, view: View) -> tuple[Hits, bool]:
        try:
            hits = self._index.search(request, view)
        except Unavailable:
            self._rebuild()
            raise
        wider = relaxed(request.query) if hits.total == 0 else None
        if wider is None:
            return hits, False
        hits = self._index.search(
            SearchRequest(wider, request.filter, request.titles_only, request.offset, request.limit), view
        )
        return hits, hits.total > 0

    def _found(self, hits: Hits, tree: Query, view: View) -> tuple[Found, ...]:
        words = needles(tree)
        titles = view.titles_of([hit.path for hit in hits.hits])
        return tuple(
            Found(
                path=hit.path,
                title=titles.get(hit.path, hit.path.basename),
                permalink=permalink_of(hit.path),
                score=hit.score,
                excerpt=self._excerpt(hit.path, words, view),
            )
            for hit in hits.hits
        )

    def _excerpt(self, path: VaultPath, words: Needles, view: View) -> Excerpt | None:
        if kind_of(path) is FileKind.ATTACHMENT or not words:
            return None
        try:
            data = self._files.read(path)
        except SidecarError:
            return None  # gone or locked since it was indexed: the hit stands without an excerpt
        if kind_of(path) is FileKind.CANVAS:
            found = snippet(parse_file(path, data).body, words)
            return Excerpt(found.text, None, None) if found.text else None
        text = data.decode("utf-8-sig", "replace")
        if not view.sees_text(path, text):
            return None
        block = block_of(text)
        start = block.end if block else 0
        first_line = 1 + text.count("\n", 0, start)
        found = snippet(text[start:], words, headings=view.headings(path), first_line=first_line)
        return Excerpt(found.text, found.line, found.heading) if found.text else None


def _filter(tags: Sequence[str], status: str | None) -> SearchFilter:
    leaves: list[Leaf] = [TagIs(tag.strip().lstrip("#")) for tag in tags if tag.strip(" #")]
    if status:
        leaves.append(PropertyIs("status", status))
    return SearchFilter(leaves=tuple(leaves))


def _of_types(tree: Query, note_types: Sequence[str]) -> Query:
    if not note_types:
        return tree
    types = Or(tuple(PropertyIs("type", name) for name in note_types))
    return types if isinstance(tree, Everything) else And((tree, types))
