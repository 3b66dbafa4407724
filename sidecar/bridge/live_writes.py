"""Changes of files that are open in Obsidian are made by the app, so that its tabs and undo stay (design: writing)."""

import dataclasses
from collections.abc import Collection
from dataclasses import dataclass
from time import monotonic

from sidecar.bridge.context import AppContexts
from sidecar.bridge.live_steps import LiveSteps, UnsavedInObsidian
from sidecar.bridge.polls import Polls
from sidecar.bridge.requests import Request, Requests
from sidecar.errors import SidecarError, Unavailable
from sidecar.journal.traces import holds
from sidecar.model.change import Author, ChangeSet, ChangeState, RecordedChange
from sidecar.model.path import VaultPath
from sidecar.model.ports import Journal
from sidecar.pipeline.events import EventHub
from sidecar.vault.changes import DiskSink, OutcomeUnknown, recover
from sidecar.vault.files import VaultFiles
from sidecar.vault.rollback import is_carried_out

__all__ = ["LiveSink"]

_GIVEN_UP = 60.0
"""Seconds after which a client that was silent is not expected to write any more."""
_SAME_ANSWER = 1.0
"""Seconds for which a conflict is not asked about again: planning anew on the same bytes changes nothing."""


@dataclass(frozen=True, slots=True)
class _Unsettled:
    """A change that the app may have done or not."""

    paths: frozenset[VaultPath]
    request: Request
    since: float


@dataclass(frozen=True, slots=True)
class _Conflict:
    path: VaultPath
    before: str | None
    at: float


class LiveSink:
    """Implements ``ChangeSink`` over the one for the disk. Where no app is connected it adds nothing."""

    def __init__(
        self,
        disk: DiskSink,
        requests: Requests,
        polls: Polls,
        contexts: AppContexts,
        files: VaultFiles,
        journal: Journal,
    ) -> None:
        self._disk = disk
        self._requests = requests
        self._polls = polls
        self._contexts = contexts
        self._files = files
        self._journal = journal
        self._unsettled: list[_Unsettled] = []
        self._conflict: _Conflict | None = None
        self.settled: EventHub[RecordedChange] = EventHub()
        """Tells of changes that turned out to be done after their outcome had been unknown."""

    def apply(self, change: ChangeSet, author: Author) -> RecordedChange:
        """Apply all entries or none; those of open files by the app.

        Raises:
            UnsavedInObsidian: when the person typed what is not saved yet.
            OutcomeUnknown: when the app took a file on and did not say what came of it.
            Unavailable: when that is still so for a file of this change.
            SidecarError: what the sink for the disk raises.

        """
        touched = {path for entry in change.entries for path in (entry.path, entry.to) if path is not None}
        self._check_settled(touched)
        client = self._polls.newest
        context = self._contexts.of(client) if client is not None else None
        if client is None or context is None or touched.isdisjoint({*context.open_files, *context.unsaved}):
            return self._disk.apply(change, author)
        self._check_saved(change, context.unsaved)
        return self._apply_live(change, author, client, frozenset(context.open_files))

    @property
    def is_unsettled(self) -> bool:
        """Whether the outcome of a change is not known yet; callable from any thread."""
        return bool(self._unsettled)

    def settle(self) -> None:
        """End open changes whose outcome is known by now; on the writer thread."""
        if not self._unsettled or not (all(map(self._is_over, self._unsettled)) or self._all_done()):
            return
        try:
            ended = recover(self._files, self._journal, holds)
        except SidecarError:
            return  # the vault's folder is away; the next change, or the next start, tries again
        self._unsettled.clear()
        for recovery in ended:
            if recovery.change.state is ChangeState.DONE:
                self.settled.publish(recovery.change)

    def _check_settled(self, touched: Collection[VaultPath]) -> None:
        self.settle()
        for one in self._unsettled:
            if not one.paths.isdisjoint(touched):
                path = min(one.paths.intersection(touched))
                raise Unavailable(
                    f"Obsidian has not said yet what became of the last change of '{path}'.",
                    hint="Wait a minute, then read it again and decide anew.",
                    data={"path": path},
                )

    def _check_saved(self, change: ChangeSet, unsaved: Collection[VaultPath]) -> None:
        """Refuse at once what the app would refuse."""
        known = self._conflict
        for entry in change.entries:
            is_same = known is not None and (known.path, known.before) == (entry.path, entry.before)
            if entry.path in unsaved or (is_same and known is not None and monotonic() - known.at < _SAME_ANSWER):
                raise UnsavedInObsidian(entry.path)

    def _apply_live(
        self, change: ChangeSet, author: Author, client: str, open_files: Collection[VaultPath]
    ) -> RecordedChange:
        steps = LiveSteps(self._requests, client, open_files)
        # What may be refused goes first: then there is the least to take back.
        entries = tuple(sorted(change.entries, key=lambda entry: entry.path not in open_files))
        try:
            return self._disk.apply(dataclasses.replace(change, entries=entries), author, by=steps.carry_out)
        except UnsavedInObsidian as error:
            before = next((entry.before for entry in entries if entry.path == error.path), None)
            self._conflict = _Conflict(error.path, before, monotonic())
            raise
        except OutcomeUnknown:
            paths = {path for entry in entries for path in (entry.path, entry.to) if path is not None}
            if steps.last is not None:
                self._unsettled.append(_Unsettled(frozenset(paths), steps.last, monotonic()))
            raise

    def _is_over(self, one: _Unsettled) -> bool:
        return (
            one.request.is_over or not self._polls.is_present(one.request.client) or monotonic() - one.since > _GIVEN_UP
        )

    def _all_done(self) -> bool:
        return all(
            is_carried_out(self._files, entry) for change in self._journal.open_changes() for entry in change.entries
        )
