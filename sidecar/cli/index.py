"""``vault-sidecar index``: bring the index up to date once."""

import json
import shlex
import time
from concurrent.futures import ThreadPoolExecutor

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from sidecar.cli.options import AsJson, VaultArgument, vault_of
from sidecar.cli.session import own_vault
from sidecar.config import StateFolder
from sidecar.errors import Unavailable
from sidecar.tools.status_view import files_text, status_json

__all__ = ["run"]


def run(vault: VaultArgument, as_json: AsJson = False) -> None:
    """Index a vault once and say how many files changed, and how fast that was."""
    root = vault_of(vault)
    begin, cpu = time.perf_counter(), time.process_time()
    with own_vault(root, StateFolder.default()) as opened:
        if opened is None:
            raise Unavailable(
                "A Vault Sidecar process is running, and indexes by itself.",
                hint=f"See: {shlex.join(('vault-sidecar', 'status', '--vault', str(vault)))}",
            )
        with (
            ThreadPoolExecutor(1) as pool,
            Progress(
                TextColumn("Indexing"), BarColumn(), MofNCompleteColumn(), console=Console(stderr=True), transient=True
            ) as progress,
        ):
            task = progress.add_task("", total=None)
            work = pool.submit(opened.index_now)
            while not work.done():
                look = opened.pipeline.progress
                progress.update(task, completed=look.total - look.pending, total=look.total or None)
                time.sleep(0.05)
            found = work.result()
        seconds, cpu = time.perf_counter() - begin, time.process_time() - cpu
        status = status_json(opened.services.status.look())
    if as_json:
        typer.echo(json.dumps({**status, "changed": found, "seconds": seconds, "cpu_seconds": cpu}))
        return
    rate = f", {found / cpu:.0f} files per CPU second" if found else ""
    cost = f"{seconds:.2f} s, {cpu:.2f} CPU seconds{rate}"
    typer.echo(f"{status['project']}: {files_text(status['files'])}. {found} had changed; {cost}.")
    for path, reason in status["problems"].items():
        typer.echo(f"not readable: {path}: {reason}", err=True)
