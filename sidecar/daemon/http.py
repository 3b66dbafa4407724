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
        # With its protocol named, asyncio turns off the delay that would hold each answer back by 40 ms.
        bound = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
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
        date_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
    )
    await _Server(config, until).serve([bound])


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, until: anyio.Event) -> None:
        super().__init__(config)
        self._until = until

    async def main_loop(self) -> None:
        """Sleep until it is time to end; the library's own loop would look ten times a second."""
        await self.on_tick(0)
        await self._until.wait()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave signals to the daemon, which ends more than HTTP on them."""
        yield
