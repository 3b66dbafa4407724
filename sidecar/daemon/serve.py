"""The serving process: listens for clients until told to end, and then ends in order."""

import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

import anyio
from anyio.abc import ByteStream, SocketAttribute, SocketListener, SocketStream, TaskGroup, TaskStatus

from sidecar import __version__
from sidecar.bridge.app import bridge_app
from sidecar.daemon.bridged import BridgedHost
from sidecar.daemon.endpoint import Endpoint, Published, free_address, pointer_of
from sidecar.daemon.greeting import Ask, Greeting, Preface, declined
from sidecar.daemon.host import Host
from sidecar.daemon.http import bind, serve_http
from sidecar.daemon.http_guard import App, Guard, Receive, Route, Scope, Send
from sidecar.daemon.http_token import HttpToken
from sidecar.daemon.shim import Carrier, Unreachable
from sidecar.errors import Refused, SidecarError
from sidecar.tools.server import Connection

__all__ = ["serve", "serve_stdio"]

_LONGEST_PREFACE = 65_536
_INTRODUCTION = 10.0
"""Seconds in which a client has to say what it wants."""
_GRACE = 5.0
"""Seconds for calls that run when the process is told to end; the change under way is finished in any case."""
_DRAIN = 2.0
"""Seconds to let the last answers reach standard output."""
_log = logging.getLogger(__name__)


async def serve(
    host: Host, also: Callable[[], Awaitable[None]], *, port: int | None = None, idle: float | None = None
) -> None:
    """Listen while ``also`` runs, then until the last client has left; a signal, ``stop`` or idleness ends it sooner.

    The caller holds the lock. ``port``: where to serve HTTP, or the next free one after it; ``None`` for not at all.
    ``idle``: seconds without a client after which to end.

    Raises:
        SidecarError: what ``also`` raises.

    """
    failures: list[SidecarError] = []

    async def main() -> None:
        try:
            await also()
            await host.presence.drained()
            host.end("the last client left")
        except SidecarError as error:
            failures.append(error)
            host.end("it could not start")

    async with anyio.create_task_group() as tasks:
        listening = anyio.CancelScope()
        calls_done = anyio.Event()
        await tasks.start(_end_on_signal, host)
        await _listen(host, port, tasks, listening, calls_done)
        if idle is not None:
            tasks.start_soon(_end_when_idle, host, idle)
        tasks.start_soon(host.server.changes)
        tasks.start_soon(host.news.run)
        tasks.start_soon(main)
        try:
            await host.ending.wait()
        finally:
            host.withdraw()
        listening.cancel()
        await host.server.finish(_GRACE)
        calls_done.set()
        tasks.cancel_scope.cancel()
    for failure in failures:
        raise failure


async def serve_stdio(host: Host, connection: Connection) -> None:
    """Serve the client at standard input and output.

    Threads carry the bytes, so that a signal can end the process while input is awaited.
    """
    ours, theirs = socket.socketpair()
    links = [theirs]

    def link(_start: bool) -> socket.socket | None:
        if not links:
            raise Unreachable("Vault Sidecar is ending.")
        return links.pop()

    carrier = threading.Thread(target=Carrier(link).run, daemon=True)
    carrier.start()
    await host.server.serve_stream(connection, await SocketStream.from_socket(ours))
    await anyio.to_thread.run_sync(carrier.join, _DRAIN)


async def _listen(
    host: Host, port: int | None, tasks: TaskGroup, listening: anyio.CancelScope, calls_done: anyio.Event
) -> None:
    """Begin to listen on the local socket, and over HTTP if wanted; then publish where."""
    run = host.state.make(host.state.run)
    path, socket_port = free_address(run), None
    if path:
        listener: Any = await anyio.create_unix_listener(path, mode=0o600)
    else:
        listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
        sockets: list[SocketListener] = listener.listeners
        socket_port = int(sockets[0].extra(SocketAttribute.local_port))  # noqa: S610 - not Django's

    async def accept() -> None:
        async with listener:
            with listening:
                await listener.serve(partial(_welcome, host), tasks)

    tasks.start_soon(accept)
    bound = None if port is None else bind(port)
    if bound is not None:
        tasks.start_soon(_serve_http, host, bound, calls_done)
    endpoint = Endpoint(
        pid=os.getpid(),
        version=__version__,
        token=host.token,
        socket=path,
        socket_port=socket_port,
        port=bound.getsockname()[1] if bound else None,
        instance_id=host.instance_id,
    )
    host.publish(Published(host.state, endpoint, pointer_of(host.state, os.environ) if bound else None))
    _log.info("Vault Sidecar %s listens; HTTP port: %s.", __version__, endpoint.port or "none")


