"""The HTTP server on 127.0.0.1."""

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import anyio
import uvicorn

from sidecar.daemon.http_guard import App

__all__ = ["bind", "serve_http"]

_NEIGHBOURS = 20
"""Ports after the wanted one that are tried before any free one."""


def bind(port: int) -> socket.socket:
    """Return a socket bound to this port of 127.0.0.1, or to the next that is free."""
    for candidate in (*range(port, min(port + _NEIGHBOURS, 65_536)), 0):
        bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if sys.platform == "win32":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            bound.bind(("127.0.0.1", candidate))
        except OSError:
            bound.close()
        else:
            bound.listen()
            return bound
    raise AssertionError("the system always has a port to give")


async def serve_http(app: App, bound: socket.socket, until: anyio.Event) -> None:
    """Serve until told to end; streams that are still open then are closed."""
    config = uvicorn.Config(
        app,
        http="h11",
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
    server = _Server(config)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(server.serve, [bound])
        await until.wait()
        server.should_exit = True


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the daemon, which ends more than HTTP on them."""
        yield
