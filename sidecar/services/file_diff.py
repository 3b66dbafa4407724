"""What a change makes of one file, for people to look at."""

from dataclasses import dataclass

from sidecar.model.change import Op
from sidecar.model.path import VaultPath
from sidecar.services.hunks import Hunk, hunks_of, shortened

__all__ = ["FileDiff", "file_diff"]

_MOST_LINES = 2_000
"""Lines of one file's diff that are shown."""


@dataclass(frozen=True, slots=True)
class FileDiff:
    """What became of one file; ``binary``: it has no lines to show."""

    op: Op
    path: VaultPath
    to: VaultPath | None
    binary: bool
    hunks: tuple[Hunk, ...]
    more: int = 0
    """Lines that are left out."""


def file_diff(op: Op, path: VaultPath, to: VaultPath | None, before: bytes, after: bytes | None) -> FileDiff:
    """Return what differs in one file; ``after`` is ``None`` where its bytes stay as they are."""
    hunks = () if after is None else hunks_of(before, after)
    if hunks is None:
        return FileDiff(op, path, to, binary=True, hunks=())
    shown, more = shortened(hunks, _MOST_LINES)
    return FileDiff(op, path, to, binary=False, hunks=shown, more=more)
