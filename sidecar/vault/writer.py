"""The steps that change the disk: each is whole or not there, and none overwrites what it has not seen (H5)."""

import contextlib
import errno
import os
import secrets
import shutil
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from sidecar.errors import Refused, Stale
from sidecar.model.file import checksum

__all__ = [
    "ChangedOnDisk",
    "check",
    "clean_leftovers",
    "make_folder",
    "move",
    "remove",
    "remove_empty_folder",
    "replace",
    "sync_folder",
    "write_new",
]

T = TypeVar("T")
_WINDOWS = os.name == "nt"
_MARK = ".sidecar.tmp"
_FINDERS_NOTES = ".DS_Store"
_ANYONE_MAY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_NO_HARD_LINKS = frozenset({errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})
_NO_FOLDER_SYNC = frozenset({errno.EINVAL, errno.ENOTSUP, errno.ENOSYS})


class ChangedOnDisk(Stale):
    """A file is no longer what the change was decided on (C24)."""

    def __init__(self, path: str, expected: str, found: str | None) -> None:
        super().__init__(
            f"'{path}' was changed by someone else." if found else f"'{path}' is no longer there.",
            hint="Read it again and decide anew.",
            data={"path": path, "expected": expected, "checksum": found},
        )


def write_new(place: Path, data: bytes) -> None:
    """Create a file, and the folders it needs.

    Raises:
        FileExistsError: when the name is taken; nothing is overwritten.
        OSError: when the disk refuses.

    """
    make_folder(place.parent)
    with _written_beside(place, data) as temporary:
        _name_without_overwriting(temporary, place)
    sync_folder(place.parent)


def replace(place: Path, data: bytes, expected: str, *, is_lasting: bool = True) -> None:
    """Give a file new bytes; its mode and extended attributes stay.

    After a power failure it has the old bytes or the new ones; unless it ``is_lasting``, :func:`sync_folder` has to see
    to it that it is the new ones.

    Raises:
        ChangedOnDisk: when its SHA-256 is not ``expected``, looked up right before the exchange.
        Refused: when the file is write-protected.
        OSError: when the disk refuses.

    """
    with _written_beside(place, data) as temporary:
        is_protected = False
        with contextlib.suppress(OSError):  # some disks know neither modes nor attributes; a lost file shows below
            is_protected = not place.stat().st_mode & _ANYONE_MAY_WRITE
            _make_like(temporary, place)
        check(place, expected)  # with nothing between it and the exchange that could be done before
        if is_protected:
            raise Refused(f"'{place.name}' is write-protected.", hint="Allow writing in the file's settings.")
        _patiently(lambda: temporary.replace(place))
    if is_lasting:
        sync_folder(place.parent)


def move(source: Path, target: Path, expected: str) -> None:
    """Move a file, and make the folders it needs; its times and mode stay (H7).

    Raises:
        ChangedOnDisk: when its SHA-256 is not ``expected``.
        FileExistsError: when the target's name is taken; nothing is overwritten.
        OSError: when the disk refuses.

    """
    make_folder(target.parent)
    check(source, expected)
    if _is_respelling(source, target):
        _patiently(lambda: source.rename(target))
    elif _name_without_overwriting(source, target):
        sync_folder(target.parent)
        source.unlink()
    sync_folder(source.parent)


def remove(place: Path, expected: str) -> None:
    """Delete a file.

    Raises:
        ChangedOnDisk: when its SHA-256 is not ``expected``.
        OSError: when the disk refuses.

    """
    check(place, expected)
    _patiently(place.unlink)
    sync_folder(place.parent)


def clean_leftovers(folder: Path) -> None:
    """Delete the temporary files that a killed process of ours left in a folder."""
    with contextlib.suppress(OSError):
        for leftover in [entry for entry in folder.iterdir() if _is_temporary(entry.name)]:
            leftover.unlink(missing_ok=True)


def remove_empty_folder(folder: Path) -> None:
    """Delete a folder unless something is in it; what the Finder notes of every folder it shows counts as nothing."""
    with contextlib.suppress(OSError):
        if {entry.name for entry in folder.iterdir()} == {_FINDERS_NOTES}:
            (folder / _FINDERS_NOTES).unlink()
        folder.rmdir()


def _is_temporary(name: str) -> bool:
    return name.startswith(".") and name.endswith(_MARK)


@contextmanager
def _written_beside(place: Path, data: bytes) -> Iterator[Path]:
    """Hold the bytes, safe on the disk, in a dotfile of the same folder, which Obsidian does not see (A3)."""
    stem = place.name.encode()[:60].decode(errors="ignore")  # only for people who find it; names have 255 bytes at most
    temporary = place.with_name(f".{stem}.{secrets.token_hex(4)}{_MARK}")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield temporary
    finally:
        _patiently(lambda: temporary.unlink(missing_ok=True))


def _make_like(fresh: Path, place: Path) -> None:
    """Give a new file the mode and the extended attributes of another."""
    if sys.platform != "linux":
        shutil.copystat(place, fresh)
        os.utime(fresh)
        return
    # Whoever watches the folder, as we do, gets an event for each call, so that none is made without need.
    mode = stat.S_IMODE(place.stat().st_mode)
    if stat.S_IMODE(fresh.stat().st_mode) != mode:
        fresh.chmod(mode)
    for name in os.listxattr(place):
        with contextlib.suppress(OSError):  # some are the system's own
            os.setxattr(fresh, name, os.getxattr(place, name))


def check(place: Path, expected: str) -> None:
    """Check that a file is what the change was decided on.

    Raises:
        ChangedOnDisk: when its SHA-256 is not ``expected``.

    """
    try:
        found = checksum(_patiently(place.read_bytes))
    except FileNotFoundError:
        raise ChangedOnDisk(place.name, expected, None) from None
    if found != expected:
        raise ChangedOnDisk(place.name, expected, found)


def _name_without_overwriting(source: Path, target: Path) -> bool:
    """Give the file a second name that must be free; where disks know no second names, exchange its only one.

    Tell whether the first name is still there.
    """
    if _WINDOWS:
        _patiently(lambda: source.rename(target))  # never overwrites there
        return False
    try:
        target.hardlink_to(source)
    except FileExistsError:
        raise
    except OSError as error:
        if error.errno not in _NO_HARD_LINKS:
            raise
        if os.path.lexists(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from None
        source.rename(target)
        return False
    return True


def _is_respelling(source: Path, target: Path) -> bool:
    """Tell whether both names, alike but for case, are one file to this disk (F5)."""
    return str(source).lower() == str(target).lower() and target.exists() and source.samefile(target)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it that are missing."""
    missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    for new in reversed(missing):
        new.mkdir(exist_ok=True)
        sync_folder(new.parent)


def sync_folder(folder: Path) -> None:
    """Make new and vanished names survive a power failure; Windows has no such call."""
    if _WINDOWS:
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise
    finally:
        os.close(handle)


def _patiently(action: Callable[[], T]) -> T:
    """Try again for a second where Windows refuses because a scanner or sync service holds the file just now."""
    for pause in (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.3) if _WINDOWS else ():
        try:
            return action()
        except PermissionError:
            time.sleep(pause)
    return action()
