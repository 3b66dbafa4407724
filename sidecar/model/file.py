"""What is known of a file without reading its meaning: size, time and hash."""

import hashlib
from dataclasses import dataclass

from sidecar.model.path import VaultPath

__all__ = ["FileStat", "FileState", "checksum"]


def checksum(data: bytes) -> str:
    """Return the SHA-256 of a file's bytes as 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True, slots=True)
class FileStat:
    """One file as the disk lists it; equal stats mean that it need not be read again."""

    path: VaultPath
    mtime_ns: int
    size: int
    here: bool = True
    """False while only its name is on this machine and a cloud service holds the rest: it must not be opened."""


@dataclass(frozen=True, slots=True)
class FileState:
    """One file as the catalog knows it."""

    id: int
    mtime_ns: int
    size: int
    hash: str
    """SHA-256 hex of its bytes; ``""`` for what was never read: attachments, and files that were never here."""
