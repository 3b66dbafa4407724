"""``vault-sidecar mcp``: what an AI client starts."""

from functools import partial
from pathlib import Path
from typing import Annotated

import anyio
import typer

from sidecar.cli.options import Tools, VaultOption, vault_of
from sidecar.config import StateFolder, load_settings
from sidecar.daemon import shim
from sidecar.daemon.attach import wants
from sidecar.daemon.lock import DaemonLock

__all__ = ["run"]


def run(
    vault: VaultOption = None,
    project: Annotated[
        str | None, typer.Option(envvar="VAULT_SIDECAR_PROJECT", help="A project by name, instead of a vault.")
    ] = None,
    tools: Tools = "full",
    home: Annotated[
        Path | None, typer.Option(envvar="VAULT_SIDECAR_HOME", help="The state folder; else the usual one.")
    ] = None,
    embedded: Annotated[bool, typer.Option("--embedded", help="Serve in this process if no other serves yet.")] = False,
) -> None:
    """Speak MCP over standard input and output; AI clients start this.

    A process that serves all clients is started when none runs; with neither vault nor project, each call says which
    project it means.
    """
    state = StateFolder(home.expanduser().absolute()) if home else StateFolder.default()
    if vault is not None or (project is None and (embedded or Path(".obsidian").is_dir())):
        vault = vault_of(vault)
    asked = wants(vault, project=project, tools=tools)
    if not embedded or not _serve_here(state, vault, project, tools):
        raise typer.Exit(shim.run(str(state.root), asked))


def _serve_here(state: StateFolder, vault: Path | None, project: str | None, tools: str) -> bool:
    """Serve this client and those that come meanwhile; ``False`` when another process does."""
    lock = DaemonLock(state.make(state.run) / "daemon.lock")
    if not lock.acquire():
        return False
    from sidecar.daemon.host import Host  # noqa: PLC0415 - the SDK takes half a second to import
    from sidecar.daemon.log import log_to  # noqa: PLC0415
    from sidecar.daemon.serve import serve, serve_stdio  # noqa: PLC0415

    log_to(state.make(state.logs), alone=False)
    host = Host(state, load_settings(state.config))
    try:
        connection = host.connection(vault, project, tools)
        anyio.run(partial(serve, host, partial(serve_stdio, host, connection)))
    finally:
        host.close()
        lock.release()
    return True
