"""``vault-sidecar mcp``: what an AI client starts."""

from functools import partial
from typing import Annotated

import anyio
import typer

from sidecar.cli.options import Tools, VaultOption, vault_of
from sidecar.config import StateFolder, load_settings
from sidecar.daemon.attach import attach
from sidecar.daemon.lock import DaemonLock
from sidecar.daemon.pump import pump
from sidecar.errors import Invalid

__all__ = ["run"]


def run(
    vault: VaultOption = None,
    tools: Tools = "full",
    embedded: Annotated[bool, typer.Option("--embedded", help="Serve in this process if no other serves yet.")] = False,
) -> None:
    """Speak MCP over standard input and output; AI clients start this."""
    if not embedded:
        raise Invalid("mcp needs --embedded.", hint="Run: vault-sidecar mcp --embedded --vault FOLDER")
    root, state = vault_of(vault), StateFolder.default()
    lock = DaemonLock(state.make(state.run) / "daemon.lock")
    if not lock.acquire():
        pump(attach(state.run, root, tools=tools))
        return
    from sidecar.daemon.serve import Host, serve, serve_stdio  # noqa: PLC0415 - the SDK takes half a second to import

    host = Host(state, load_settings(state.config))
    try:
        connection = host.connection(root, tools)
        anyio.run(serve, host, partial(serve_stdio, host, connection))
    finally:
        host.close()
        lock.release()
