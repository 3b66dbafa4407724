"""What agents changed, and the way back."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sidecar.dates.timeframe import since as since_moment
from sidecar.errors import Invalid, NotFound, Refused, SidecarError
from sidecar.journal.intents import SqliteJournal
from sidecar.journal.proposals import is_proposal
from sidecar.journal.undo import UndoConflict, plan_undo
from sidecar.model.change import ChangeSet, ChangeState, Entry, EntryRecord, Op, RecordedChange
from sidecar.model.path import VaultPath
from sidecar.services.caller import Caller
from sidecar.services.commit import Committer, Plan
from sidecar.services.lookup import find_file
from sidecar.services.proposals import Proposals, ShownProposal
from sidecar.services.threads import Threads
from sidecar.services.versions import short_diff
from sidecar.services.views import View, Views
from sidecar.vault import trash
from sidecar.vault.files import VaultFiles

__all__ = ["ChangeShown", "History", "HistoryPage", "Undone"]


@dataclass(frozen=True, slots=True)
class ChangeShown:
    """A change, with a diff of each of its files where that was asked for."""

    change: RecordedChange
    diffs: tuple[tuple[VaultPath, str], ...] = ()


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Changes, newest first. ``proposal``: the one that was asked for, with the change that carried it out."""

    changes: tuple[ChangeShown, ...]
    proposal: ShownProposal | None = None


@dataclass(frozen=True, slots=True)
class Undone:
    """What was taken back (or would be), and how each file changed by it."""

    undone: tuple[str, ...]
    dry_run: bool
    diffs: tuple[tuple[VaultPath, str], ...]
    change: str | None
    """Id of the change that did it; undoing that brings everything back."""
    entries: tuple[Entry, ...] = ()
    """What it did, file by file, as far as the caller may see it."""


