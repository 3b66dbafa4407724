"""The only door from services to the catalog: what one audience may see of one snapshot."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from sidecar.catalog.graph import target_of
from sidecar.catalog.queries import CatalogReader, LinkAt, LinkEnd, NamedFile, NoteRecord, ResolvedLink
from sidecar.catalog.resolve import Resolution
from sidecar.catalog.snapshot import Snapshot
from sidecar.model.file import FileState
from sidecar.model.note import Heading, Json, Observation, Relation, kind_of
from sidecar.model.path import VaultPath
from sidecar.model.search import Leaf, PropertyIs, SearchFilter
from sidecar.parse.frontmatter import block_of, read_properties
from sidecar.services.caller import Audience
from sidecar.vault.excluded import ExcludedFiles
from sidecar.vault.ignore import Access, AccessRules, CurrentRules
from sidecar.vault.obsidian_settings import CurrentSettings

__all__ = ["View", "Views"]

_FILTERS_KEPT = 16
"""A page behind the first asks again, and so does each word that may be misspelt."""


@dataclass(frozen=True)
class View:
    """Reads of the catalog, with everything left out that the audience may not see.

    It is also the ``Scope`` of a search. To an agent a denied file simply does not exist: links to it are unresolved.
    """

    snapshot: Snapshot
    audience: Audience
    _reader: CatalogReader
    _rules: AccessRules
    _denied: frozenset[VaultPath]
    _filters: ExcludedFiles

    def is_of(self, snapshot: Snapshot, rules: AccessRules, filters: ExcludedFiles) -> bool:
        """Tell whether this is the view of that state."""
        return self.snapshot.generation == snapshot.generation and self._rules is rules and self._filters is filters

    @cached_property
    def hidden(self) -> frozenset[VaultPath]:
        """The files this audience may not see."""
        return self._denied if self.audience is Audience.AGENT else frozenset()

    @cached_property
    def excluded(self) -> frozenset[VaultPath]:
        """The files that the user took out of searches and suggestions, but not out of the vault (A13)."""
        return self._filters.among(self.snapshot.files)

    def sees(self, path: VaultPath) -> bool:
        """Tell whether the audience may know of this file; also answers for paths that do not exist yet."""
        return self.audience is Audience.PERSON or not self.hides_from_agents(path)

    def hides_from_agents(self, path: VaultPath) -> bool:
        """Tell whether agents may not know of this file, whoever asks."""
        return path in self._denied or self._rules.access(path, {}) is Access.DENIED

    @property
    def hidden_from_agents(self) -> frozenset[VaultPath]:
        """The files that agents may not see, whoever asks; their texts are in no index."""
        return self._denied

    def sees_folder(self, path: VaultPath) -> bool:
        """Tell whether the audience may know of this folder: not when it is denied, or holds hidden files only."""
        if self.audience is Audience.PERSON:
            return True
        held = self.snapshot.file_counts.get(path, 0)
        return not self._rules.denies_folder(path) and (not held or self._hidden_counts[path] < held)

    def file_count(self, folder: VaultPath) -> int:
        """Return how many visible files are in a folder other than the root, at any depth."""
        return self.snapshot.file_counts.get(folder, 0) - self._hidden_counts[folder]

    @cached_property
    def _hidden_counts(self) -> Counter[VaultPath]:
        counts: Counter[VaultPath] = Counter()
        for path in self.hidden & self.snapshot.files.keys():
            folder = path.folder
            while folder:
                counts[folder] += 1
                folder = folder.folder
        return counts

    def may_change(self, path: VaultPath) -> bool:
        """Tell whether the user's rules let the audience change or create this file."""
        if self.audience is Audience.PERSON:
            return True
        return self.sees(path) and self._rules.access(path, {}) in {Access.OPEN, Access.ASK}

    def asks_before(self, path: VaultPath) -> bool:
        """Tell whether the user wants to be asked before the audience changes or creates this file."""
        return self.audience is Audience.AGENT and self._rules.access(path, {}) is Access.ASK

    def asks_before_folder(self, path: VaultPath) -> bool:
        """Tell whether the user wants to be asked before the audience makes or takes away this folder."""
        return self.audience is Audience.AGENT and self._rules.asks_for_folder(path)

    def sees_text(self, path: VaultPath, text: str) -> bool:
        """Tell whether the audience may see a text just read: it may have become private since the snapshot."""
        if self.audience is Audience.PERSON:
            return True
        block = block_of(text)
        if block is None or "private" not in text[: block.end].lower():
            return self.sees(path)
        return self.sees(path) and self._rules.access(path, read_properties(text).values) is not Access.DENIED

    def files(self) -> Iterable[tuple[VaultPath, FileState]]:
        """Go through the visible files."""
        hidden = self.hidden
        return ((path, state) for path, state in self.snapshot.files.items() if path not in hidden)

    def state(self, path: VaultPath) -> FileState | None:
        """Return what is known of a visible file."""
        return self.snapshot.files.get(path) if path not in self.hidden else None

    def find(self, text: str) -> VaultPath | None:
        """Find a visible file by its path, with or without ``.md``, in any case."""
        found = self._visible(self.snapshot.find_all(text))
        return found[0] if len(found) == 1 else None

    def resolve(self, linkpath: str, source: VaultPath) -> Resolution:
        """Resolve a link as Obsidian does (§5); a hidden target counts as unresolved."""
        resolution = self.snapshot.resolve(linkpath, source)
        if not self.hidden.isdisjoint({resolution.target, *resolution.candidates}):
            visible = tuple(path for path in resolution.candidates if path not in self.hidden)
            target = resolution.target if resolution.target not in self.hidden else None
            return Resolution(target, visible)
        return resolution

    def note(self, path: VaultPath) -> NoteRecord | None:
        """Return what the catalog says of one visible file."""
        return self._reader.note(path) if path not in self.hidden else None

    def titled(self, text: str) -> tuple[VaultPath, ...]:
        """Return the visible notes with this title."""
        return self._visible(self._reader.titled(text))

    def aliased(self, text: str) -> tuple[VaultPath, ...]:
        """Return the visible notes with this alias."""
        return self._visible(self._reader.aliased(text))

    def by_permalink(self, text: str) -> tuple[VaultPath, ...]:
        """Return the visible notes with this permalink."""
        return self._visible(self._reader.by_permalink(text))

    def names(self) -> tuple[NamedFile, ...]:
        """Return path, title and aliases of each visible file that is not excluded, for suggestions (A13)."""
        left_out = self.hidden | self.excluded
        return tuple(named for named in self._reader.names() if named.path not in left_out)

    def names_like(self, text: str, count: int) -> tuple[NamedFile, ...]:
        """Return the visible files that are not excluded whose names share most with a text in lower case (A13)."""
        return self._reader.names_like(text, count, self.hidden | self.excluded)

    def titles_of(self, paths: Iterable[VaultPath]) -> Mapping[VaultPath, str]:
        """Return the titles of visible files."""
        return self._reader.titles_of([path for path in paths if path not in self.hidden])

    def properties_of(self, paths: Iterable[VaultPath]) -> Mapping[VaultPath, Mapping[str, Json]]:
        """Return the properties of visible files."""
        return self._reader.properties_of([path for path in paths if path not in self.hidden])

    def headings(self, path: VaultPath) -> tuple[Heading, ...]:
        """Return the headings of a visible note."""
        return self._reader.headings(path) if path not in self.hidden else ()

    def observations(self, path: VaultPath) -> tuple[Observation, ...]:
        """Return the observations of a visible note."""
        return self._reader.observations(path) if path not in self.hidden else ()

    def relations(self, path: VaultPath) -> tuple[Relation, ...]:
        """Return the relations of a visible note."""
        return self._reader.relations(path) if path not in self.hidden else ()

    def observations_of(
        self, paths: Iterable[VaultPath], categories: Collection[str] = ()
    ) -> tuple[tuple[VaultPath, Observation], ...]:
        """Return the observations of visible files, only of these categories if any are named."""
        return self._reader.observations_of([path for path in paths if path not in self.hidden], categories)

    def relations_of(self, paths: Iterable[VaultPath]) -> tuple[tuple[VaultPath, Relation], ...]:
        """Return the relations of visible files."""
        return self._reader.relations_of([path for path in paths if path not in self.hidden])

    def permalinks(self) -> tuple[tuple[VaultPath, str], ...]:
        """Return the permalinks of visible notes, canvases and bases, of which one may have two."""
        return tuple((path, permalink) for path, permalink in self._reader.permalinks() if path not in self.hidden)

    def property_tagged(self, tag: str) -> frozenset[VaultPath]:
        """Return the visible files that name this tag, or one nested below it, among their properties."""
        return self._reader.property_tagged(tag) - self.hidden

    def backlinks(self, path: VaultPath) -> tuple[LinkAt, ...]:
        """Return the links in visible files that lead to a visible file."""
        if path in self.hidden:
            return ()
        return tuple(at for at in self._reader.backlinks(path) if at.source not in self.hidden)

    def touched_links(self, names: Iterable[VaultPath], sources: Iterable[VaultPath]) -> tuple[LinkAt, ...]:
        """Return the links whose target may change when files come to or go from the paths ``names``.

        They are for mending, so those in hidden files are among them: nothing of these may reach the audience.
        """
        return self._reader.touched_links(names, sources)

    def outgoing(self, path: VaultPath) -> tuple[ResolvedLink, ...]:
        """Return the links of a visible file; one that leads to a hidden file counts as unresolved."""
        if path in self.hidden:
            return ()
        return tuple(
            ResolvedLink(link.link, None, ())
            if link.target in self.hidden
            else ResolvedLink(link.link, link.target, self._visible(link.candidates))
            for link in self._reader.outgoing(path)
        )

    def unresolved(self) -> tuple[LinkAt, ...]:
        """Return the links in visible files that lead nowhere, by source and place; those to hidden files are such."""
        hidden = self.hidden
        known = (at for at in self._reader.unresolved() if at.source not in hidden)
        if not hidden:
            return tuple(known)
        touched = (at for at in self._reader.touched_links(hidden, ()) if at.source not in hidden)
        sources = {at.source for at in touched if self._leads_to_hidden(at)}
        links = [at for at in known if at.source not in sources]
        for source in sources:
            links += [LinkAt(source, found.link) for found in self.outgoing(source) if found.target is None]
        return tuple(sorted(links, key=lambda at: at.source))

    def _leads_to_hidden(self, at: LinkAt) -> bool:
        return target_of(at.link, at.source, self.snapshot).target in self.hidden

    def ends_to(self, path: VaultPath) -> tuple[LinkEnd, ...]:
        """Return the :meth:`backlinks` of a visible file without reading them whole."""
        if path in self.hidden:
            return ()
        return tuple(end for end in self._reader.ends_to(path) if end.source not in self.hidden)

    def links_by_file(self) -> Mapping[VaultPath, tuple[LinkEnd, ...]]:
        """Return the links of each visible file that has some; one that leads to a hidden file leads nowhere.

        Of a file that no change has touched it is the same object as before, unless a link there leads to a hidden one.
        """
        found, hidden = self._reader.links_by_file(), self.hidden
        if not hidden:
            return found
        seen = {path: ends for path, ends in found.items() if path not in hidden}
        touched = {path: ends for path, ends in seen.items() if any(end.target in hidden for end in ends)}
        for path, ends in touched.items():
            seen[path] = tuple(end._replace(target=None) if end.target in hidden else end for end in ends)
        return seen

    def link_ends(self) -> Iterator[LinkEnd]:
        """Go through all links of visible files by place and target."""
        return chain.from_iterable(self.links_by_file().values())

    def links_at(self, places: Iterable[tuple[VaultPath, int]]) -> tuple[LinkAt | None, ...]:
        """Return the links at these places of visible files, in the order given; ``None`` for what is not there."""
        return self._reader.links_at([(path, n) if path not in self.hidden else (path, -1) for path, n in places])

    def longer_names(self, names: Iterable[str], but: VaultPath) -> frozenset[str]:
        """Return names of visible notes other than ``but`` that hold one of these and more, in lower case."""
        found = self._reader.longer_names(names)
        return frozenset(name for path, name in found if path != but and path not in self.hidden)

    def property_names(self) -> frozenset[str]:
        """Return the lower-cased names of properties in use, of visible notes as far as the rules are by path."""
        return self._property_names

    def property_values(self, name: str) -> tuple[tuple[VaultPath, Json], ...]:
        """Return the visible files that have a property of this name, with its value."""
        hidden = self.hidden
        return tuple((path, value) for path, value in self._reader.property_values(name) if path not in hidden)

    def tag_names(self) -> tuple[str, ...]:
        """Return the tags in use in visible files, those above nested ones too."""
        return tuple(self._reader.tag_counts(hidden=self.hidden))

    def matching(self, leaf: Leaf) -> frozenset[VaultPath]:
        """Return the visible files that meet one condition of a search."""
        return self._reader.matching(leaf) - self.hidden

    def allowed(self, conditions: SearchFilter) -> frozenset[VaultPath] | None:
        """Return the files a search may find, or ``None`` when that is all of them."""
        if conditions == SearchFilter():
            return self._searchable
        try:
            known = self._allowed.get(conditions)
        except TypeError:  # the value of a property may be a list
            return self._allowed_by(conditions)
        if known is None:
            if len(self._allowed) >= _FILTERS_KEPT:
                self._allowed.clear()
            known = self._allowed[conditions] = self._allowed_by(conditions)
        return known

    @cached_property
    def bases(self) -> Sequence[VaultPath]:
        """The visible bases, by path."""
        return sorted(path for path, _ in self.files() if path.endswith(".base"))

    @cached_property
    def newest_first(self) -> Sequence[VaultPath]:
        """The visible files in the order of their last change; those changed together in the order of their paths."""
        return tuple(path for _, path in sorted((-state.mtime_ns, path) for path, state in self.files()))

    def _allowed_by(self, conditions: SearchFilter) -> frozenset[VaultPath]:
        left_out = self.hidden if conditions.include_excluded else self.hidden | self.excluded
        files, after = self.snapshot.files, conditions.modified_after_ns
        # Few files meet most conditions of the catalog, or changed lately, so that is asked first.
        met = sorted((self.matching(leaf) for leaf in conditions.leaves), key=len)
        among: Iterable[VaultPath] = files.keys()
        if met:
            among = met[0].intersection(*met[1:])
        elif after is not None:
            among = [path for path, state in files.items() if state.mtime_ns >= after]
        return frozenset(
            path for path in among if path not in left_out and path in files and _meets(path, files[path], conditions)
        )

    @cached_property
    def _allowed(self) -> dict[SearchFilter, frozenset[VaultPath]]:
        return {}

    @cached_property
    def _property_names(self) -> frozenset[str]:
        return self._reader.property_names(hidden=self.hidden)

    @cached_property
    def _searchable(self) -> frozenset[VaultPath] | None:
        left_out = self.hidden | self.excluded
        return frozenset(self.snapshot.files.keys() - left_out) if left_out else None

    def _visible(self, paths: Iterable[VaultPath]) -> tuple[VaultPath, ...]:
        return tuple(path for path in paths if path not in self.hidden)


