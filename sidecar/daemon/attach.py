"""Reach the serving process from our own command line, which never starts one."""

import socket
import time
from pathlib import Path

from sidecar.config import StateFolder
from sidecar.daemon.shim import Unreachable, Wants, connect
from sidecar.errors import Unavailable

__all__ = ["attach", "wants"]

_PATIENCE = 10.0
"""Seconds to wait for a process that holds the lock but does not listen yet."""


def attach(state: StateFolder, asked: Wants) -> socket.socket:
    """Return a connection on which MCP can be spoken at once.

    Raises:
        Unavailable: when nobody listens, or the serving process declines.

    """
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            connection = connect(str(state.root), asked, start=False)
        except Unreachable as error:
            raise Unavailable(f"The serving process declined: {str(error).rstrip('.')}.") from error
        if connection is not None:
            return connection
        if time.monotonic() > deadline:
            raise Unavailable(
                "Another Vault Sidecar process holds the lock but does not answer.",
                hint="End it, or wait until it has started.",
            )
        time.sleep(0.05)


def wants(vault: Path | None, *, project: str | None = None, tools: str = "full", person: bool = False) -> Wants:
    """Return what a client of this vault, of this project, or of all projects says."""
    root = str(vault.expanduser().absolute()) if vault is not None else None
    return {"vault": root, "project": project, "tools": tools, "person": person}
