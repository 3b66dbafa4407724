"""A change of the vault as a value: planned by a service, applied by a sink, kept by the journal."""

from dataclasses import dataclass
from enum import StrEnum

from sidecar.model.path import VaultPath

__all__ = ["Author", "ChangeSet", "ChangeState", "Entry", "EntryRecord", "Op", "RecordedChange"]


class Op(StrEnum):
    """What an entry does to one file."""

    CREATE = "create"
    REPLACE = "replace"
    MOVE = "move"
    TRASH = "trash"


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of a change.

    ``before`` is the hash the decision was made on (``None``: the file must not exist); ``after`` the new bytes
    (create, replace, and a move that also edits). ``to`` is the destination of a move, and for ``trash`` the place
    below the vault's ``.trash``.
    """

    op: Op
    path: VaultPath
    before: str | None = None
    after: bytes | None = None
    to: VaultPath | None = None


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """All entries of one change, applied wholly or not at all."""

    tool: str
    entries: tuple[Entry, ...]
    summary: str
    """One line for people: what the change does."""
    reason: str | None = None
    undoes: tuple[str, ...] = ()
    """Ids of the changes it takes back."""
    folders: tuple[VaultPath, ...] = ()
    """Folders that have to be made for it, outermost first. The sink fills this in: a roll-back takes them away."""
    emptied: tuple[VaultPath, ...] = ()
    """Folders to take away once it is done if nothing is left in them, innermost first."""
    mended: tuple[VaultPath, ...] = ()
    """Files in which only links are mended, whether or not the one who asked may know of them."""
    system_trash: bool = False
    """Files that are deleted without a place in the vault's own trash go to the system's."""


@dataclass(frozen=True, slots=True)
class Author:
    """Who asked for a change: the MCP client's name and one id per connection."""

    client: str
    session: str


class ChangeState(StrEnum):
    """How far a recorded change came."""

    OPEN = "open"
    DONE = "done"
    ROLLED_BACK = "rolled back"


@dataclass(frozen=True, slots=True)
class EntryRecord:
    """An entry as the journal kept it: hashes instead of bytes."""

    op: Op
    path: VaultPath
    to: VaultPath | None
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class RecordedChange:
    """A change with who, when and why. ``at`` is nanoseconds since the epoch."""

    id: str
    at: int
    author: Author
    tool: str
    summary: str
    reason: str | None
    state: ChangeState
    entries: tuple[EntryRecord, ...]
    undoes: tuple[str, ...] = ()
    undone_by: str | None = None
    folders: tuple[VaultPath, ...] = ()
    emptied: tuple[VaultPath, ...] = ()
    mended: tuple[VaultPath, ...] = ()
