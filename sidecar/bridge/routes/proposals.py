"""``/v1/proposals``: what agents want to change where the person is asked first. Only here can it be accepted."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from sidecar.bridge.diffs import LineTold
from sidecar.bridge.route import Asked, BridgeCall, Nothing, get, post
from sidecar.model.path import VaultPath
from sidecar.model.proposal import ProposalState
from sidecar.services.proposals import ProposedFile, ShownProposal

__all__ = ["ROUTES"]

_MILLION = 1_000_000
_Path = Annotated[str, Field(min_length=1, max_length=4096)]
_HunkId = Annotated[str, Field(max_length=100)]


class ProposalsQuery(Asked):
    """Which proposals: all, or those in one state."""

    state: Literal["waiting", "accepted", "rejected", "expired"] | None = None


class ChosenFile(Asked):
    """A file of which these hunks are accepted; without ``hunks``, all of it."""

    path: _Path
    hunks: list[_HunkId] | None = None


class AcceptBody(Asked):
    """What is accepted: everything, or only these files."""

    files: list[ChosenFile] | None = None


class RejectBody(Asked):
    """Why, for the agent to read."""

    reason: Annotated[str | None, Field(max_length=2000)] = None


@dataclass(frozen=True, slots=True)
class ProposedHunkTold:
    """Lines that stand together; they count from 1. The id stays the same while the hunk says the same."""

    id: str
    old_start: int
    new_start: int
    lines: list[LineTold]


@dataclass(frozen=True, slots=True)
class ProposedFileTold:
    """What would become of one file. ``whole``: its hunks can only be accepted together; ``hidden`` from agents."""

    op: str
    path: str
    to: str | None
    binary: bool
    hunks: list[ProposedHunkTold]
    more: int
    whole: bool
    hidden: bool


@dataclass(frozen=True, slots=True)
class ProposalTold:
    """One proposal, as it would be carried out now. Times are milliseconds since the epoch.

    ``stale``: as things are it cannot be accepted, and ``problem`` says why; ``whole``: no part of it can be chosen.
    ``change`` is the change that carried it out, ``partial`` if without some hunks; ``answer`` is why it was rejected.
    """

    id: str
    at: int
    client: str
    session: str
    tool: str
    summary: str
    reason: str | None
    state: str
    expires: int
    stale: bool
    problem: str | None
    whole: bool
    files: list[ProposedFileTold]
    decided: int | None
    change: str | None
    partial: bool
    answer: str | None


@dataclass(frozen=True, slots=True)
class ProposalsTold:
    """The newest 200 proposals, newest first."""

    proposals: list[ProposalTold]


@get("proposals", ProposalsQuery, ProposalsTold)
async def proposals(call: BridgeCall, query: ProposalsQuery) -> ProposalsTold:
    """List what waits for a decision, and what became of earlier proposals."""
    found = await call.services.proposals.list(ProposalState(query.state) if query.state else None)
    return ProposalsTold([_told(shown) for shown in found])


@get("proposals/{id}", Nothing, ProposalTold, fails=("not_found",))
async def proposal(call: BridgeCall, _query: Nothing) -> ProposalTold:
    """Show one proposal hunk by hunk."""
    return _told(await call.services.proposals.show(call.path["id"]))


@post(
    "proposals/{id}/accept",
    AcceptBody,
    ProposalTold,
    fails=("not_found", "gone", "stale", "conflict", "refused", "unavailable"),
)
async def accept(call: BridgeCall, body: AcceptBody) -> ProposalTold:
    """Carry out a proposal, all of it or the hunks that are named; what no longer fits waits on."""
    chosen = None if body.files is None else {VaultPath(file.path): file.hunks for file in body.files}
    return _told(await call.services.proposals.accept(call.path["id"], chosen))


@post("proposals/{id}/reject", RejectBody, ProposalTold, fails=("not_found", "gone"))
async def reject(call: BridgeCall, body: RejectBody) -> ProposalTold:
    """Let nothing come of a proposal."""
    return _told(await call.services.proposals.reject(call.path["id"], body.reason))


def _told(shown: ShownProposal) -> ProposalTold:
    kept = shown.proposal
    return ProposalTold(
        id=kept.id,
        at=kept.at // _MILLION,
        client=kept.author.client,
        session=kept.author.session,
        tool=kept.change.tool,
        summary=kept.change.summary,
        reason=kept.change.reason,
        state=kept.state.value,
        expires=kept.expires // _MILLION,
        stale=shown.stale is not None,
        problem=shown.stale,
        whole=shown.is_whole,
        files=[_file(file) for file in shown.files],
        decided=None if kept.decided is None else kept.decided // _MILLION,
        change=kept.recorded,
        partial=kept.is_partial,
        answer=kept.answer,
    )


def _file(file: ProposedFile) -> ProposedFileTold:
    diff = file.offered.diff
    return ProposedFileTold(
        op=diff.op.value,
        path=diff.path,
        to=diff.to,
        binary=diff.binary,
        hunks=[
            ProposedHunkTold(
                name, hunk.old_start, hunk.new_start, [LineTold(line.kind, line.text) for line in hunk.lines]
            )
            for name, hunk in zip(file.offered.hunks, diff.hunks, strict=True)
        ],
        more=diff.more,
        whole=file.offered.is_whole,
        hidden=file.hidden,
    )


ROUTES = (proposals, proposal, accept, reject)
