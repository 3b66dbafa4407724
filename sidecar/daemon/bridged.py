"""The serving process as the bridge sees it."""

from collections.abc import Sequence
from pathlib import Path

import anyio

from sidecar.bridge.auth import BridgeSecret
from sidecar.bridge.daemon import Client, ConnectionSettings
from sidecar.bridge.vault import BridgeVault
from sidecar.daemon.client_command import client_command
from sidecar.daemon.host import Host
from sidecar.errors import Invalid

__all__ = ["BridgedHost"]

_TAIL = 512 * 1024
"""Bytes at the end of the log that are looked through."""


class BridgedHost:
    """Implements the bridge's ``Daemon``."""

    def __init__(self, host: Host, http_token: Path) -> None:
        """Take the host; ``http_token`` is the file with the token for AI clients over HTTP."""
        self._host = host
        self._http_token = http_token
        self.secret = BridgeSecret(host.token)

    @property
    def instance_id(self) -> str:
        """What tells this process from one before it."""
        return self._host.instance_id

    def vault(self, key: str) -> BridgeVault | None:
        """Return the open vault whose real path has this SHA-256."""
        vault = self._host.opened(key)
        return vault.bridge if vault is not None else None

    async def open_for_person(self, path: str) -> BridgeVault:
        """Open a vault, or return it when it is open.

        Raises:
            Invalid: when it is no vault's folder.

        """
        root = Path(path)
        if not root.is_absolute() or "\0" in path or not (root / ".obsidian").is_dir():
            raise Invalid(f"'{path}' is not the folder of a vault.", hint="Give the absolute path of a vault's folder.")
        return (await anyio.to_thread.run_sync(self._host.open, root)).bridge

    def clients(self, vault: BridgeVault) -> Sequence[Client]:
        """Return the AI clients that may reach a vault."""
        return self._host.clients(vault.services.project_id)

    def connection(self, vault: BridgeVault) -> ConnectionSettings:
        """Return how an AI client is connected to a vault."""
        command, *arguments = client_command(vault.services.status.root, self._host.state.root)
        url = f"http://127.0.0.1:{self._host.port}/mcp"
        return ConnectionSettings(command, arguments, url, str(self._http_token))

    def log_tail(self, lines: int) -> Sequence[str]:
        """Return the last lines of the log."""
        try:
            with (self._host.state.logs / "daemon.log").open("rb") as log:
                log.seek(max(0, log.seek(0, 2) - _TAIL))
                return log.read().decode("utf-8", "replace").splitlines()[-lines:]
        except OSError:
            return []

    def end(self, reason: str) -> None:
        """Begin to end, once running changes are done."""
        self._host.end(reason)
