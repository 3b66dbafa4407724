"""``vault-sidecar serve``: index and watch vaults in the foreground, for all clients."""

import time
from functools import partial
from pathlib import Path
from typing import Annotated

import anyio
import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from sidecar.cli.connect import connection_text
from sidecar.cli.options import vault_of
from sidecar.config import StateFolder, load_settings
from sidecar.daemon.endpoint import read_endpoint
from sidecar.daemon.lock import DaemonLock
from sidecar.errors import Unavailable
from sidecar.services.status import Status

__all__ = ["run"]

_LOOK_EVERY = 0.1
_IDLE = 30 * 60.0
_TURN = 60.0
"""Seconds an autostarted process waits for one that has the lock and does not serve: another command at work."""


def run(
    vaults: Annotated[list[Path] | None, typer.Argument(help="Folders of vaults.", show_default=False)] = None,
    port: Annotated[
        int, typer.Option(help="Port for HTTP; if it is taken, the next free one.", min=1, max=65_535)
    ] = 27125,
    autostarted: Annotated[bool, typer.Option("--autostarted", hidden=True)] = False,
    idle_seconds: Annotated[float, typer.Option(hidden=True, help="When an autostarted process ends.")] = _IDLE,
) -> None:
    """Index and watch vaults, and serve every AI client, until interrupted."""
    roots = [vault_of(vault) for vault in vaults or ()]
    state = StateFolder.default()
    lock = DaemonLock(state.make(state.run) / "daemon.lock")
    if not (_in_turn(lock, state) if autostarted else lock.acquire()):
        if autostarted:
            return
        raise Unavailable("Another Vault Sidecar process is serving already.", hint="End it: vault-sidecar stop")
    from sidecar.daemon.host import Host  # noqa: PLC0415 - the SDK takes half a second to import
    from sidecar.daemon.log import log_to  # noqa: PLC0415
    from sidecar.daemon.serve import serve  # noqa: PLC0415

    settings = load_settings(state.config)  # before the log, which hides standard error: this one is for the user
    log_to(state.make(state.logs), alone=autostarted)
    host = Host(state, settings, autostarted=autostarted)
    console = Console(stderr=True, highlight=False)

    async def work() -> None:
        for root in roots:
            vault = await anyio.to_thread.run_sync(host.open, root)
            await _index(vault.services.status, console)
            console.print(escape(connection_text(root)), soft_wrap=True)
        if not autostarted:
            console.print(
                f"Over HTTP: http://127.0.0.1:{host.port}/mcp with the token of: vault-sidecar token show",
                soft_wrap=True,
            )
            console.print("Serving. Press Ctrl-C to end.")
        await anyio.sleep_forever()

    try:
        anyio.run(partial(serve, host, work, port=port, idle=idle_seconds if autostarted else None))
    finally:
        host.close()
        lock.release()


def _in_turn(lock: DaemonLock, state: StateFolder) -> bool:
    """Take the lock when it is free; ``False`` when another process serves, or has it for too long."""
    end = time.monotonic() + _TURN
    while not lock.acquire():
        if read_endpoint(state.run) is not None or time.monotonic() > end:
            return False
        time.sleep(_LOOK_EVERY)
    return True


async def _index(status: Status, console: Console) -> None:
    columns = (TextColumn("Indexing {task.fields[name]}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", name=status.look().project, total=None)
        while status.pending or status.look().last_reconcile_ns is None:
            look = status.look()
            progress.update(task, completed=look.total - look.pending, total=look.total or None)
            await anyio.sleep(_LOOK_EVERY)
    look = status.look()
    console.print(f"{look.project}: {look.files['note']} notes and {look.files['canvas']} canvases are searchable.")
