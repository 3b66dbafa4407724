"""Whether the answer to a question about the vault is still what it was, for those who want to hear of changes."""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from sidecar.errors import SidecarError
from sidecar.model.file import FileState
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.model.ports import Changed, Events
from sidecar.model.search import TagIs
from sidecar.services.caller import Caller
from sidecar.services.search import Search
from sidecar.services.threads import Threads
from sidecar.services.views import View, Views

__all__ = ["Subject", "SubjectKind", "WatchedVault"]

_HITS = 50
"""Results of a search that are compared; what comes behind them changes unnoticed."""


class SubjectKind(StrEnum):
    """What can be watched."""

    LIST = "list"
    """Which notes there are, not what they say."""
    NOTE = "note"
    FOLDER = "folder"
    TAG = "tag"
    SEARCH = "search"


@dataclass(frozen=True, slots=True)
class Subject:
    """One thing to watch: ``text`` is a path, a tag or a query."""

    kind: SubjectKind
    text: str = ""

    def may_differ(self, changed: Iterable[VaultPath]) -> bool:
        """Tell whether it is worth asking anew after these files changed."""
        match self.kind:
            case SubjectKind.LIST:
                return any(kind_of(path) is not FileKind.ATTACHMENT for path in changed)
            case SubjectKind.NOTE:
                wanted = VaultPath(self.text).key
                return any(path.key in (wanted, f"{wanted}.md") for path in changed)
            case SubjectKind.FOLDER:
                return any(_is_in(path, self.text) for path in changed)
            case _:
                return True


class WatchedVault:
    """Answers what is compared, as the caller may see it, and tells when it is time to ask."""

    def __init__(self, views: Views, search: Search, threads: Threads, events: Events) -> None:
        self._views = views
        self._search = search
        self._threads = threads
        self._events = events

    def subscribe(self, listener: Callable[[Changed], None]) -> Callable[[], None]:
        """Call ``listener`` whenever files changed, on the thread that wrote; the result unsubscribes."""
        return self._events.subscribe(listener)

    async def answer(self, caller: Caller, subject: Subject) -> Hashable:
        """Return something that is equal as long as nothing changed about a subject.

        What is not there, not to be seen or not to be understood has the answer ``None``.
        """
        if subject.kind is SubjectKind.SEARCH:
            return await self._found(caller, subject.text)
        return await self._threads.read(self._answer, caller, subject)

    async def _found(self, caller: Caller, query: str) -> Hashable:
        try:
            results = await self._search.find(caller, query=query, page_size=_HITS)
            view = await self._threads.read(self._views.newest, caller.audience)
        except SidecarError:
            return None
        return results.total, tuple((found.path, _seen(view, found.path)) for found in results.results)

    def _answer(self, caller: Caller, subject: Subject) -> Hashable:
        try:
            view = self._views.newest(caller.audience)
        except SidecarError:
            return None
        match subject.kind:
            case SubjectKind.LIST:
                return hash(frozenset(view.snapshot.files.keys() - view.hidden))
            case SubjectKind.NOTE:
                path = view.find(subject.text)
                return path and (path, _seen(view, path))
            case SubjectKind.FOLDER:
                return hash(
                    frozenset((path, _mark(state)) for path, state in view.files() if _is_in(path, subject.text))
                )
            case _:
                return hash(frozenset((path, _seen(view, path)) for path in view.matching(TagIs(subject.text))))


def _is_in(path: VaultPath, folder: str) -> bool:
    return VaultPath(path.key).is_under(folder.lower())


def _seen(view: View, path: VaultPath) -> Hashable:
    state = view.state(path)
    return state and _mark(state)


def _mark(state: FileState) -> Hashable:
    """Return what tells one text of a file from another."""
    return state.hash or (state.mtime_ns, state.size)
