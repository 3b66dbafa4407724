"""From a plan to a recorded change or a proposal: planning on the writer thread, access rules, the sink, retries."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, NoReturn, TypeVar

from sidecar.errors import Refused, SidecarError, Stale, Unavailable
from sidecar.journal.proposals import ProposalStore
from sidecar.model.change import ChangeSet, Entry, Op, RecordedChange
from sidecar.model.path import VaultPath
from sidecar.model.ports import ChangeSink
from sidecar.pipeline.pipeline import Pipeline
from sidecar.pipeline.writer_thread import WriterThread
from sidecar.services.caller import Audience, Caller
from sidecar.services.pending import ChangePending, Pending
from sidecar.services.views import View, Views
from sidecar.vault.changes import checked
from sidecar.vault.files import VaultFiles

__all__ = ["Committed", "Committer", "Forbidden", "Plan"]

T = TypeVar("T")
_ATTEMPTS = 3


class Forbidden(Refused):
    """The user's rules keep agents from a file; whether it is there the message does not tell."""

    def __init__(self, path: VaultPath) -> None:
        super().__init__(
            f"The user's access rules do not let agents change '{path}'.",
            hint="Ask the user; the rules are in config.toml and in .mcpignore at the vault's root.",
        )


@dataclass(frozen=True, slots=True)
class Plan(Generic[T]):
    """What a service wants done, and what it will need to word the result."""

    change: ChangeSet
    about: T


@dataclass(frozen=True, slots=True)
class Committed(Generic[T]):
    """A plan that was carried out. ``recorded`` is ``None`` when there was nothing to do or on a dry run."""

    recorded: RecordedChange | None
    about: T
    view: View
    """The vault after the change."""


class Committer:
    """Carries out plans, one after another."""

    def __init__(
        self,
        writer: WriterThread,
        sink: ChangeSink,
        views: Views,
        pipeline: Pipeline,
        files: VaultFiles,
        proposals: ProposalStore,
    ) -> None:
        self._writer = writer
        self._sink = sink
        self._views = views
        self._pipeline = pipeline
        self._files = files
        self._proposals = proposals

    async def apply(self, plan: Callable[[View], Plan[T]], caller: Caller, *, dry_run: bool = False) -> Committed[T]:
        """Plan and apply on the writer thread; plan again when the disk changed in between.

        Cancelled before the writer takes it, nothing happens; after that it is finished and journaled.

        Raises:
            Refused: when the user's rules forbid one of the entries.
            Stale: when a file keeps changing.
            ChangePending: when the user wants to be asked before; the plan is kept, and nothing written.

        """
        return await asyncio.wrap_future(self._writer.submit(lambda: self.apply_here(plan, caller, dry_run=dry_run)))

    def index_now(self, path: VaultPath) -> bool:
        """Take a file into the catalog that is on disk but was not seen yet; tell whether it is there."""
        if self._files.stat(path) is None:
            return False
        if self._writer.here():
            self._pipeline.look_now([path])
        else:
            self._writer.submit(lambda: self._pipeline.look_now([path])).result()
        return True

    def apply_here(self, plan: Callable[[View], Plan[T]], caller: Caller, *, dry_run: bool = False) -> Committed[T]:
        """Do what ``apply`` does, for those who are on the writer thread already."""
        for attempt in range(_ATTEMPTS):
            planned = plan(self._views.newest(caller.audience))
            change = planned.change
            view = self._views.newest(caller.audience)
            _check_rules(view, change)
            if dry_run or not (change.entries or change.emptied or change.folders):
                return Committed(None, planned.about, view)
            try:
                if _asks_before(view, change):
                    raise ChangePending(self._propose(view, change, caller))
                recorded = self._sink.apply(change, caller.author)
            except SidecarError as error:
                if attempt == _ATTEMPTS - 1 or not isinstance(error, Stale):
                    _raise_told(error, view, change)
                self._pipeline.look_now([entry.path for entry in change.entries])
                continue
            return Committed(recorded, planned.about, self._views.newest(caller.audience))
        raise AssertionError("unreachable")

    def _propose(self, view: View, change: ChangeSet, caller: Caller) -> Pending:
        kept = self._proposals.add(change, caller.author, checked(self._files, change))
        seen = (path for entry in change.entries for path in _seen_paths(view, change, entry))
        return Pending(kept.id, change.summary, tuple(dict.fromkeys(seen)), kept.expires)


def _raise_told(error: SidecarError, view: View, change: ChangeSet) -> NoReturn:
    """Raise what may be said of a failure: its own words may name a file that only the user may know of."""
    if all(map(view.sees, change.mended)):
        raise error
    raise Unavailable(
        "A file whose links are to follow could not be written; nothing was changed.",
        hint="Try again, or ask the user to do it in Obsidian.",
    ) from None


def _check_rules(view: View, change: ChangeSet) -> None:
    if view.audience is Audience.PERSON:
        return
    for entry in change.entries:
        for path in _seen_paths(view, change, entry):
            if not view.may_change(path):
                raise Forbidden(path)


def _asks_before(view: View, change: ChangeSet) -> bool:
    paths = (path for entry in change.entries for path in _seen_paths(view, change, entry))
    return any(map(view.asks_before, paths)) or any(map(view.asks_before_folder, (*change.folders, *change.emptied)))


def _seen_paths(view: View, change: ChangeSet, entry: Entry) -> tuple[VaultPath, ...]:
    """Return what an entry names; nothing where only links are mended and the audience may not know of it."""
    if entry.op is Op.REPLACE and entry.path in change.mended and not view.sees(entry.path):
        return ()
    return (entry.path,) if entry.to is None else (entry.path, entry.to)
