"""The notes of a vault one after the other, and what completes a name that somebody began to type."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from heapq import nsmallest

from sidecar.errors import NotFound, Refused
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.services.caller import Caller
from sidecar.services.content import Content
from sidecar.services.raw_files import RawFile
from sidecar.services.threads import Threads
from sidecar.services.views import View, Views

__all__ = ["Completions", "ListedNote", "NoteList", "NotePage", "Place", "best_completions"]

_MOST = 100
"""Values in one completion: the protocol's limit."""
_LARGEST = 10_000_000
"""Bytes of one message that a client can be expected to take."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the list of notes, newest first; it stays one when notes come and go."""

    modified_ns: int
    path: VaultPath


@dataclass(frozen=True, slots=True)
class ListedNote:
    """A note, canvas or base. ``size`` is bytes."""

    path: VaultPath
    title: str
    modified_ns: int
    size: int


@dataclass(frozen=True, slots=True)
class NotePage:
    """A piece of the list; ``next`` is the place after which the next one begins."""

    notes: tuple[ListedNote, ...]
    next: Place | None


@dataclass(frozen=True, slots=True)
class Completions:
    """The best values for what was typed so far; ``total`` counts all that fit."""

    values: tuple[str, ...]
    total: int


class NoteList:
    """Lists a vault's notes, gives one by its path, and completes paths, folders and tags."""

    def __init__(self, views: Views, content: Content, threads: Threads) -> None:
        self._views = views
        self._content = content
        self._threads = threads

    async def page(self, caller: Caller, after: Place | None, size: int) -> NotePage:
        """Return the next notes in the order of their last change, newest first."""
        return await self._threads.read(self._page, caller, after, size)

    async def read(self, caller: Caller, path: str) -> RawFile:
        """Return the file at a path, written with or without ``.md``; other names of a note do not count here.

        Raises:
            NotFound: when there is none.
            Refused: when it is too large to hand over, or the path leads out of the vault.

        """
        wanted = VaultPath.of(path)
        if wanted:
            file = await self._content.read_file(caller, wanted)
            if file.path.key in (wanted.key, f"{wanted.key}.md"):
                if len(file.data) > _LARGEST:
                    raise Refused(f"'{path}' is too large to read at once.", hint="read_note gives it line by line.")
                return file
        raise NotFound(f"There is no note at '{path}'.")

    async def paths(self, caller: Caller, typed: str) -> Completions:
        """Complete the path of a note."""
        return await self._complete(caller, typed, _paths)

    async def folders(self, caller: Caller, typed: str) -> Completions:
        """Complete the path of a folder."""
        return await self._complete(caller, typed, _folders)

    async def tags(self, caller: Caller, typed: str) -> Completions:
        """Complete a tag, typed with or without its ``#``."""
        return await self._complete(caller, typed.lstrip("#"), View.tag_names)

    async def titles(self, caller: Caller, typed: str) -> Completions:
        """Complete the title of a note."""
        return await self._complete(caller, typed, _titles)

    async def _complete(self, caller: Caller, typed: str, of: Callable[[View], Iterable[str]]) -> Completions:
        def complete() -> Completions:
            return best_completions(typed, of(self._views.newest(caller.audience)))

        return await self._threads.read(complete)

    def _page(self, caller: Caller, after: Place | None, size: int) -> NotePage:
        view = self._views.newest(caller.audience)
        behind = (-after.modified_ns, after.path) if after else None
        keys = ((-state.mtime_ns, path) for path, state in view.files() if kind_of(path) is not FileKind.ATTACHMENT)
        found = nsmallest(size + 1, (key for key in keys if behind is None or key > behind))
        shown = [path for _, path in found[:size]]
        titles = view.titles_of(shown)
        notes = tuple(
            ListedNote(path, titles.get(path, path.basename), state.mtime_ns, state.size)
            for path in shown
            if (state := view.state(path))
        )
        more = len(found) > size
        return NotePage(notes, Place(notes[-1].modified_ns, notes[-1].path) if more else None)


def best_completions(typed: str, names: Iterable[str]) -> Completions:
    """Rank names: those that begin with what was typed, then those of whose parts one does, then any that hold it."""
    wanted = typed.lower()

    def rank(name: str) -> tuple[int, str, str]:
        said = name.lower()
        begins = 0 if said.startswith(wanted) else 1 if said.rpartition("/")[2].startswith(wanted) else 2
        return begins, said, name

    fitting = {name for name in names if wanted in name.lower()}
    return Completions(tuple(nsmallest(_MOST, fitting, key=rank)), len(fitting))


def _paths(view: View) -> Iterable[str]:
    return (path for path, _ in view.files() if kind_of(path) is not FileKind.ATTACHMENT and path not in view.excluded)


def _titles(view: View) -> Iterable[str]:
    return (named.title for named in view.names() if kind_of(named.path) is not FileKind.ATTACHMENT)


def _folders(view: View) -> Iterable[str]:
    return (folder for folder in view.snapshot.folders if view.sees_folder(folder))