async def _serve_http(host: Host, bound: socket.socket, until: anyio.Event) -> None:
    file = host.state.run / "http-token"
    token = HttpToken(file)
    token.show()
    daemon = BridgedHost(host, file)
    bridge = _visited(host, bridge_app(daemon))
    sessions_closed = anyio.Event()
    with anyio.CancelScope(shield=True):
        async with anyio.create_task_group() as tasks:
            async with host.server.http(host.visitors()) as mcp:
                guard = Guard(
                    {
                        "/mcp": Route(_visited(host, mcp), token.opens, own_origin=True),
                        "/v1/hello": Route(bridge, lambda _given: True),
                        "/v1/": Route(bridge, daemon.secret.opens, hint="It is in run/endpoint.json."),
                    }
                )
                tasks.start_soon(serve_http, guard, bound, sessions_closed)
                await until.wait()
            host.news.close()
            sessions_closed.set()


def _visited(host: Host, app: App) -> App:
    """Count requests as visits, so that a process in use does not end for want of use."""

    async def visited(scope: Scope, receive: Receive, send: Send) -> None:
        with host.presence.visit():
            await app(scope, receive, send)

    return visited


async def _welcome(host: Host, stream: ByteStream) -> None:
    """Serve one client of the local socket: greet, check its preface, then speak MCP."""
    greeting = Greeting(host.token)
    async with stream:
        try:
            with anyio.fail_after(_INTRODUCTION):
                await stream.send(greeting.line)
                line, rest = await _preface(stream)
            preface = greeting.check(line)
            if preface.ask is not Ask.SERVE:
                _check_may_end(host, preface)
                host.withdraw()  # first: whoever hears that we go must not find us again
                await stream.send(greeting.accepted(preface))
                host.end(f"version {preface.version} asked to {preface.ask.value}")
                return
            with host.presence.visit():
                connection = await anyio.to_thread.run_sync(_connection, host, preface)
                try:
                    await stream.send(greeting.accepted(preface))
                    await host.server.serve_stream(connection, stream, rest)
                finally:
                    host.let_go(connection)
        except SidecarError as error:
            await _decline(stream, error.message)
        except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError, TimeoutError):
            pass  # the client left; nothing is owed to it
        except Exception as error:  # noqa: BLE001 - one client's fault must not end the process for the others
            _log.exception("A client could not be served.")
            await _decline(stream, f"it failed: {type(error).__name__}")


def _connection(host: Host, preface: Preface) -> Connection:
    return host.connection(preface.vault, preface.project, preface.tools, person=preface.person)


def _check_may_end(host: Host, preface: Preface) -> None:
    if preface.ask is Ask.LEAVE and (not host.autostarted or host.presence.anyone):
        raise Refused("it is in use")


async def _decline(stream: ByteStream, reason: str) -> None:
    with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        await stream.send(declined(reason))


async def _preface(stream: ByteStream) -> tuple[bytes, bytes]:
    received = bytearray()
    while (end := received.find(b"\n")) < 0:
        if len(received) > _LONGEST_PREFACE:
            raise anyio.EndOfStream
        received += await stream.receive()
    return bytes(received[:end]), bytes(received[end + 1 :])


async def _end_on_signal(host: Host, *, task_status: TaskStatus[None]) -> None:
    if sys.platform == "win32":
        task_status.started()
        return  # Ctrl-C arrives as the cancellation of everything; ``stop`` ends a daemon without a console
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        task_status.started()
        async for number in signals:
            host.end(f"signal {number}")


async def _end_when_idle(host: Host, seconds: float) -> None:
    while (idle := host.presence.idle_seconds) < seconds:  # noqa: ASYNC110 - time itself is waited for
        await anyio.sleep(seconds - idle)
    host.end("nobody was connected for a while")