def _meets(path: VaultPath, state: FileState, conditions: SearchFilter) -> bool:
    return (
        (conditions.folder is None or path.is_under(conditions.folder))
        and (conditions.kinds is None or kind_of(path) in conditions.kinds)
        and (conditions.modified_after_ns is None or state.mtime_ns >= conditions.modified_after_ns)
    )


_PRIVATE = PropertyIs("private", True)


class Views:
    """Makes views of the newest snapshot, by the rules and settings of the moment.

    A view is made once for each state of them, so what it worked out is there for the next call.
    """

    def __init__(self, reader: CatalogReader, rules: CurrentRules, settings: CurrentSettings) -> None:
        self._reader = reader
        self._rules = rules
        self._settings = settings
        self._filters: tuple[tuple[str, ...], ExcludedFiles] = ((), ExcludedFiles())
        self._made: dict[Audience, View] = {}

    def newest(self, audience: Audience) -> View:
        """Return a view of the newest snapshot; callable from any thread.

        Raises:
            Invalid: for agents, when nobody can tell what they may see, since ``.mcpignore`` is malformed.
            Unavailable: for agents, when it cannot be read.

        """
        rules = self._rules.now() if audience is Audience.AGENT else self._rules.latest()
        filters = self._excluded()
        with self._reader.reading() as snapshot:
            made = self._made.get(audience)
            if made and made.is_of(snapshot, rules, filters):
                return made
            denied = self._reader.matching(_PRIVATE) | rules.denied_among(snapshot.files)
        made = View(snapshot, audience, self._reader, rules, denied, filters)
        self._made[audience] = made
        return made

    def _excluded(self) -> ExcludedFiles:
        said = self._settings.now().user_ignore_filters
        if said != self._filters[0]:
            self._filters = (said, ExcludedFiles.of(said))
        return self._filters[1]
