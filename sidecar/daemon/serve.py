"""The serving process: opens vaults on demand and listens for clients until told to end."""

import gc
import json
import os
import secrets
import signal
import socket
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from anyio.abc import ByteStream, SocketAttribute, SocketListener, SocketStream, TaskStatus

from sidecar import __version__
from sidecar.app import OpenVault, open_vault
from sidecar.config import Settings, StateFolder
from sidecar.daemon.endpoint import Endpoint, free_address, remove_endpoint, write_endpoint
from sidecar.daemon.pump import pump
from sidecar.errors import Invalid, SidecarError
from sidecar.services.caller import Audience
from sidecar.services.services import Services
from sidecar.tools.families import tools_of
from sidecar.tools.server import Connection, VaultServer
from sidecar.tools.status_view import status_json

__all__ = ["Host", "serve", "serve_stdio"]

_LONGEST_PREFACE = 65_536
_DRAIN = 2.0
"""Seconds to let the last answers reach standard output."""
_PATIENCE = 1.0
"""Seconds a first client waits for the index: a vault of a few hundred notes is then complete at its first question."""


@dataclass
class Host:
    """The vaults this process has open, and the clients it serves."""

    state: StateFolder
    settings: Settings
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    vaults: dict[Path, OpenVault] = field(default_factory=dict)
    clients: int = 0

    def __post_init__(self) -> None:
        self.server = VaultServer(_status_of)
        self._left = anyio.Event()

    def open(self, root: Path) -> OpenVault:
        """Return the vault, opened and watched."""
        key = root.expanduser().resolve()
        if key not in self.vaults:
            vault = open_vault(root, self.state, self.settings)
            vault.start(_PATIENCE)
            self.vaults[key] = vault
            # What is loaded now lives as long as the process; the collector need not look at it again.
            gc.collect()
            gc.freeze()
        return self.vaults[key]

    def connection(self, root: Path, tools: str, audience: Audience = Audience.AGENT) -> Connection:
        """Return a new connection to a vault."""
        names = [name.strip() for name in tools.split(",") if name.strip()]
        return Connection(self.open(root).services, tools_of(names), secrets.token_hex(6), audience)

    async def drained(self) -> None:
        """Wait until no client is connected."""
        while self.clients:
            self._left = anyio.Event()
            await self._left.wait()

    def close(self) -> None:
        """Finish running changes and close all vaults."""
        for vault in self.vaults.values():
            vault.close()

    async def welcome(self, stream: ByteStream) -> None:
        """Serve one client of the local socket: check its preface, then speak MCP."""
        self.clients += 1
        try:
            line, rest = await _preface(stream)
            try:
                connection = await anyio.to_thread.run_sync(self._admit, line)
            except SidecarError as error:
                await stream.send(f"NO {error.message}\n".encode())
                await stream.aclose()
                return
            await stream.send(f"OK {__version__}\n".encode())
            await self.server.serve_stream(connection, stream, rest)
        except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass  # the client left; nothing is owed to it
        finally:
            self.clients -= 1
            self._left.set()

    def _admit(self, line: bytes) -> Connection:
        try:
            preface: dict[str, Any] = json.loads(line)
            token, vault = str(preface["token"]), str(preface["vault"])
        except (ValueError, KeyError, TypeError):
            raise Invalid("the preface cannot be read") from None
        if not secrets.compare_digest(token, self.token):
            raise Invalid("the token is not the one of this process")
        audience = Audience.PERSON if preface.get("person") else Audience.AGENT
        return self.connection(Path(vault), str(preface.get("tools", "full")), audience)


async def serve(host: Host, also: Callable[[], Awaitable[None]]) -> None:
    """Listen on the local socket while ``also`` runs, then until the last client has left; SIGTERM ends at once.

    The caller holds the lock.
    """
    run = host.state.make(host.state.run)
    async with anyio.create_task_group() as tasks:
        await tasks.start(_listen, host, run)
        tasks.start_soon(_end_on_signal, tasks.cancel_scope)
        try:
            await also()
            await host.drained()
        finally:
            tasks.cancel_scope.cancel()
            remove_endpoint(run, os.getpid())


async def serve_stdio(host: Host, connection: Connection) -> None:
    """Serve the client at standard input and output.

    Threads carry the bytes, so that a signal can end the process while input is awaited.
    """
    ours, theirs = socket.socketpair()
    carrier = threading.Thread(target=pump, args=(theirs,), daemon=True)
    carrier.start()
    await host.server.serve_stream(connection, await SocketStream.from_socket(ours))
    await anyio.to_thread.run_sync(carrier.join, _DRAIN)


async def _listen(host: Host, run: Path, *, task_status: TaskStatus[None]) -> None:
    path = free_address(run)
    if path:
        listener: Any = await anyio.create_unix_listener(path, mode=0o600)
        port = None
    else:
        listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
        sockets: list[SocketListener] = listener.listeners
        port = int(sockets[0].extra(SocketAttribute.local_port))  # noqa: S610 - not Django's
    write_endpoint(run, Endpoint(os.getpid(), __version__, host.token, path, port))
    task_status.started()
    await listener.serve(host.welcome)


async def _end_on_signal(scope: anyio.CancelScope) -> None:
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            scope.cancel()
            return


async def _preface(stream: ByteStream) -> tuple[bytes, bytes]:
    received = bytearray()
    while (end := received.find(b"\n")) < 0:
        if len(received) > _LONGEST_PREFACE:
            raise anyio.EndOfStream
        received += await stream.receive()
    return bytes(received[:end]), bytes(received[end + 1 :])


def _status_of(services: Services) -> dict[str, Any]:
    return status_json(services.status.look())
