"""``vault-sidecar doctor``: what is wrong in a vault."""

import json

import typer

from sidecar.canvas.check import Severity
from sidecar.cli.options import AsJson, VaultArgument, vault_of
from sidecar.cli.session import session
from sidecar.tools.text_view import counted

__all__ = ["run"]


def run(vault: VaultArgument, as_json: AsJson = False) -> None:
    """Look for broken properties, links, names and canvases; exit code 1 when there are errors."""
    with session(vault_of(vault)) as opened:
        checked = opened.checkup()
    errors = sum(finding["severity"] == Severity.ERROR for finding in checked.findings)
    if as_json:
        typer.echo(json.dumps(checked.findings, ensure_ascii=False))
    else:
        for f in checked.findings:
            line = f":{f['line']}" if f["line"] else ""
            typer.echo(f"{f['severity']}: {f['path']}{line}: {f['message']}")
        if checked.no_meaning:
            typer.echo(f"note: no search by meaning: {checked.no_meaning}.")
        if checked.pending:
            typer.echo(f"note: {counted(checked.pending, 'file')} still to be indexed; look again later.")
        typer.echo(f"{counted(errors, 'error')}, {counted(len(checked.findings) - errors, 'warning')}.")
    if errors:
        raise typer.Exit(1)
