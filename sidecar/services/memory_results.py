"""What the services of memories return."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sidecar.model.note import PropertyProblem
from sidecar.model.path import VaultPath
from sidecar.parse.memory_file import MemoryType
from sidecar.parse.memory_index import IndexSize
from sidecar.services.memory_shelf import Memory
from sidecar.services.relink import RelinkedFile
from sidecar.vault.obsidian_settings import TrashOption

__all__ = [
    "FoundMemory",
    "IndexState",
    "MemoryBrief",
    "MemoryDeleted",
    "MemoryFinding",
    "MemoryFindings",
    "MemoryLinks",
    "MemoryList",
    "MemoryResults",
    "MemorySaved",
    "MemoryShown",
    "MemoryType",
    "NearMemory",
    "Told",
]


@dataclass(frozen=True, slots=True)
class MemoryShown:
    """A whole memory."""

    name: str
    description: str
    type: str | None
    body: str
    links: tuple[str, ...]
    """Names of the memories it links to; what leads elsewhere or nowhere as it is written."""
    path: VaultPath
    checksum: str
    modified: str
    problem: PropertyProblem | None = None


@dataclass(frozen=True, slots=True)
class NearMemory:
    """Another memory that says something alike; 1 is what a text scores against itself."""

    name: str
    description: str
    likeness: float


@dataclass(frozen=True, slots=True)
class IndexState:
    """The index ``MEMORY.md`` after a change; ``left_alone`` says why it was not kept up."""

    path: VaultPath
    size: IndexSize
    left_alone: str | None = None


@dataclass(frozen=True, slots=True)
class MemorySaved:
    """A memory as it is now, and how it came to be so; in a conflict it is the one that was there, left as it was."""

    status: Literal["created", "updated", "conflict"]
    memory: MemoryShown
    near: tuple[NearMemory, ...]
    index: IndexState | None
    change: str | None
    relinked: tuple[RelinkedFile, ...] = ()


@dataclass(frozen=True, slots=True)
class FoundMemory:
    """A memory that fits a query."""

    memory: Memory
    score: float


@dataclass(frozen=True, slots=True)
class MemoryResults:
    """The best of the memories that fit a query."""

    query: str
    type: MemoryType | None
    total: int
    results: tuple[FoundMemory, ...]


@dataclass(frozen=True, slots=True)
class MemoryList:
    """One page of the memories by name."""

    type: MemoryType | None
    total: int
    offset: int
    memories: tuple[Memory, ...]

    @property
    def next_offset(self) -> int | None:
        """Where the next page begins."""
        end = self.offset + len(self.memories)
        return end if end < self.total and self.memories else None


@dataclass(frozen=True, slots=True)
class MemoryLinks:
    """What a memory is connected with; ``None`` for a direction that was not asked for."""

    name: str
    outbound: tuple[str, ...] | None
    inbound: tuple[str, ...] | None
    dangling: tuple[str, ...]
    """Links of it that lead nowhere, as they are written."""
    outbound_notes: tuple[VaultPath, ...] | None
    inbound_notes: tuple[VaultPath, ...] | None
    """Ordinary notes; ``None`` unless asked for."""


@dataclass(frozen=True, slots=True)
class MemoryDeleted:
    """What was deleted and where it is now; or that there was nothing, and which names are near."""

    name: str
    path: VaultPath | None = None
    trash: TrashOption | None = None
    kept_at: VaultPath | None = None
    """The place in the vault's own trash."""
    linked_from: tuple[VaultPath, ...] = ()
    """Notes whose links to it lead nowhere now."""
    near: Sequence[str] = ()
    index: IndexState | None = None
    change: str | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """A memory in a brief, with its body as far as there was room for it."""

    memory: Memory
    body: str | None


@dataclass(frozen=True, slots=True)
class MemoryBrief:
    """What a new conversation should know, the most important first."""

    budget: int
    tokens: int
    """About what it takes."""
    total: int
    told: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class MemoryFinding:
    """Something about the memories that wants attention; ``fix`` says what fixing it does, where that can be done."""

    id: str
    kind: str
    name: str
    message: str
    fix: str | None = None


@dataclass(frozen=True, slots=True)
class MemoryFindings:
    """All findings, and those that were fixed in one change."""

    findings: tuple[MemoryFinding, ...]
    memories: int
    index: IndexState | None
    fixed: tuple[str, ...] = ()
    change: str | None = None
