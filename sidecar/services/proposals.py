"""Changes that wait for the person's decision: shown, accepted wholly or in part, rejected, looked up."""

import asyncio
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from sidecar.errors import NotFound, SidecarError, Stale, Unavailable
from sidecar.journal.intents import SqliteJournal
from sidecar.journal.proposals import ProposalStore
from sidecar.model.change import ChangeSet, ChangeState, Entry, RecordedChange
from sidecar.model.path import VaultPath
from sidecar.model.proposal import Proposal, ProposalNews, ProposalState
from sidecar.pipeline.events import EventHub
from sidecar.pipeline.writer_thread import WriterThread
from sidecar.services.caller import Audience, Caller
from sidecar.services.choosing import OfferedFile, chosen_of, is_whole, offered
from sidecar.services.commit import Committer, Plan
from sidecar.services.relink import Relinker
from sidecar.services.replan import Replanner
from sidecar.services.threads import Threads
from sidecar.services.views import View, Views
from sidecar.vault import trash
from sidecar.vault.files import VaultFiles

__all__ = ["Chosen", "Decided", "Proposals", "ProposedFile", "ShownProposal"]

_MOST_SHOWN = 200
Chosen = Mapping[VaultPath, Collection[str] | None]
"""By file the ids of its hunks, or ``None`` for all of them."""


class Decided(Stale):
    """The proposal waits no more; ``data`` has what became of it."""

    category = "gone"

    def __init__(self, proposal: Proposal) -> None:
        super().__init__(
            f"The proposal {proposal.id} is {proposal.state} already.",
            data={"state": proposal.state.value, "change": proposal.recorded},
        )


@dataclass(frozen=True, slots=True)
class ProposedFile:
    """What would become of one file; ``hidden``: agents may not see it."""

    offered: OfferedFile
    hidden: bool


@dataclass(frozen=True, slots=True)
class ShownProposal:
    """A proposal with what it would do now, file by file; where it is stale, with what it would have done."""

    proposal: Proposal
    stale: str | None
    """Why it cannot be accepted as things are."""
    is_whole: bool
    """No parts of it can be chosen."""
    files: tuple[ProposedFile, ...]


