"""``vault-sidecar status``: how far the index is."""

import json

import typer

from sidecar.cli.options import AsJson, VaultOption, vault_of
from sidecar.cli.session import session
from sidecar.tools.status_view import status_text

__all__ = ["run"]


def run(vault: VaultOption = None, as_json: AsJson = False) -> None:
    """Show how many files are indexed, what is pending, and what could not be read."""
    with session(vault_of(vault)) as opened:
        status = opened.status()
    if as_json:
        typer.echo(json.dumps(status))
        return
    typer.echo(status_text(status))
    typer.echo("  served by a running process" if status["served"] else "  no process is serving")
