"""Where deleted files go: the vault's own trash, or that of the operating system (contract A7)."""

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import cast

from sidecar.errors import NotFound, Refused, Unavailable
from sidecar.model.path import VaultPath
from sidecar.vault.files import TRASH, VaultFiles

__all__ = ["TrashOutOfReach", "check_system_trash", "current", "free_place", "has_folder", "read", "send_to_system"]


class TrashOutOfReach(Refused):
    """The system's trash cannot take a file; it is never deleted for good instead."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"The system's trash cannot be reached ({reason}), and nothing was deleted.",
            hint="Ask the user to choose the vault's '.trash' in Obsidian's settings: Files and links, Deleted files.",
        )


def free_place(files: VaultFiles, name: str, *, is_folder: bool = False) -> VaultPath:
    """Return a free path for a file or folder in the vault's trash: ``X.md``, else ``X 2.md``, ``X 3.md`` (A7)."""
    folder = files.root / TRASH
    taken = {entry.name.lower() for entry in os.scandir(folder)} if folder.is_dir() else set()
    path = VaultPath(name)
    stem, ending = (path.basename, name[len(path.basename) :]) if not is_folder else (name, "")
    free, number = name, 1
    while free.lower() in taken:
        number += 1
        free = f"{stem} {number}{ending}"
    return TRASH.child(free)


def read(files: VaultFiles, path: VaultPath) -> bytes:
    """Return the bytes of a file in the vault's trash.

    Raises:
        NotFound: when it is no longer there.

    """
    try:
        return files.trash_place(path).read_bytes()
    except (FileNotFoundError, IsADirectoryError):
        raise NotFound(f"There is no file '{path}'.") from None


def current(files: VaultFiles, path: VaultPath) -> bytes | None:
    """Return the bytes of a file of the vault or of its trash; ``None`` when it is not there.

    Raises:
        Unavailable: when it cannot be read just now.

    """
    if not path.is_under(TRASH):
        return files.read(path) if files.stat(path) is not None else None
    try:
        return read(files, path)
    except NotFound:
        return None


def has_folder(files: VaultFiles, path: VaultPath) -> bool:
    """Tell whether a folder of the vault, or of its trash, is on the disk."""
    if path == TRASH or path.is_under(TRASH):
        return (files.root / path).is_dir()
    return files.folder_exists(path)


def check_system_trash() -> None:
    """Check that the system's trash can be asked at all.

    Raises:
        TrashOutOfReach: when the library for it is not installed.

    """
    _sender()


def send_to_system(place: Path) -> None:
    """Move a file to the trash of the operating system.

    Raises:
        TrashOutOfReach: when it cannot take the file, which then is where it was.
        Unavailable: when it failed and the file is gone.

    """
    send = _sender()
    try:
        send(str(place))
    except Exception as error:
        if os.path.lexists(place):
            raise TrashOutOfReach(type(error).__name__) from error
        raise Unavailable(f"'{place.name}' did not arrive in the system's trash.") from error


def _sender() -> Callable[[str], object]:
    """Load the library when it is needed: on some systems that takes long."""
    try:
        return cast("Callable[[str], object]", import_module("send2trash").send2trash)
    except (ImportError, AttributeError) as error:
        raise TrashOutOfReach("the package send2trash is not installed") from error
