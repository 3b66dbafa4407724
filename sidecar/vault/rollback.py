"""Taking back a change that stopped halfway, at once or after a crash."""

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from sidecar.errors import SidecarError
from sidecar.model.change import EntryRecord, Op
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath
from sidecar.vault import writer
from sidecar.vault.files import TRASH, VaultFiles

__all__ = ["clean_up", "is_carried_out", "place_of", "roll_back"]

Blob = Callable[[str], bytes]


def place_of(files: VaultFiles, path: VaultPath) -> Path:
    """Return the place of a path that an entry names; only entries themselves may name the trash.

    Raises:
        OutsideVault: when nothing may be written there.

    """
    if path == TRASH:
        return files.root / TRASH
    return files.trash_place(path) if path.is_under(TRASH) else files.absolute(path)


def is_carried_out(files: VaultFiles, entry: EntryRecord) -> bool:
    """Tell whether the disk shows the entry's outcome."""
    found = _hash(place_of(files, entry.path))
    if entry.op in {Op.CREATE, Op.REPLACE}:
        return found == entry.after
    if found is not None:
        return False
    return entry.to is None or _hash(place_of(files, entry.to)) == (entry.after or entry.before)


def roll_back(files: VaultFiles, entries: Iterable[EntryRecord], blob: Blob) -> tuple[VaultPath, ...]:
    """Take back, last first, whatever the disk shows of these entries; bytes that someone else wrote are left alone.

    Returns:
        The files that were left, since they are neither as before nor as the change made them.

    """
    return tuple(entry.path for entry in reversed(tuple(entries)) if not _take_back(files, entry, blob))


def clean_up(files: VaultFiles, entries: Sequence[EntryRecord], folders: Sequence[VaultPath]) -> None:
    """Delete temporary files of ours beside the entries' files, then the folders made for them that are empty."""
    named = [path for entry in entries for path in (entry.path, entry.to) if path is not None]
    for parent in {place_of(files, path).parent for path in named}:
        writer.clean_leftovers(parent)
    for folder in reversed(folders):
        writer.remove_empty_folder(place_of(files, folder))


def _take_back(files: VaultFiles, entry: EntryRecord, blob: Blob) -> bool:
    """Take back one entry; ``False`` when someone else's bytes are in the way."""
    try:
        place = place_of(files, entry.path)
        target = place_of(files, entry.to) if entry.to is not None else None
        match entry.op:
            case Op.CREATE:
                return _take_back_create(place, entry)
            case Op.REPLACE:
                return _take_back_replace(place, entry, blob)
            case Op.MOVE | Op.TRASH:
                return _take_back_move(place, target, entry, blob)
    except (SidecarError, OSError):
        return False


def _take_back_create(place: Path, entry: EntryRecord) -> bool:
    found = _hash(place)
    if found is not None and found == entry.after:
        writer.remove(place, found)
        return True
    return found is None


def _take_back_replace(place: Path, entry: EntryRecord, blob: Blob) -> bool:
    found = _hash(place)
    if found is not None and found != entry.before and found == entry.after:
        writer.replace(place, blob(str(entry.before)), found)
        return True
    return found == entry.before


def _take_back_move(place: Path, target: Path | None, entry: EntryRecord, blob: Blob) -> bool:
    before = str(entry.before)
    found, moved = _hash(place), _hash(target) if target else None
    if found is not None:
        if found == before and target and moved and target.samefile(place):
            writer.remove(target, moved)  # it has its second name already and still its first
        return found == before or moved is None
    if target and moved and moved == entry.after != before:
        writer.replace(target, blob(before), moved)
        moved = before
    if target and moved == before:
        writer.move(target, place, before)
        return True
    if entry.op is Op.TRASH and moved is None:
        writer.write_new(place, blob(before))
        return True
    return False


def _hash(place: Path) -> str | None:
    """Return the SHA-256 of a file that its folder lists by exactly this name: some disks open ``A`` for ``a``."""
    try:
        with os.scandir(place.parent) as entries:
            listed = any(entry.name == place.name and entry.is_file(follow_symlinks=False) for entry in entries)
    except FileNotFoundError:
        return None
    return checksum(place.read_bytes()) if listed else None
