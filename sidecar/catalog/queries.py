"""Questions to the catalog, each answered from one state of the vault; who may see the answer is decided above."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from sidecar.catalog import conditions, facts, graph, mentions
from sidecar.catalog.keys import text_key
from sidecar.catalog.known_links import KnownLinks
from sidecar.catalog.likeness import KnownNames
from sidecar.catalog.reader import Connections, State
from sidecar.catalog.records import LinkAt, LinkEnd, NamedFile, NoteRecord, ResolvedLink
from sidecar.catalog.rows import ALIASES, BLOCK_IDS, HEADINGS, OBSERVATIONS, RELATIONS, TAGS, TASKS, Part
from sidecar.catalog.snapshot import Snapshot
from sidecar.model.note import BlockId, FileKind, Heading, Json, Observation, PropertyProblem, Relation, Task
from sidecar.model.path import VaultPath
from sidecar.model.search import Leaf, PathHas, PropertyIs, TagIs

__all__ = ["CatalogReader", "LinkAt", "LinkEnd", "NamedFile", "NoteRecord", "ResolvedLink"]

T = TypeVar("T")
_LEAVES_KEPT = 64

_NOTE = """
SELECT kind, title, coalesce(own_permalink, permalink), properties, problem, problem_line,
  (SELECT count(*) FROM link WHERE file = id), (SELECT count(*) FROM task WHERE file = id),
  (SELECT count(*) FROM observation WHERE file = id), (SELECT count(*) FROM relation WHERE file = id)
