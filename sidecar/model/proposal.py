"""A change that an agent asked for where the person wants to decide: kept as it was planned, until that is done."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from sidecar.model.change import Author, ChangeSet
from sidecar.model.path import VaultPath

__all__ = ["Proposal", "ProposalNews", "ProposalState"]


class ProposalState(StrEnum):
    """What became of a proposal."""

    WAITING = "waiting"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    EXPIRED = "expired"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A planned change that nobody carried out yet. Times are nanoseconds since the epoch."""

    id: str
    at: int
    expires: int
    author: Author
    change: ChangeSet
    before: Mapping[VaultPath, bytes]
    """The bytes it was planned on, of files that get other ones."""
    state: ProposalState = ProposalState.WAITING
    decided: int | None = None
    """When it was accepted, rejected or forgotten."""
    recorded: str | None = None
    """Id of the change that carried it out."""
    is_partial: bool = False
    """Only some of its hunks were accepted."""
    answer: str | None = None
    """Why it was rejected."""
    begun: int | None = None
    """When carrying it out began, as long as it is not known how that ended."""


@dataclass(frozen=True, slots=True)
class ProposalNews:
    """A proposal is in this state from now on."""

    id: str
    state: ProposalState
