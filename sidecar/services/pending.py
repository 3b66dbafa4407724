"""What an agent is told when its change waits for the person's decision."""

from dataclasses import dataclass

from sidecar.model.path import VaultPath

__all__ = ["ChangePending", "Pending"]


@dataclass(frozen=True, slots=True)
class Pending:
    """Nothing was written: the change is a proposal now. ``expires`` is nanoseconds since the epoch."""

    id: str
    summary: str
    paths: tuple[VaultPath, ...]
    """The files it is about, as far as the caller may know of them."""
    expires: int


class ChangePending(Exception):  # noqa: N818 - it is no error: the call ends here with another result
    """Ends a call whose change became a proposal, whatever its service would have told of the change made."""

    def __init__(self, pending: Pending) -> None:
        super().__init__(pending.id)
        self.pending = pending
