"""Where the serving process listens, and the secret that opens it."""

import json
import os
import secrets
import socket
from dataclasses import asdict, dataclass
from pathlib import Path

__all__ = ["Endpoint", "free_address", "read_endpoint", "remove_endpoint", "write_endpoint"]

_LONGEST_SOCKET_PATH = 100
"""Unix sockets take about 104 bytes of path; longer ones fall back to loopback TCP."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """``socket`` is the path of a Unix socket, or ``None`` when ``port`` on 127.0.0.1 is used."""

    pid: int
    version: str
    token: str
    socket: str | None
    port: int | None


def free_address(run: Path) -> str | None:
    """Return the free path for a Unix socket, or ``None`` where loopback TCP has to do.

    The caller holds the lock, so a socket that is there was left by a process that ended.
    """
    path = run / "mcp.sock"
    if not hasattr(socket, "AF_UNIX") or len(str(path).encode()) > _LONGEST_SOCKET_PATH:
        return None
    path.unlink(missing_ok=True)
    return str(path)


def write_endpoint(run: Path, endpoint: Endpoint) -> None:
    """Publish the endpoint for this user only, in one step."""
    temporary = run / f".endpoint.{secrets.token_hex(4)}"
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
        json.dump(asdict(endpoint), out)
    temporary.replace(run / "endpoint.json")


def read_endpoint(run: Path) -> Endpoint | None:
    """Return the endpoint of the serving process, or ``None`` when none is published."""
    try:
        return Endpoint(**json.loads((run / "endpoint.json").read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def remove_endpoint(run: Path, pid: int) -> None:
    """Take the endpoint back, unless another process has published its own since."""
    endpoint = read_endpoint(run)
    if endpoint is not None and endpoint.pid == pid:
        (run / "endpoint.json").unlink(missing_ok=True)
        if endpoint.socket:
            Path(endpoint.socket).unlink(missing_ok=True)