class History:
    """Reads the journal and plans the way back."""

    def __init__(
        self,
        journal: SqliteJournal,
        committer: Committer,
        views: Views,
        files: VaultFiles,
        threads: Threads,
        project: str,
        proposals: Proposals,
    ) -> None:
        self._journal = journal
        self._committer = committer
        self._views = views
        self._files = files
        self._threads = threads
        self._project = project
        self._proposals = proposals

    async def list(
        self,
        caller: Caller,
        *,
        identifier: str | None = None,
        change: str | None = None,
        client: str | None = None,
        since: str | None = None,
        limit: int = 20,
        diff: bool = False,
    ) -> HistoryPage:
        """Show recorded changes, of one note, one client or one id; ``change`` may be the id of a proposal too.

        Raises:
            NotFound: when there is no such change or proposal.

        """
        return await self._threads.read(self._list, caller, identifier, change, client, since, limit, diff)

    def _list(
        self,
        caller: Caller,
        identifier: str | None,
        change: str | None,
        client: str | None,
        since: str | None,
        limit: int,
        diff: bool,
    ) -> HistoryPage:
        view = self._views.newest(caller.audience)
        proposal = None
        if change is not None and is_proposal(change):
            proposal = self._proposals.outcome(view, change)
            change = proposal.proposal.recorded
            if change is None:
                return HistoryPage((), proposal)
        if change is not None:
            one = self._journal.change(change)
            visible: Sequence[RecordedChange] = (one,) if _visible(view, one) else ()
        else:
            path = self._path(view, identifier) if identifier else None
            visible = self._newest(view, limit, path=path, client=client, since_ns=_moment(since))
        if change is not None and not visible and proposal is None:
            raise NotFound(f"There is no change '{change}'.", hint="history lists the changes there are.")
        wanted = diff or change is not None
        shown = [_shown_to(view, c) for c in visible]
        return HistoryPage(tuple(ChangeShown(c, self._diffs(c) if wanted else ()) for c in shown), proposal)

    def _newest(
        self,
        view: View,
        limit: int,
        *,
        path: VaultPath | None = None,
        client: str | None = None,
        since_ns: int | None = None,
    ) -> Sequence[RecordedChange]:
        """Return the newest changes that may be seen; those that may not count for nothing, not even for the limit."""
        asked = limit
        while True:
            found = self._journal.changes(path=path, client=client, since_ns=since_ns, limit=asked)
            visible = [c for c in found if _visible(view, c)]
            if len(visible) >= limit or len(found) < asked:
                return visible[:limit]
            asked *= 4

    def _path(self, view: View, identifier: str) -> VaultPath:
        try:
            return find_file(view, identifier, project=self._project)
        except NotFound:
            path = VaultPath.of(identifier)  # it may have been deleted or undone since
            for candidate in (path, VaultPath(f"{path}.md")):
                if view.sees(candidate) and self._journal.changes(path=candidate, limit=1):
                    return candidate
            raise

    def _diffs(self, change: RecordedChange) -> tuple[tuple[VaultPath, str], ...]:
        return tuple(
            (entry.path, short_diff(self._bytes(entry.before), self._bytes(entry.after)))
            for entry in change.entries
            if entry.op is not Op.MOVE or entry.after is not None
        )

    def _bytes(self, digest: str | None) -> bytes:
        if digest is None:
            return b""
        try:
            return self._journal.blob(digest)
        except SidecarError:
            return b"(no longer kept)"

    async def undo(
        self,
        caller: Caller,
        *,
        change: str | None = None,
        session: str | None = None,
        since: str | None = None,
        dry_run: bool = False,
        reason: str | None = None,
    ) -> Undone:
        """Take back one change, a session, or all since a time; by default this client's last change.

        Raises:
            NotFound: when there is nothing to take back.
            Refused: when a file was changed since in the same place, with the diff.
            Invalid: when more than one of change, session and since is given.

        """
        if sum(x is not None for x in (change, session, since)) > 1:
            raise Invalid("Give one of change, session and since, not several.")

        def plan(view: View) -> Plan[tuple[ChangeSet, tuple[Entry, ...], tuple[tuple[VaultPath, str], ...]]]:
            changes = [c for c in self._chosen(view, caller, change, session, since) if _visible(view, c)]
            if not changes:
                raise NotFound("There is nothing to undo.", hint="history lists what was changed, and by whom.")
            planned = self._undoing(view, changes, reason)
            seen = tuple(e for e in planned.entries if all(map(view.sees, _paths(e))))
            return Plan(planned, (planned, seen, tuple((e.path, self._difference(e)) for e in seen)))

        done = await self._committer.apply(plan, caller, dry_run=dry_run)
        planned, entries, diffs = done.about
        return Undone(planned.undoes, dry_run, diffs, done.recorded.id if done.recorded else None, entries)

    def _undoing(self, view: View, changes: Sequence[RecordedChange], reason: str | None) -> ChangeSet:
        try:
            return plan_undo(changes, self._current, self._journal.blob, self._has_folder, reason=reason)
        except UndoConflict as conflict:
            if view.sees(conflict.path):
                raise
            raise Refused(
                "A link that the change mended was changed since, where only the user may see it.",
                hint="Ask the user to undo it: vault-sidecar undo.",
            ) from None

    def _difference(self, entry: Entry) -> str:
        now = self._current(entry.path) or b""
        if entry.to is None:
            return short_diff(now, entry.after or b"")
        moved = f"moved to {entry.to}"
        return moved if entry.after is None else f"{moved}\n{short_diff(now, entry.after)}"

    def _chosen(
        self, view: View, caller: Caller, change: str | None, session: str | None, since: str | None
    ) -> Sequence[RecordedChange]:
        if change is not None:
            return (self._journal.change(change),)
        if session is not None or since is not None:
            found = self._journal.changes(session=session, since_ns=_moment(since), limit=10_000)
            return [c for c in found if _may_be_undone(c)]
        mine = self._newest(view, 100, client=caller.author.client)
        return [c for c in mine if _may_be_undone(c)][:1]

    def _current(self, path: VaultPath) -> bytes | None:
        return trash.current(self._files, path)

    def _has_folder(self, path: VaultPath) -> bool:
        return trash.has_folder(self._files, path)


def _moment(text: str | None) -> int | None:
    return since_moment(text, time.time_ns()) if text else None


def _may_be_undone(change: RecordedChange) -> bool:
    return change.state is ChangeState.DONE and change.undone_by is None and not change.undoes


def _visible(view: View, change: RecordedChange) -> bool:
    """Tell whether the audience may know of a change: it then sees all of it but the links mended in hidden files."""
    return all(view.sees(path) for e in change.entries if e.path not in change.mended for path in _paths(e))


def _shown_to(view: View, change: RecordedChange) -> RecordedChange:
    return replace(change, entries=tuple(e for e in change.entries if all(map(view.sees, _paths(e)))))


def _paths(entry: Entry | EntryRecord) -> tuple[VaultPath, ...]:
    return (entry.path,) if entry.to is None else (entry.path, entry.to)
