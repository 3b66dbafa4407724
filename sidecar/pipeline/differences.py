"""What differs between the disk, the catalog and the index."""

from collections import Counter
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from sidecar.model.file import FileStat, FileState
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath

__all__ = ["Differences", "differences", "has_text"]


@dataclass(frozen=True, slots=True)
class Differences:
    """What a comparison of everything found."""

    changed: tuple[VaultPath, ...]
    """Files that are new or look different, newest first."""
    unindexed: frozenset[VaultPath]
    """Files that the index lacks though it should have them, or has though it may not; changed or not."""
    unread: frozenset[VaultPath]
    """Texts that look the same but could not be read before, or did not reach the index."""
    gone: frozenset[VaultPath]
    vanished: int
    """How many of those that are gone had text and did not turn up elsewhere under another name."""

    @property
    def count(self) -> int:
        """Number of files that differ."""
        return len(self.gone) + len(self.unindexed.union(self.changed))


def differences(
    on_disk: Mapping[VaultPath, FileStat],
    known: Mapping[VaultPath, FileState],
    held: AbstractSet[VaultPath],
    denied: AbstractSet[VaultPath],
) -> Differences:
    """Compare what the disk lists with what catalog (``known``) and index (``held``) have.

    The catalog knows the files that are ``denied`` to agents, and the index must not have them.
    """
    changed = sorted(
        (stat for stat in on_disk.values() if not _looks_same(stat, known.get(stat.path))),
        key=lambda stat: (-stat.mtime_ns, stat.path),
    )
    gone = frozenset(path for path in {*known, *held} if path not in on_disk)
    return Differences(
        changed=tuple(stat.path for stat in changed),
        unindexed=frozenset(path for path in on_disk if (path in held) == (path in denied)),
        unread=frozenset(path for path, stat in on_disk.items() if _is_unread(stat, known.get(path))),
        gone=gone,
        vanished=_vanished(gone, on_disk, known),
    )


def has_text(path: VaultPath) -> bool:
    """Tell whether it is a note, canvas or base."""
    return kind_of(path) is not FileKind.ATTACHMENT


def _looks_same(stat: FileStat, state: FileState | None) -> bool:
    # Of what a cloud service took away the catalog keeps what it read; a placeholder has other times.
    return state is not None and (not stat.here or (state.mtime_ns, state.size) == (stat.mtime_ns, stat.size))


def _is_unread(stat: FileStat, state: FileState | None) -> bool:
    return state is not None and not state.hash and stat.here and has_text(stat.path)


def _vanished(
    gone: AbstractSet[VaultPath], on_disk: Mapping[VaultPath, FileStat], known: Mapping[VaultPath, FileState]
) -> int:
    """Count the files with text that are gone; a folder that was renamed has all its files elsewhere."""
    lost = Counter((known[p].mtime_ns, known[p].size) for p in gone if p in known and has_text(p))
    if not lost:
        return 0
    found = Counter((stat.mtime_ns, stat.size) for path, stat in on_disk.items() if path not in known)
    return (lost - found).total()
