"""The folders that a change leaves: taken away when empty, or only spelled anew (contract F5, M7)."""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from sidecar.model.change import ChangeSet, Entry, Op
from sidecar.model.path import VaultPath
from sidecar.vault import writer
from sidecar.vault.files import VaultFiles
from sidecar.vault.rollback import place_of

__all__ = ["take_away"]


def take_away(files: VaultFiles, change: ChangeSet) -> None:
    """Spell folders as the change spells them, and delete those it emptied; where the disk refuses they stay.

    The files themselves are where they belong by now: this is about the names of folders and nothing else.
    """
    for old, new in _respelled(change.entries):
        with contextlib.suppress(OSError):
            _respell(place_of(files, old), place_of(files, new))
    for folder in change.emptied:
        writer.remove_empty_folder(place_of(files, folder))


def _respelled(entries: Iterable[Entry]) -> list[tuple[VaultPath, VaultPath]]:
    """Return the folders that get another case and keep their place, innermost first."""
    pairs: set[tuple[VaultPath, VaultPath]] = set()
    for entry in entries:
        if entry.op is Op.MOVE and entry.to is not None and entry.path.folder.key == entry.to.folder.key:
            old, new = entry.path.folder, entry.to.folder
            while old != new:
                pairs.add((old, new))
                old, new = old.folder, new.folder
    return sorted(pairs, key=lambda pair: len(pair[0]), reverse=True)


def _respell(old: Path, new: Path) -> None:
    if not old.is_dir():
        return
    if not new.exists() or new.samefile(old):
        old.rename(new)  # this disk takes both for one folder
        return
    for entry in list(os.scandir(old)):
        target = new / entry.name
        if entry.is_dir(follow_symlinks=False) and target.is_dir():
            _respell(Path(entry.path), target)
        elif not os.path.lexists(target):
            Path(entry.path).rename(target)
    writer.remove_empty_folder(old)
