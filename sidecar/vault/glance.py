"""Looking at many files of a vault in a moment's work."""

import contextlib
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

from sidecar.model.file import FileStat
from sidecar.model.path import VaultPath
from sidecar.vault.placeholders import is_here
from sidecar.vault.walk import is_usable_name, shown_name

__all__ = ["FOLDS_CASE", "Glance", "plain_place"]

FOLDS_CASE = sys.platform in {"darwin", "win32"}
"""Whether the disk finds a file under names it does not list, so that only a listing tells how it is spelled."""

_NO_FOLLOW: int | None = getattr(os, "O_NOFOLLOW", None)
_PART = 1 << 20


class Glance:
    """Looks at files and reads them; for one thread and one moment, since it judges each folder once.

    What is anything but a plain file in a plain folder, under the name that Obsidian shows, goes the longer way.
    """

    def __init__(
        self, root: Path, long_stat: Callable[[VaultPath], FileStat | None], long_read: Callable[[VaultPath], bytes]
    ) -> None:
        """Take the folder of the vault and the longer ways, which judge every part of a path each time."""
        self._root = str(root)
        self._long_stat = long_stat
        self._long_read = long_read
        self._plain: dict[str, bool] = {}

    def stat(self, path: VaultPath) -> FileStat | None:
        """Return size and time of one file; ``None`` when there is none that a scan would list."""
        found = None if FOLDS_CASE else self._look(path)
        return FileStat(path, found.st_mtime_ns, found.st_size) if found else self._long_stat(path)

    def read(self, path: VaultPath) -> bytes:
        """Return the bytes of one file.

        Raises:
            NotFound, Refused, Unavailable: as ``VaultFiles.read`` does.

        """
        if self._look(path):
            with contextlib.suppress(OSError):
                return _read_plain(f"{self._root}/{path}")
        return self._long_read(path)

    def _look(self, path: VaultPath) -> os.stat_result | None:
        """Look at a plain file; ``None`` for everything else, and for what is not on this machine."""
        folder, _, name = path.rpartition("/")
        if not self._is_plain(folder) or path.startswith("/") or name.startswith("."):
            return None
        if not is_usable_name(path) or shown_name(path) != path:
            return None
        with contextlib.suppress(OSError, ValueError):
            found = os.lstat(f"{self._root}/{path}")
            if stat.S_ISREG(found.st_mode) and is_here(found):
                return found
        return None

    def _is_plain(self, folder: str) -> bool:
        """Tell whether neither a folder nor any above it is a link, hidden or written in another way."""
        known = self._plain.get(folder)
        if known is None:
            above, _, name = folder.rpartition("/")
            if folder:
                is_named = bool(name) and not name.startswith(".")
                known = is_named and self._is_plain(above) and _is_folder(f"{self._root}/{folder}")
            else:
                known = _NO_FOLLOW is not None and os.path.realpath(self._root) == self._root
            self._plain[folder] = known
        return known


def _is_folder(place: str) -> bool:
    with contextlib.suppress(OSError, ValueError):
        return stat.S_ISDIR(os.lstat(place).st_mode)
    return False


def plain_place(root: Path, path: VaultPath) -> Path | None:
    """Return the place of what is there under exactly this name, no part of it a link; ``None`` for all less plain.

    It looks at each part once, where the longer way looks several times: a change may name hundreds of files.
    """
    if FOLDS_CASE:
        return None
    place, found = str(root), None
    with contextlib.suppress(OSError, ValueError):
        for segment in path.split("/"):
            place = f"{place}/{segment}"
            found = os.lstat(place)
            if stat.S_ISLNK(found.st_mode):
                return None
        return Path(place) if found and is_here(found) else None
    return None


def _read_plain(place: str) -> bytes:
    """Read a file that is no link; a search may read thousands, and a file object would be most of the work.

    Raises:
        OSError: when it is no file any more, too.

    """
    # Without waiting: a pipe under this name would block for ever.
    file = os.open(place, os.O_RDONLY | (_NO_FOLLOW or 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode):
            raise OSError
        data = os.read(file, found.st_size + 1)
        if len(data) == found.st_size:
            return data
        parts = [data]
        while data:
            data = os.read(file, _PART)
            parts.append(data)
        return b"".join(parts)
    finally:
        os.close(file)
