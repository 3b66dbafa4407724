"""Serves one vault over HTTP to whoever asks on this machine, through all that a request passes but the token."""

import argparse
import sys
from functools import partial
from pathlib import Path

import anyio

from bench.clients.fixtures import furnish
from sidecar.config import Settings, StateFolder
from sidecar.daemon.host import Host
from sidecar.daemon.http import bind, serve_http
from sidecar.daemon.http_guard import Guard, Route


async def serve(vault: Path, state: Path, *, fixtures: bool) -> None:
    """Print the port, then serve until standard input ends; with what the conformance suite asks for besides."""
    host = Host(StateFolder(state), Settings())
    host.open(vault)
    if fixtures:
        furnish(host.server)
    bound, ending = bind(0), anyio.Event()
    print(bound.getsockname()[1], flush=True)
    async with anyio.create_task_group() as tasks, host.server.http(host.visitors()) as mcp:
        tasks.start_soon(host.server.changes)
        tasks.start_soon(serve_http, Guard({"/mcp": Route(mcp, lambda _token: True, own_origin=True)}), bound, ending)
        await anyio.to_thread.run_sync(sys.stdin.read)
        ending.set()
        tasks.cancel_scope.cancel()
    host.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vault", type=Path)
    parser.add_argument("state", type=Path)
    parser.add_argument("--fixtures", action="store_true")
    given = parser.parse_args()
    anyio.run(partial(serve, given.vault, given.state, fixtures=given.fixtures))
