"""``vault-sidecar stop``: end the process that serves."""

import time

import typer

from sidecar.config import StateFolder
from sidecar.daemon.attach import attach
from sidecar.daemon.lock import DaemonLock
from sidecar.errors import Unavailable

__all__ = ["run"]

_PATIENCE = 30.0


def run() -> None:
    """End the process that serves: running changes are finished first. A client that calls starts it again."""
    state = StateFolder.default()
    lock = DaemonLock(state.make(state.run) / "daemon.lock")
    if lock.acquire():
        lock.release()
        typer.echo("No process is serving.")
        return
    attach(state, {"ask": "stop"}).close()
    end = time.monotonic() + _PATIENCE
    while not lock.acquire():
        if time.monotonic() > end:
            raise Unavailable("The process is still busy with its last change.", hint="Wait, then look again.")
        time.sleep(0.05)
    lock.release()
    typer.echo("Stopped.")
