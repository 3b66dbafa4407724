"""One writer: the lock that a serving process holds for life."""

import os
import sys
from pathlib import Path

__all__ = ["DaemonLock"]


class DaemonLock:
    """An exclusive lock on a file; the operating system frees it when the process ends, however it ends."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._handle: int | None = None

    def acquire(self) -> bool:
        """Try to take the lock; tell whether this process holds it now."""
        handle = os.open(self._file, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(handle)
        except OSError:
            os.close(handle)
            return False
        self._handle = handle
        return True

    def release(self) -> None:
        """Give the lock up."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def _lock(handle: int) -> None:
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 - exists on Windows only

        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415 - exists elsewhere only

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
