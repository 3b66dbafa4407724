"""What a search gives: one page of files and facts, each with the piece of text that shows why it was found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sidecar.catalog.permalink import permalink_of
from sidecar.model.note import Observation, Relation
from sidecar.model.path import VaultPath
from sidecar.model.search import Query
from sidecar.services.asked import SearchType
from sidecar.services.conditions import document_of
from sidecar.services.excerpts import Excerpt, Excerpts
from sidecar.services.facts import observation_facts, relation_facts
from sidecar.services.line_excerpts import lines_around, passage_excerpt
from sidecar.services.rankings import Ranked
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles

__all__ = ["Found", "SearchResults", "Showing"]

_ROOM = 16_000
"""Characters that the lines of context of one page may take."""


@dataclass(frozen=True, slots=True)
class Found:
    """One result: a file, or the ``fact`` in it that was found.

    No ``score`` where only conditions were given, no ``excerpt`` where no text matched; ``in_lines`` is an excerpt of
    numbered lines. ``similarity`` is there where its meaning was looked at, ``project`` where several were searched.
    """

    path: VaultPath
    title: str
    permalink: str
    score: float | None
    excerpt: Excerpt | None
    modified_ns: int
    in_lines: bool = False
    fact: Observation | Relation | None = None
    target: VaultPath | None = None
    similarity: float | None = None
    project: str | None = None


@dataclass(frozen=True, slots=True)
class SearchResults:
    """One page of results."""

    query: str
    results: tuple[Found, ...]
    total: int
    page: int
    page_size: int
    used: SearchType = SearchType.TEXT
    """What was compared with the query."""
    unmeant: str | None = None
    """Why it was not searched by meaning, though that was asked for."""
    relaxed: bool = False
    """No file had all words, so that any of them counts."""
    corrected: Mapping[str, str] = field(default_factory=dict)
    """Words that stand nowhere, and what was searched for instead."""
    unchecked: int = 0
    """Files that there was no time to look at; there may be more results."""
    has_more: bool = False
    next: str | None = None
    """The cursor of the page behind this one; none where several vaults were searched."""
    moved: bool = False
    """The vault changed since the page before, so that a result may be missing or come twice."""
    unsearched: Mapping[str, str] = field(default_factory=dict)
    """Vaults that could not be searched, and why."""


@dataclass(frozen=True, slots=True)
class Showing:
    """Makes rows of a ranking to results, as one view sees them now."""

    query: Query
    files: VaultFiles
    view: View
    context_lines: int = 0

    def of(self, rows: Sequence[Ranked]) -> tuple[Found, ...]:
        """Return the results; a row whose file or fact is gone by now, or private, gives none."""
        there = [row for row in rows if self.view.state(row.path) is not None]
        titles = self.view.titles_of([row.path for row in there])
        excerpts = Excerpts(self.query, self.files, self.view)
        room = _ROOM // (len(there) or 1)
        found = (self._found(row, titles.get(row.path, row.path.basename), excerpts, room) for row in there)
        return tuple(one for one in found if one is not None)

    def _found(self, row: Ranked, title: str, excerpts: Excerpts, room: int) -> Found | None:
        state = self.view.state(row.path)
        target, permalink = None, permalink_of(row.path)
        if row.fact is not None:
            named = self._named(row.path, row.fact)
            if named is None:
                return None
            permalink, target = named
        excerpt, in_lines = self._excerpt(row, excerpts, room)
        return Found(
            path=row.path,
            title=title,
            permalink=permalink,
            score=row.score or None,
            excerpt=excerpt,
            modified_ns=state.mtime_ns if state else 0,
            in_lines=in_lines,
            fact=row.fact,
            target=target,
            similarity=row.passage.similarity if row.passage else None,
        )

    def _named(self, path: VaultPath, fact: Observation | Relation) -> tuple[str, VaultPath | None] | None:
        if isinstance(fact, Observation):
            observations = observation_facts(self.view, path)
            return next(((one.permalink, None) for one in observations if one.observation == fact), None)
        relations = relation_facts(self.view, path)
        return next(((one.permalink, one.target) for one in relations if one.relation == fact), None)

    def _excerpt(self, row: Ranked, excerpts: Excerpts, room: int) -> tuple[Excerpt | None, bool]:
        excerpt = None
        if row.fact is None:
            # What was found by its meaning need not hold any of the words.
            passage = row.passage
            excerpt = passage_excerpt(passage, self.files, self.view) if passage else excerpts.of(row.path)
        elif self.context_lines:
            excerpt = Excerpt("", row.fact.line, None)
        if excerpt is None or not self.context_lines or excerpt.line is None:
            return excerpt, False
        document = document_of(row.path, self.files, self.view)
        return (lines_around(excerpt, document.text, self.context_lines, room), True) if document else (None, False)
