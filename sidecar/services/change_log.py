"""The journal as the person sees it: page by page with counts of lines, hunk by hunk, and undone on request."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from sidecar.errors import Invalid, SidecarError
from sidecar.journal.intents import SqliteJournal
from sidecar.model.change import Entry, EntryRecord, Op, RecordedChange
from sidecar.model.path import VaultPath
from sidecar.pipeline.events import EventHub
from sidecar.services.caller import Audience, Caller
from sidecar.services.file_diff import FileDiff, file_diff
from sidecar.services.history import History
from sidecar.services.hunks import LineCounts, line_counts
from sidecar.services.threads import Threads
from sidecar.services.views import View, Views
from sidecar.vault import trash
from sidecar.vault.files import VaultFiles

__all__ = ["ChangeDiff", "ChangeLog", "ChangePage", "EntryShown", "ShownChange", "TakenBack"]

_COUNTS_KEPT = 4_096


@dataclass(frozen=True, slots=True)
class EntryShown:
    """What a change did to one file. Lines are counted where it is text."""

    op: Op
    path: VaultPath
    to: VaultPath | None
    added: int | None
    removed: int | None
    hidden: bool
    """Agents may not see the file."""


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A change with what it did to each file."""

    change: RecordedChange
    entries: tuple[EntryShown, ...]


@dataclass(frozen=True, slots=True)
class ChangePage:
    """Changes, newest first. ``before`` is the id behind which the list goes on, if it does."""

    changes: tuple[ShownChange, ...]
    before: str | None


@dataclass(frozen=True, slots=True)
class ChangeDiff:
    """A change hunk by hunk."""

    id: str
    files: tuple[FileDiff, ...]


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The changes that were undone, or would be, and what that does to each file."""

    undone: tuple[str, ...]
    files: tuple[FileDiff, ...]
    change: str | None
    """Id of the change that did it; ``None`` when it was only asked what would happen."""


class ChangeLog:
    """Shows the journal to the person, from whom nothing is hidden."""

    def __init__(
        self,
        journal: SqliteJournal,
        history: History,
        views: Views,
        files: VaultFiles,
        threads: Threads,
        recorded: EventHub[RecordedChange],
    ) -> None:
        self._journal = journal
        self._history = history
        self._views = views
        self._files = files
        self._threads = threads
        self._recorded = recorded
        self._counts = lru_cache(_COUNTS_KEPT)(self._counted)

    def subscribe(self, listener: Callable[[RecordedChange], object]) -> Callable[[], None]:
        """Call ``listener`` after each change, on the thread that wrote; the result unsubscribes."""
        return self._recorded.subscribe(listener)

    def newest(self) -> str | None:
        """Return the id of the last change there is; callable from any thread."""
        found = self._journal.changes(limit=1)
        return found[0].id if found else None

    async def page(
        self, *, before: str | None = None, limit: int = 50, client: str | None = None, session: str | None = None
    ) -> ChangePage:
        """Return changes older than ``before``, newest first, of one client or session if that is given."""
        return await self._threads.read(self._page, before, limit, client, session)

    def _page(self, before: str | None, limit: int, client: str | None, session: str | None) -> ChangePage:
        view = self._views.newest(Audience.PERSON)
        found = self._journal.changes(client=client, session=session, before=before, limit=limit + 1)
        shown = tuple(self._shown(view, change) for change in found[:limit])
        return ChangePage(shown, shown[-1].change.id if len(found) > limit else None)

    async def diff(self, change: str) -> ChangeDiff:
        """Return one change hunk by hunk.

        Raises:
            NotFound: when there is no such change.
            Ambiguous: when several begin so.

        """
        return await self._threads.read(self._diff, change)

    def _diff(self, change: str) -> ChangeDiff:
        found = self._journal.change(change)
        return ChangeDiff(found.id, tuple(self._file(entry) for entry in found.entries))

    async def undo(
        self,
        caller: Caller,
        *,
        change: str | None = None,
        session: str | None = None,
        since: str | None = None,
        mode: Literal["check", "apply"] = "check",
    ) -> TakenBack:
        """Take back one change, a session, or all since a time, or tell what that would do.

        Raises:
            Invalid: unless exactly one of change, session and since is given.
            NotFound: when there is nothing to take back.
            Refused: when a file was changed since in the same place, with the diff.

        """
        if sum(x is not None for x in (change, session, since)) != 1:
            raise Invalid("Give one of change, session and since.")
        done = await self._history.undo(
            caller, change=change, session=session, since=since, dry_run=mode == "check", reason=None
        )
        if done.change is not None:
            return TakenBack(done.undone, (await self.diff(done.change)).files, done.change)
        return TakenBack(done.undone, await self._threads.read(self._planned, done.entries), None)

    def _planned(self, entries: Sequence[Entry]) -> tuple[FileDiff, ...]:
        return tuple(
            file_diff(e.op, e.path, e.to, trash.current(self._files, e.path) or b"", _after(e)) for e in entries
        )

    def _shown(self, view: View, change: RecordedChange) -> ShownChange:
        return ShownChange(change, tuple(self._entry(view, entry) for entry in change.entries))

    def _entry(self, view: View, entry: EntryRecord) -> EntryShown:
        counts = self._counts(entry.before, entry.after) if _touches_text(entry) else (0, 0)
        added, removed = counts if counts is not None else (None, None)
        hidden = any(view.hides_from_agents(path) for path in (entry.path, entry.to) if path is not None)
        return EntryShown(entry.op, entry.path, entry.to, added, removed, hidden)

    def _counted(self, before: str | None, after: str | None) -> LineCounts | None:
        old, new = self._bytes(before), self._bytes(after)
        return None if old is None or new is None else line_counts(old, new)

    def _file(self, entry: EntryRecord) -> FileDiff:
        if not _touches_text(entry):
            return FileDiff(entry.op, entry.path, entry.to, binary=False, hunks=())
        old, new = self._bytes(entry.before), self._bytes(entry.after)
        if old is None or new is None:
            return FileDiff(entry.op, entry.path, entry.to, binary=True, hunks=())
        return file_diff(entry.op, entry.path, entry.to, old, new)

    def _bytes(self, digest: str | None) -> bytes | None:
        """Return stored bytes; ``None`` when they are past their time."""
        try:
            return b"" if digest is None else self._journal.blob(digest)
        except SidecarError:
            return None


def _after(entry: Entry) -> bytes | None:
    """Return the bytes a planned entry leaves; what goes to the trash leaves none."""
    return entry.after if entry.to is not None or entry.op is not Op.TRASH else b""


def _touches_text(entry: EntryRecord) -> bool:
    return entry.op is not Op.MOVE or entry.after is not None
