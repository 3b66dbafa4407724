"""Answers the conditions of a search that neither index nor catalog can: on the text of files, and on properties."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import lru_cache
from typing import TypeAlias, TypeVar

from sidecar.errors import SidecarError
from sidecar.index.document import Document
from sidecar.index.literals import BytesCheck, bytes_check
from sidecar.index.regex import OutOfTime, Patience
from sidecar.index.scan import TextCheck, both, name_check, text_check, widened
from sidecar.index.values import ValueCheck, is_check, value_check
from sidecar.index.words import Words, word_check
from sidecar.model.note import FileKind, Json, kind_of
from sidecar.model.path import VaultPath
from sidecar.model.ports import SearchIndex, Texts
from sidecar.model.search import (
    And,
    Everything,
    HasTask,
    Hits,
    Not,
    OneOf,
    Or,
    PathHas,
    Phrase,
    Place,
    PropertyHas,
    PropertyIs,
    Query,
    SearchFilter,
    SearchRequest,
    TagIs,
    Term,
    Within,
)
from sidecar.services.condition_kinds import NAMES, cost_of, is_for_the_index, reads_text
from sidecar.services.per_view import PerView
from sidecar.services.threads import Threads
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles

__all__ = ["Conditions", "FilesByFolder", "document_by", "document_of", "files_by_folder", "newest_first"]

T = TypeVar("T")
FilesByFolder: TypeAlias = Mapping[VaultPath, Sequence[VaultPath]]

_SECONDS = 1.0
"""For reading and checking all files of one search."""
_SECONDS_OF_EXPRESSIONS = 0.5
_ALL = 1 << 30
_DONE = {Place.TASK: None, Place.TASK_TODO: False, Place.TASK_DONE: True}

_words_of = lru_cache(maxsize=1 << 14)(Words)
"""Folders stay what they are from one search to the next, so their words are kept."""


def files_by_folder(view: View, _: object = None) -> FilesByFolder:
    """Return which files each folder of a vault holds itself."""
    held: dict[VaultPath, list[VaultPath]] = {}
    for path in view.snapshot.files:
        held.setdefault(path.folder, []).append(path)
    return held


def document_of(path: VaultPath, files: VaultFiles, view: View) -> Document | None:
    """Read what may be shown of one file, as :func:`document_by` does."""
    return document_by(files.read, path, view)


def document_by(read: Callable[[VaultPath], bytes], path: VaultPath, view: View) -> Document | None:
    """Read what may be shown of a file; ``None`` when there is no text, or none to be read or seen any more."""
    if kind_of(path) is FileKind.ATTACHMENT:
        return None
    try:
        document = Document.of(path, read(path))
    except SidecarError:
        return None  # gone or locked since it was indexed
    return document.readable() if _shows(document, view) else None


def _shows(document: Document, view: View) -> bool:
    return kind_of(document.path) is not FileKind.NOTE or view.sees_text(document.path, document.text)


def newest_first(paths: Sequence[VaultPath], view: View) -> list[VaultPath]:
    """Order files by their last change; those changed together stand in the order of their paths."""
    states = view.snapshot.files
    changed = {path: states[path].mtime_ns if path in states else 0 for path in paths}
    return sorted(paths, key=lambda path: (-changed[path], path))


class Conditions:
    """The conditions of one search, answered in as little time as one search may take."""

    def __init__(
        self,
        view: View,
        conditions: SearchFilter,
        files: VaultFiles,
        threads: Threads,
        index: SearchIndex,
        search: Callable[[SearchRequest, View], Hits],
        by_folder: PerView[FilesByFolder],
        *,
        titles_only: bool,
    ) -> None:
        self._view = view
        self._filter = conditions
        self._read = files.reader()
        self._threads = threads
        self._index = index
        self._search = search
        self._by_folder = by_folder
        self._titles_only = titles_only
        self._patience = Patience(_SECONDS_OF_EXPRESSIONS)
        self._end: float | None = None
        self.unchecked = 0
        """Files, or names of tags, that were not looked at since the time was up."""

    async def answer(self, query: Query) -> Query:
        """Return a query of which the index can answer everything.

        A file that could not be checked in time is not found, neither by a condition nor by its negation.

        Raises:
            Invalid: when a regular expression is none.

        """
        if not reads_text(query):
            return await self._threads.read(self.of_names, query)
        return await self._answer(query, Everything(), negated=False)

    async def _answer(self, query: Query, where: Query, *, negated: bool) -> Query:
        """Answer a part of the query, of which only those files matter that meet ``where``."""
        match query:
            case And(parts, explicit):
                done: list[Query] = []
                for part in sorted(parts, key=cost_of):
                    done.append(await self._answer(part, both(where, *done), negated=negated))
                return And(tuple(done), explicit)
            case Or(parts):
                return Or(tuple([await self._answer(part, where, negated=negated) for part in parts]))
            case Not(part):
                return Not(await self._answer(part, where, negated=not negated))
            case Within(place) if place not in NAMES:
                return await self._by_text(query, where, negated=negated)
            case _:
                return await self._threads.read(self._by_name, query, negated=negated)

    def of_names(self, query: Query, *, negated: bool = False) -> Query:
        """Return what ``answer`` does for a query of which nothing needs the text of files; not on the loop."""
        match query:
            case And(parts, explicit):
                return And(tuple(self.of_names(part, negated=negated) for part in parts), explicit)
            case Or(parts):
                return Or(tuple(self.of_names(part, negated=negated) for part in parts))
            case Not(part):
                return Not(self.of_names(part, negated=not negated))
            case _:
                return self._by_name(query, negated=negated)

    def _by_name(self, query: Query, *, negated: bool) -> Query:
        """Answer what needs no text: by paths, tags and properties."""
        match query:
            case Term() | Phrase():
                return self.or_in_path(query)
            case Within(Place.TAG, part):
                tags = self._checked(self._view.tag_names(), name_check(part, self._patience), negated=negated)
                return Or(tuple(map(TagIs, tags))) if tags else OneOf(frozenset())
            case Within(place, part):
                fits = name_check(part, self._patience)
                paths = [path for path, _ in self._view.files()]
                named = (lambda path: fits(path.name)) if place is Place.NAME else fits
                return OneOf(self._checked(paths, named, negated=negated))
            case PropertyHas(name, part):
                return self._with_value(name, value_check(part, self._patience), negated=negated)
            case PropertyIs(name, value):
                found = self._with_value(name, is_check(value), negated=negated)
                # The catalog knows what else is equal: 5 and 5.0 for one, and that a note of no type is a note.
                return found if value is None else Or((query, found))
            case _:
                return query

    def _with_value(self, name: str, meets: ValueCheck, *, negated: bool) -> OneOf:
        values: dict[VaultPath, list[Json]] = {}
        for path, value in self._view.property_values(name):
            values.setdefault(path, []).append(value)
        return OneOf(self._checked(list(values), lambda path: any(map(meets, values[path])), negated=negated))

    def or_in_path(self, query: Term | Phrase) -> Query:
        """Let the words stand in the path too (S1); the names of files are in the index."""
        if self._titles_only:
            return query
        if "/" in query.text:
            return Or((query, PathHas(query.text)))
        holds = word_check(query)
        folders = {folder for folder in self._view.snapshot.folders if holds(_words_of(folder))}
        if not folders:
            return query
        held = self._by_folder.of(self._view)
        return Or((query, OneOf(frozenset(path for folder in folders for path in held.get(folder, ())))))

    async def _by_text(self, query: Within, where: Query, *, negated: bool) -> Query:
        if query.place is Place.CONTENT and is_for_the_index(query.query):
            return await self._threads.search(self._with_content, query.query)
        words = widened(query.query)
        if query.place is Place.FILE and isinstance(words, Term | Phrase):
            words = self.or_in_path(words)
        wanted = both(where, words)
        known: Query | None = None
        if query.place in _DONE:
            tasks, canvases = HasTask(_DONE[query.place]), OneOf(self._canvases())
            # All tasks of notes are in the catalog; only canvases have to be read for them.
            known = tasks if isinstance(query.query, Everything) else None
            wanted = both(wanted, canvases if known else Or((tasks, canvases)))
        paths, texts = await self._threads.search(self._candidates, wanted)
        found: Query = OneOf(await self._threads.read(self._with_text, query, paths, texts, negated=negated))
        if known:
            found = Or((known, found))
        return found if negated or self._titles_only else both(words, found)

    def _with_content(self, query: Query) -> Query:
        hits = self._search(SearchRequest(query, self._filter, limit=_ALL, body_only=True), self._view).hits
        found = OneOf(frozenset(hit.path for hit in hits if kind_of(hit.path) is not FileKind.ATTACHMENT))
        return found if self._titles_only else both(widened(query), found)

    def _canvases(self) -> frozenset[VaultPath]:
        return frozenset(path for path, _ in self._view.files() if kind_of(path) is FileKind.CANVAS)

    def _candidates(self, query: Query) -> tuple[Sequence[VaultPath], Texts]:
        """Return the files to look at, the likeliest first, and the texts that the index has of them."""
        if query == Everything():
            allowed = self._view.allowed(self._filter)
            newest = self._view.newest_first
            return newest if allowed is None else [path for path in newest if path in allowed], self._index.texts()
        hits = self._search(SearchRequest(query, self._filter, limit=_ALL), self._view).hits
        paths = [hit.path for hit in hits]
        return paths if hits and hits[0].score else newest_first(paths, self._view), self._index.texts()

    def _with_text(
        self, query: Within, paths: Sequence[VaultPath], texts: Texts, *, negated: bool
    ) -> frozenset[VaultPath]:
        check, likely, of_file = text_check(query, self._patience), _likely(query), query.place is Place.FILE
        if query.place is not Place.FILE:
            paths = [path for path in paths if _kind(path) is not FileKind.ATTACHMENT]

        def meets(path: VaultPath) -> bool | None:
            text = texts.of(path)
            if text is None:
                return self._meets(path, check, likely)
            # The index has only texts that may be seen, without what is for programs.
            if likely and not likely(b"%b\n%b" % (text, path.encode()) if of_file else text):
                return False
            return check(Document(path, text.decode()).whole) is not None

        with closing(texts):
            return self._checked(paths, meets, negated=negated)

    def _meets(self, path: VaultPath, check: TextCheck, likely: BytesCheck | None) -> bool | None:
        """Tell whether a file of which the index has no text meets a condition; ``None`` when it cannot be read."""
        kind = _kind(path)
        try:
            data = b"" if kind is FileKind.ATTACHMENT else self._read(path)
        except SidecarError:
            return None
        # What a canvas says is written there in another way.
        if likely and kind is not FileKind.CANVAS and not (likely(data) or likely(path.encode())):
            return False
        document = Document.of(path, data) if data else Document(path, "", ())
        if check(document.whole) is None:
            return False
        # Most files do not get here, so what may be seen of a text and what of it is for programs costs little.
        readable = document.readable()
        return _shows(document, self._view) and (readable is document or check(readable.whole) is not None)

    def _checked(self, items: Sequence[T], holds: Callable[[T], bool | None], *, negated: bool) -> frozenset[T]:
        """Return what meets a condition; where it is negated, also what may meet it, so that it is not found."""
        met: set[T] = set()
        unknown: set[T] = set()
        for number, item in enumerate(items):
            try:
                meets = self._in_time(holds, item)
            except OutOfTime:
                unknown.update(items[number:])
                self.unchecked += len(items) - number
                break
            if meets:
                met.add(item)
            elif meets is None:
                unknown.add(item)
        return frozenset(met | unknown if negated else met)

    def _in_time(self, holds: Callable[[T], bool | None], item: T) -> bool | None:
        if self._end is None:
            self._end = time.monotonic() + _SECONDS
        if time.monotonic() > self._end:
            raise OutOfTime
        return holds(item)


def _kind(path: VaultPath) -> FileKind:
    return FileKind.NOTE if path.endswith(".md") else kind_of(path)  # asked of thousands of notes in one search


def _likely(query: Within) -> BytesCheck | None:
    """Return what tells of a file's bytes, or its path's, whether it may meet the query: most need not be read."""
    return bytes_check(query.query if query.place is Place.FILE else query)