FROM file WHERE id = ?
"""
_TITLE = "SELECT title FROM file WHERE id = ?"
_PROPERTIES = "SELECT properties FROM file WHERE id = ?"
_TITLED = "SELECT path FROM file WHERE title_key = ? ORDER BY path"
_ALIASED = "SELECT DISTINCT path FROM file JOIN alias ON alias.file = file.id WHERE key = ? ORDER BY path"
_OWN_PERMALINK = "SELECT path FROM file WHERE own_permalink = ? ORDER BY path"
_PERMALINK = "SELECT path FROM file WHERE permalink = ? ORDER BY path"


class CatalogReader:
    """Reads the catalog, on any thread. An unknown path has no record, no links and no parts; nothing raises."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._property_names: tuple[object, frozenset[str]] = (None, frozenset())
        """The last answer, and what was asked: every search asks, and few differ."""
        self._matching: tuple[int, dict[Leaf, frozenset[VaultPath]]] = (-1, {})
        """Answers of one generation: searches come back to the same few tags and folders."""
        self._names = KnownNames()
        self._links = KnownLinks()

    @contextmanager
    def reading(self) -> Iterator[Snapshot]:
        """Answer all this thread's questions inside from one and the same state, and give its snapshot."""
        with self._connections.state() as state:
            yield state.snapshot

    def note(self, path: VaultPath) -> NoteRecord | None:
        """Return everything about one file but its text."""
        with self._connections.state() as now:
            state = now.snapshot.files.get(path)
            if not state:
                return None
            row = now.db.execute(_NOTE, (state.id,)).fetchone()
            kind, title, permalink, properties, problem, problem_line, *counts = row
            return NoteRecord(
                path,
                FileKind(kind),
                state,
                title,
                permalink,
                json.loads(properties),
                PropertyProblem(problem, problem_line) if problem is not None else None,
                self._parts(ALIASES, path),
                self._parts(TAGS, path),
                self._parts(HEADINGS, path),
                *counts,
            )

    def records(self, paths: Iterable[VaultPath]) -> tuple[NoteRecord, ...]:
        """Return the records of those files that exist, in the order given."""
        with self.reading():
            return tuple(record for path in paths if (record := self.note(path)))

    def titles_of(self, paths: Iterable[VaultPath]) -> dict[VaultPath, str]:
        """Return the titles of those files that exist."""
        with self._connections.state() as now:
            known = [(path, state.id) for path in paths if (state := now.snapshot.files.get(path))]
            return {path: now.db.execute(_TITLE, (file,)).fetchone()[0] for path, file in known}

    def properties_of(self, paths: Iterable[VaultPath]) -> dict[VaultPath, Mapping[str, Json]]:
        """Return the properties of those files that exist."""
        with self._connections.state() as now:
            known = [(path, state.id) for path in paths if (state := now.snapshot.files.get(path))]
            return {path: json.loads(now.db.execute(_PROPERTIES, (file,)).fetchone()[0]) for path, file in known}

    def titled(self, text: str) -> tuple[VaultPath, ...]:
        """Return the notes, canvases and bases of this title, in any case."""
        return self._found(_TITLED, text_key(text))

    def aliased(self, text: str) -> tuple[VaultPath, ...]:
        """Return the notes with this alias, in any case; links never lead by it (R11)."""
        return self._found(_ALIASED, text_key(text))

    def by_permalink(self, text: str) -> tuple[VaultPath, ...]:
        """Return the files that name this permalink as theirs, else those for whose paths it stands."""
        key = text_key(text.strip("/"))
        with self.reading():
            return self._found(_OWN_PERMALINK, key) or self._found(_PERMALINK, key)

    def names(self) -> tuple[NamedFile, ...]:
        """Return path, title and aliases of all notes, canvases and bases, by path."""
        with self._connections.state() as now:
            return self._names_at(now).files

    def names_like(self, text: str, count: int, but: Collection[VaultPath] = ()) -> tuple[NamedFile, ...]:
        """Return the files whose names share most runs of letters with a text in lower case, roughly the most first."""
        with self._connections.state() as now:
            return self._names_at(now).like(text, count, but)

    def _names_at(self, now: State) -> KnownNames:
        known = self._names.at(now)
        self._names = known
        return known

    def matching(self, leaf: Leaf) -> frozenset[VaultPath]:
        """Return the files that meet one condition of a search."""
        with self._connections.state() as now:
            known = self._matching  # one read: another thread may stand at another generation
            if known[0] != now.snapshot.generation or len(known[1]) > _LEAVES_KEPT:
                known = self._matching = (now.snapshot.generation, {})
            # True and 1 are the same key, but not the same value of a property.
            if not isinstance(leaf, TagIs | PathHas) and not (
                isinstance(leaf, PropertyIs) and isinstance(leaf.value, str)
            ):
                return conditions.matching(now.db, now.snapshot, leaf)
            found = known[1].get(leaf)
            if found is None:
                found = known[1][leaf] = conditions.matching(now.db, now.snapshot, leaf)
            return found

    def tag_counts(self, hidden: frozenset[VaultPath] = frozenset()) -> Mapping[str, int]:
        """Return how many files bear each tag or one nested below it, in alphabetical order (T6)."""
        with self._connections.state() as now:
            return conditions.tag_counts(now.db, now.snapshot.states(hidden))

    def property_names(self, hidden: frozenset[VaultPath] = frozenset()) -> frozenset[str]:
        """Return the lower-cased names of all properties, without those that stand in ``hidden`` files only."""
        with self._connections.state() as now:
            asked = (now.snapshot.generation, hidden)
            known, names = self._property_names  # one read: another thread may ask something else meanwhile
            if known != asked:
                names = conditions.property_names(now.db, now.snapshot.states(hidden))
                self._property_names = (asked, names)
            return names

    def property_values(self, name: str) -> tuple[tuple[VaultPath, Json], ...]:
        """Return the files that have a property of this name, in any case, with its value."""
        with self._connections.state() as now:
            return tuple(conditions.property_values(now.db, name))

    def observations_of(
        self, paths: Iterable[VaultPath], categories: Collection[str] = ()
    ) -> tuple[tuple[VaultPath, Observation], ...]:
        """Return the observations of many files; see :func:`facts.observations`."""
        with self._connections.state() as now:
            return tuple(facts.observations(now.db, now.snapshot.states(paths), categories))

    def relations_of(self, paths: Iterable[VaultPath]) -> tuple[tuple[VaultPath, Relation], ...]:
        """Return the relations of many files, by path and place."""
        with self._connections.state() as now:
            return tuple(facts.relations(now.db, now.snapshot.states(paths)))

    def permalinks(self) -> tuple[tuple[VaultPath, str], ...]:
        """Return the permalinks of all notes, canvases and bases, of which one may have two."""
        with self._connections.state() as now:
            return tuple(facts.permalinks(now.db))

    def property_tagged(self, tag: str) -> frozenset[VaultPath]:
        """Return the files that name this tag, or one nested below it, among their properties."""
        with self._connections.state() as now:
            return facts.property_tagged(now.db, tag)

    def backlinks(self, path: VaultPath) -> tuple[LinkAt, ...]:
        """Return the links that lead to ``path``, by source and place; see :func:`graph.backlinks`."""
        with self._connections.state() as now:
            return graph.backlinks(now.db, now.snapshot, path)

    def touched_links(self, names: Iterable[VaultPath], sources: Iterable[VaultPath]) -> tuple[LinkAt, ...]:
        """Return the links that a change of names may lead elsewhere; see :func:`graph.touched`."""
        with self._connections.state() as now:
            return graph.touched(now.db, now.snapshot, names, sources)

    def outgoing(self, path: VaultPath) -> tuple[ResolvedLink, ...]:
        """Return the links that stand in ``path``, in order."""
        with self._connections.state() as now:
            return graph.outgoing(now.db, now.snapshot, path)

    def unresolved(self) -> tuple[LinkAt, ...]:
        """Return all links that lead nowhere, by source and place."""
        with self._connections.state() as now:
            return graph.unresolved(now.db, now.snapshot)

    def ends_to(self, path: VaultPath) -> tuple[LinkEnd, ...]:
        """Return the links that lead to ``path``, by source and place; see :func:`graph.ends_to`."""
        with self._connections.state() as now:
            return graph.ends_to(now.db, now.snapshot, path)

    def links_by_file(self) -> Mapping[VaultPath, tuple[LinkEnd, ...]]:
        """Return the links of each file that has some; of one that was not touched since always the same object."""
        with self._connections.state() as now:
            known = self._links = self._links.at(now)
            return known.by_file

    def links_at(self, places: Iterable[tuple[VaultPath, int]]) -> tuple[LinkAt | None, ...]:
        """Return the links at these places of files; see :func:`graph.links_at`."""
        with self._connections.state() as now:
            return graph.links_at(now.db, now.snapshot, places)

    def longer_names(self, names: Iterable[str]) -> tuple[tuple[VaultPath, str], ...]:
        """Return names of notes that hold one of these and more; see :func:`mentions.longer_names`."""
        with self._connections.state() as now:
            return tuple(mentions.longer_names(now.db, now.snapshot, names))

    def headings(self, path: VaultPath) -> tuple[Heading, ...]:
        """Return a note's headings in order."""
        return self._parts(HEADINGS, path)

    def tasks(self, path: VaultPath) -> tuple[Task, ...]:
        """Return a note's tasks in order."""
        return self._parts(TASKS, path)

    def block_ids(self, path: VaultPath) -> tuple[BlockId, ...]:
        """Return a note's block ids in order."""
        return self._parts(BLOCK_IDS, path)

    def observations(self, path: VaultPath) -> tuple[Observation, ...]:
        """Return a note's observations in order."""
        return self._parts(OBSERVATIONS, path)

    def relations(self, path: VaultPath) -> tuple[Relation, ...]:
        """Return a note's relations in order."""
        return self._parts(RELATIONS, path)

    def _parts(self, part: Part[T], path: VaultPath) -> tuple[T, ...]:
        with self._connections.state() as now:
            state = now.snapshot.files.get(path)
            rows = now.db.execute(part.select, (state.id,)) if state else ()
            return tuple(part.value(row) for row in rows)

    def _found(self, statement: str, key: str) -> tuple[VaultPath, ...]:
        with self._connections.state() as now:
            return tuple(VaultPath(path) for (path,) in now.db.execute(statement, (key,)))
