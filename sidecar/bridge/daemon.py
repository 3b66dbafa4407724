"""What the bridge needs of the process that serves it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sidecar.bridge.auth import BridgeSecret
from sidecar.bridge.vault import BridgeVault

__all__ = ["Client", "ConnectionSettings", "Daemon"]


@dataclass(frozen=True, slots=True)
class Client:
    """An AI client that is connected to a vault. ``since`` is milliseconds since the epoch."""

    name: str
    session: str
    since: int


@dataclass(frozen=True, slots=True)
class ConnectionSettings:
    """How an AI client is connected: the command it has to start, or the address and the file with its token."""

    command: str
    args: list[str]
    http_url: str
    token_file: str


class Daemon(Protocol):
    """The serving process."""

    @property
    def secret(self) -> BridgeSecret: ...

    @property
    def instance_id(self) -> str: ...

    def vault(self, key: str) -> BridgeVault | None:
        """Return the open vault whose real path has this SHA-256."""
        ...

    async def open_for_person(self, path: str) -> BridgeVault:
        """Open a vault, or return it when it is open.

        Raises:
            Invalid: when it is no vault's folder.

        """
        ...

    def clients(self, vault: BridgeVault) -> Sequence[Client]:
        """Return the AI clients that may reach a vault."""
        ...

    def connection(self, vault: BridgeVault) -> ConnectionSettings:
        """Return how an AI client is connected to a vault."""
        ...

    def log_tail(self, lines: int) -> Sequence[str]:
        """Return the last lines of the log."""
        ...

    def end(self, reason: str) -> None:
        """Begin to end, once running changes are done."""
        ...
