"""Where the serving process can be reached, and the secret that proves it: ``run/endpoint.json``.

With a custom state folder, ``run/elsewhere/`` of the platform's default folder holds a pointer to it, so that the
companion plugin, which knows only the default, finds every daemon that speaks HTTP.
"""

import hashlib
import json
import os
import socket
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from sidecar.bridge.protocol import PROTOCOL
from sidecar.config import StateFolder
from sidecar.daemon import shim
from sidecar.daemon.private_file import replace_private

__all__ = ["Endpoint", "Published", "free_address", "pointer_of", "read_endpoint", "vault_key"]

_LONGEST_SOCKET_PATH = 100
"""Unix sockets take about 104 bytes of path; longer ones fall back to loopback TCP."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One serving process.

    ``socket`` is the path of the Unix socket for shims, or ``None`` when ``socket_port`` on 127.0.0.1 takes its place;
    ``port`` is that of HTTP, if it is served. ``token`` is new at each start; ``vaults`` maps :func:`vault_key` to
    project id.
    """

    pid: int
    version: str
    token: str
    socket: str | None
    socket_port: int | None
    port: int | None
    instance_id: str
    protocol: Mapping[str, int] = field(default_factory=lambda: asdict(PROTOCOL))
    vaults: Mapping[str, str] = field(default_factory=dict)


class Published:
    """The endpoint of this process as others see it, in the state folder and where the plugin looks."""

    def __init__(self, state: StateFolder, endpoint: Endpoint, pointer: Path | None) -> None:
        self._run = state.make(state.run)
        self.endpoint = endpoint
        self._pointer = pointer
        if pointer is not None:
            pointer.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            replace_private(pointer, json.dumps({"home": str(state.root), "pid": endpoint.pid}))

    def tell(self, vaults: Mapping[str, str]) -> None:
        """Publish the endpoint with the vaults that are open now."""
        now = {**asdict(self.endpoint), "vaults": dict(vaults)}
        replace_private(self._run / "endpoint.json", json.dumps(now))

    def withdraw(self) -> None:
        """Take the endpoint back, unless another process has published its own since."""
        published = read_endpoint(self._run)
        if published is not None and published.instance_id == self.endpoint.instance_id:
            (self._run / "endpoint.json").unlink(missing_ok=True)
            for file in (self._pointer, published.socket):
                if file is not None:
                    Path(file).unlink(missing_ok=True)


def pointer_of(state: StateFolder, environment: Mapping[str, str]) -> Path | None:
    """Return where the pointer to a custom state folder belongs; ``None`` when it is the default one.

    ``VAULT_SIDECAR_DEFAULT_HOME`` takes the place of the platform's default folder, so that tests leave it alone.
    """
    named = environment.get("VAULT_SIDECAR_DEFAULT_HOME")
    without = {name: value for name, value in environment.items() if name != "VAULT_SIDECAR_HOME"}
    default = Path(named or shim.state_folder(without))
    if _same(default, state.root):
        return None
    return default / "run" / "elsewhere" / f"{vault_key(state.root)[:16]}.json"


def vault_key(folder: Path) -> str:
    """Return the SHA-256 of a folder's real path, by which others can ask for it without learning its name."""
    return hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()


def free_address(run: Path) -> str | None:
    """Return the free path for a Unix socket, or ``None`` where loopback TCP has to do.

    The caller holds the lock, so a socket that is there was left by a process that ended.
    """
    path = run / "mcp.sock"
    if not hasattr(socket, "AF_UNIX") or len(str(path).encode()) > _LONGEST_SOCKET_PATH:
        return None
    path.unlink(missing_ok=True)
    return str(path)


def read_endpoint(run: Path) -> Endpoint | None:
    """Return the endpoint of the serving process, or ``None`` when none is published."""
    try:
        return Endpoint(**json.loads((run / "endpoint.json").read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _same(one: Path, other: Path) -> bool:
    return one.expanduser().resolve() == other.resolve()
