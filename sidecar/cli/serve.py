"""``vault-sidecar serve``: index and watch vaults in the foreground, for all clients."""

from pathlib import Path
from typing import Annotated

import anyio
import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from sidecar.cli.connect import connection_text
from sidecar.config import StateFolder, load_settings
from sidecar.daemon.lock import DaemonLock
from sidecar.errors import Unavailable
from sidecar.services.status import Status

__all__ = ["run"]

_LOOK_EVERY = 0.1


def run(vaults: Annotated[list[Path], typer.Argument(help="Folders of vaults.", show_default=False)]) -> None:
    """Index and watch vaults, and serve every AI client, until interrupted."""
    state = StateFolder.default()
    lock = DaemonLock(state.make(state.run) / "daemon.lock")
    if not lock.acquire():
        raise Unavailable(
            "Another Vault Sidecar process is serving already.", hint="Clients use that one; end it first."
        )
    from sidecar.daemon.serve import Host, serve  # noqa: PLC0415 - the SDK takes half a second to import

    host = Host(state, load_settings(state.config))
    console = Console(stderr=True)

    async def work() -> None:
        for vault in vaults:
            await _index(host.open(vault).services.status, console)
            console.print(escape(connection_text(vault)), soft_wrap=True)
        console.print("Serving. Press Ctrl-C to end.")
        await anyio.sleep_forever()

    try:
        anyio.run(serve, host, work)
    finally:
        host.close()
        lock.release()


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