class Proposals:
    """Lets the person decide. Each decision is made on the writer thread, one after another."""

    def __init__(
        self,
        store: ProposalStore,
        journal: SqliteJournal,
        committer: Committer,
        writer: WriterThread,
        views: Views,
        files: VaultFiles,
        relinker: Relinker,
        threads: Threads,
        news: EventHub[ProposalNews],
    ) -> None:
        self._store = store
        self._journal = journal
        self._committer = committer
        self._writer = writer
        self._views = views
        self._files = files
        self._replanner = Replanner(files, relinker, journal)
        self._threads = threads
        self._news = news

    def subscribe(self, listener: Callable[[ProposalNews], object]) -> Callable[[], None]:
        """Call ``listener`` for each proposal that comes or is decided; the result unsubscribes."""
        return self._news.subscribe(listener)

    def recover(self) -> None:
        """Find out of proposals that were begun whether they were carried out; nobody may be at it meanwhile."""
        for proposal in self._store.begun():
            self._settle(proposal)
        self._store.expire()

    def waiting(self) -> int:
        """Count the proposals that wait for a decision; callable from any thread."""
        return self._store.waiting()

    async def list(self, state: ProposalState | None = None) -> tuple[ShownProposal, ...]:
        """Return the newest proposals, of one state if that is given."""
        return await self._threads.read(self._list, state)

    async def show(self, identifier: str) -> ShownProposal:
        """Return one proposal.

        Raises:
            NotFound: when there is none, or it is past its time.

        """
        return await self._threads.read(lambda: self._shown(self._known(identifier)))

    async def accept(self, identifier: str, chosen: Chosen | None = None) -> ShownProposal:
        """Carry out a proposal as its agent's change, planned on the files as they are now; or only what was chosen.

        Raises:
            NotFound: when there is none, or it is past its time.
            Decided: when it was accepted or rejected before, or waited too long.
            Stale: when it no longer fits the files, or looks different by now. It waits on.
            Unavailable: when it is being carried out by Obsidian.
            Invalid: when parts were chosen that are none, or nothing.

        """
        await asyncio.wrap_future(self._writer.submit(lambda: self._accept(identifier, chosen)))
        return await self.show(identifier)

    async def reject(self, identifier: str, reason: str | None = None) -> ShownProposal:
        """Let nothing come of a proposal; its agent can read why.

        Raises:
            NotFound: when there is none, or it is past its time.
            Decided: when it was accepted or rejected before, or waited too long.

        """
        await asyncio.wrap_future(self._writer.submit(lambda: self._reject(identifier, reason)))
        return await self.show(identifier)

    def outcome(self, view: View, identifier: str) -> ShownProposal:
        """Return what became of a proposal, for who may know of its files; of what it would do, nothing.

        Raises:
            NotFound: when there is none that the audience may know of.

        """
        proposal = self._known(identifier)
        if not all(map(view.sees, _named(proposal.change))):
            raise NotFound(f"There is no proposal '{identifier}'.", hint="It may have been forgotten by now.")
        return replace(self._shown(proposal), files=())

    def _known(self, identifier: str) -> Proposal:
        self._store.expire()
        return self._store.get(identifier)

    def _list(self, state: ProposalState | None) -> tuple[ShownProposal, ...]:
        self._store.expire()
        return tuple(map(self._shown, self._store.list(state, _MOST_SHOWN)))

    def _shown(self, proposal: Proposal) -> ShownProposal:
        view, change, stale = self._views.newest(Audience.PERSON), proposal.change, None
        is_current = proposal.state is ProposalState.WAITING
        if is_current:
            try:
                change = self._replanner.plan(view, proposal)
            except SidecarError as error:
                stale, is_current = error.message, False
        files = tuple(
            ProposedFile(
                offered(change, entry, self._now(entry) if is_current else proposal.before.get(entry.path, b"")),
                hidden=any(view.hides_from_agents(path) for path in (entry.path, entry.to) if path is not None),
            )
            for entry in change.entries
        )
        return ShownProposal(proposal, stale, is_whole(change), files)

    def _now(self, entry: Entry) -> bytes:
        return trash.current(self._files, entry.path) or b""

    def _waiting(self, identifier: str) -> Proposal:
        proposal = self._known(identifier)
        if proposal.begun is not None:
            proposal = self._settle(proposal)
        if proposal.begun is not None:
            raise Unavailable(
                "The proposal is being carried out, and Obsidian has not said yet what came of it.",
                hint="Wait a minute, then look at it again.",
            )
        if proposal.state is not ProposalState.WAITING:
            raise Decided(proposal)
        return proposal

    def _accept(self, identifier: str, chosen: Chosen | None) -> None:
        proposal = self._waiting(identifier)

        def plan(view: View) -> Plan[None]:
            whole = change = self._replanner.plan(view, proposal)
            if chosen is not None:
                change = chosen_of(whole, chosen, lambda path: trash.current(self._files, path))
            self._store.begin(proposal.id, is_partial=change != whole)
            return Plan(change, None)

        try:
            done = self._committer.apply_here(plan, Caller(proposal.author, Audience.PERSON))
        except BaseException:
            if (now := self._store.get(proposal.id)).begun is not None:
                self._settle(now)
            raise
        self._store.finish(
            proposal.id, ProposalState.ACCEPTED, recorded=done.recorded.id if done.recorded is not None else None
        )

    def _reject(self, identifier: str, reason: str | None) -> None:
        proposal = self._waiting(identifier)
        self._store.finish(proposal.id, ProposalState.REJECTED, answer=reason)

    def _settle(self, proposal: Proposal) -> Proposal:
        """Look into the journal for a change that was begun for a proposal; one that is open there stays so here."""
        author = proposal.author
        found = self._journal.changes(
            client=author.client, session=author.session, since_ns=proposal.begun, limit=_MOST_SHOWN
        )
        by_state = {change.state: change for change in found if _carries_out(change, proposal.change)}
        if done := by_state.get(ChangeState.DONE):
            return self._store.finish(proposal.id, ProposalState.ACCEPTED, recorded=done.id)
        if ChangeState.OPEN in by_state:
            return proposal
        self._store.release(proposal.id)
        return self._store.get(proposal.id)


def _carries_out(change: RecordedChange, planned: ChangeSet) -> bool:
    return (change.tool, change.summary, change.undoes) == (planned.tool, planned.summary, planned.undoes)


def _named(change: ChangeSet) -> set[VaultPath]:
    """Return what a change is about, without files in which only links are mended."""
    own = (entry for entry in change.entries if entry.path not in change.mended)
    return {path for entry in own for path in (entry.path, entry.to) if path is not None}
