"""Where the system's file events cannot be trusted or afforded, so that a vault has to be looked at again and again."""

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

__all__ = ["file_system_of", "file_system_on_macos", "folder_count", "is_remote", "reason_to_poll"]

_REMOTE = frozenset(
    {
        *("9p", "afpfs", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "fuse", "gfs2", "glusterfs", "gpfs"),
        *("lustre", "ncpfs", "nfs", "nfs4", "ocfs2", "orangefs", "prl_fs", "smb3", "smbfs", "vboxsf", "virtiofs"),
        *("vmhgfs", "webdav"),
    }
)
_MOUNTS = Path("/proc/self/mounts")
_MOST_WATCHES = Path("/proc/sys/fs/inotify/max_user_watches")
_ESCAPE = re.compile(r"\\([0-7]{3})")
_MACOS_MOUNT = re.compile(r"^.* on (?P<place>/.*) \((?P<type>\w+)[,)]")
_WINDOWS_REMOTE_DRIVE = 4


def reason_to_poll(places: Iterable[Path]) -> str | None:
    """Say why file events are not enough for these folders with all below them, or ``None``.

    Events tell only what this machine's programs do to a network or FUSE disk. On Linux each folder takes one of the
    user's watches; more than half of them would starve other programs.
    """
    folders = tuple(places)
    for place in folders:
        if kind := _remote_kind(place):
            return f"'{place}' is on a disk of the kind {kind}, which does not tell what others change"
    limit = _watch_limit()
    if limit is not None and sum(folder_count(place, limit // 2) for place in folders) > limit // 2:
        return f"it has more folders than half of the {limit} that this system can watch"
    return None


def is_remote(file_system: str) -> bool:
    """Tell whether others may change this kind of disk unseen. ``fuseblk`` is a local disk with a foreign format."""
    return file_system in _REMOTE or file_system.startswith("fuse.")


def file_system_of(place: str, mounts: str) -> str:
    """Return the kind of disk that holds a path, by the lines of Linux's table of mounts; ``""`` if unknown."""
    best, kind = "", ""
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:  # noqa: PLR2004 - device, place, kind
            continue
        mounted = _ESCAPE.sub(lambda found: chr(int(found[1], 8)), fields[1])
        # of several on one place the last one mounted is what is seen
        if _is_within(place, mounted) and len(mounted) >= len(best):
            best, kind = mounted, fields[2]
    return kind


def file_system_on_macos(place: str, listed: str) -> str:
    """Return the kind of disk that holds a path, by what ``mount`` lists on macOS; ``""`` if unknown."""
    found = [m for line in listed.splitlines() if (m := _MACOS_MOUNT.match(line)) and _is_within(place, m["place"])]
    return max(found, key=lambda m: len(m["place"]))["type"] if found else ""


def folder_count(root: Path, enough: int) -> int:
    """Count the folders from ``root`` down, hidden ones too, since each takes a watch; stop at more than ``enough``."""
    count, stack = 0, [str(root)]
    while stack and count <= enough:
        folder = stack.pop()
        count += 1
        try:
            with os.scandir(folder) as entries:
                stack += [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
        except OSError:
            continue  # what cannot be listed cannot be watched either
    return count


def _is_within(place: str, folder: str) -> bool:
    return place == folder or place.startswith(folder.rstrip("/") + "/")


def _watch_limit() -> int | None:
    try:
        return int(_MOST_WATCHES.read_text("ascii"))
    except (OSError, ValueError):
        return None


def _remote_kind(place: Path) -> str | None:
    if sys.platform == "win32":
        return _remote_kind_on_windows(place)
    kind = _kind_on_macos(str(place)) if sys.platform == "darwin" else _kind_on_linux(str(place))
    return kind if is_remote(kind) else None


def _kind_on_linux(place: str) -> str:
    try:
        return file_system_of(place, os.fsdecode(_MOUNTS.read_bytes()))
    except OSError:
        return ""


def _kind_on_macos(place: str) -> str:
    try:
        listed = subprocess.run(["/sbin/mount"], capture_output=True, text=True, timeout=5, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return ""
    return file_system_on_macos(place, listed)


def _remote_kind_on_windows(place: Path) -> str | None:
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - ``windll`` is there on Windows only

        if ctypes.windll.kernel32.GetDriveTypeW(place.anchor) == _WINDOWS_REMOTE_DRIVE:
            return "network drive"
    return None
