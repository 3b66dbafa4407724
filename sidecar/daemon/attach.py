"""Reach the serving process: connect to its socket and say who comes, for which vault."""

import json
import socket
import time
from pathlib import Path

from sidecar import __version__
from sidecar.daemon.endpoint import Endpoint, read_endpoint
from sidecar.errors import Unavailable

__all__ = ["attach"]

_PATIENCE = 10.0
"""Seconds to wait for a process that holds the lock but does not listen yet."""


def attach(run: Path, vault: Path, *, tools: str = "full", person: bool = False) -> socket.socket:
    """Return a connection on which MCP can be spoken at once.

    Raises:
        Unavailable: when nobody listens, or the serving process declines.

    """
    deadline = time.monotonic() + _PATIENCE
    while True:
        endpoint = read_endpoint(run)
        connection = _dial(endpoint) if endpoint else None
        if endpoint and connection:
            break
        if time.monotonic() > deadline:
            raise Unavailable(
                "Another Vault Sidecar process holds the lock but does not answer.",
                hint="End it, or wait until it has started.",
            )
        time.sleep(0.05)
    preface = {
        "version": __version__,
        "token": endpoint.token,
        "vault": str(vault.expanduser().absolute()),
        "tools": tools,
        "person": person,
    }
    connection.sendall(json.dumps(preface).encode() + b"\n")
    answer = _line(connection)
    if not answer.startswith("OK"):
        connection.close()
        raise Unavailable(f"The serving process declined: {answer or 'it closed the connection'}.")
    return connection


def _dial(endpoint: Endpoint) -> socket.socket | None:
    family = socket.AF_UNIX if endpoint.socket else socket.AF_INET
    connection = socket.socket(family, socket.SOCK_STREAM)
    try:
        connection.connect(endpoint.socket or ("127.0.0.1", endpoint.port))
    except OSError:
        connection.close()
        return None
    return connection


def _line(connection: socket.socket) -> str:
    received = bytearray()
    while not received.endswith(b"\n"):
        byte = connection.recv(1)  # one at a time: what follows the line belongs to MCP
        if not byte:
            break
        received += byte
    return received.decode("utf-8", "replace").strip()
