"""Starting a daemon that outlives its client, one of many clients at a time."""

# pathlib would cost a tenth of the time to the first answer:
# ruff: noqa: PTH118, PTH123

import os
import sys
import time
from collections.abc import Callable

__all__ = ["Unreachable", "start_daemon", "wait_for"]


class Unreachable(Exception):  # noqa: N818 - a state of the world, worded for the user
    """No daemon can be reached, or started."""


def start_daemon(home: str) -> Callable[[], int | None]:
    """Start a daemon that outlives this process; the result tells its exit code."""
    import subprocess  # noqa: PLC0415 - 10 ms that only the first client pays

    # -P keeps Python from importing out of the folder the client happened to be in.
    command = [sys.executable, "-P", "-m", "sidecar", "serve", "--autostarted"]
    with open(os.path.join(home, "logs", "daemon.log"), "ab") as log:
        flags = 0
        if sys.platform == "win32":
            flags = subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW
        process = subprocess.Popen(  # noqa: S603 - our own interpreter
            command, cwd=home, env={**os.environ, "VAULT_SIDECAR_HOME": home}, stdin=subprocess.DEVNULL, stdout=log,
            stderr=log, creationflags=flags, start_new_session=True
        )  # fmt: skip
    return process.poll


def wait_for(lock: int, deadline: float) -> None:
    """Take the lock on an open file.

    Raises:
        Unreachable: when another process holds it until the deadline.

    """
    while True:
        try:
            if sys.platform == "win32":
                import msvcrt  # noqa: PLC0415 - exists on Windows only

                msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
            else:
                import fcntl  # noqa: PLC0415 - exists elsewhere only

                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if time.monotonic() > deadline:
                raise Unreachable("Another client is starting the daemon, without success.") from None
            time.sleep(0.02)
        else:
            return
