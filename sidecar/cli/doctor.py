"""``vault-sidecar doctor``: what is wrong in a vault."""

import asyncio
import json
from dataclasses import asdict

import typer

from sidecar.canvas.check import Severity
from sidecar.cli.options import AsJson, VaultArgument, vault_of
from sidecar.cli.session import own_vault
from sidecar.config import StateFolder
from sidecar.errors import Unavailable
from sidecar.model.change import Author
from sidecar.services.caller import Audience, Caller

__all__ = ["run"]


def run(vault: VaultArgument, as_json: AsJson = False) -> None:
    """Look for broken properties, links, names and canvases; exit code 1 when there are errors."""
    with own_vault(vault_of(vault), StateFolder.default()) as opened:
        if opened is None:
            raise Unavailable("Another Vault Sidecar process is serving.", hint="End it first: vault-sidecar stop.")
        opened.index_now()
        caller = Caller(Author("vault-sidecar", "command line"), Audience.PERSON)
        findings = asyncio.run(opened.services.checkup.look(caller))
        meaning = opened.meaning.missing_model
    if as_json:
        typer.echo(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False))
    else:
        for f in findings:
            typer.echo(f"{f.severity.value}: {f.path}{f':{f.line}' if f.line else ''}: {f.message}")
        if meaning:
            typer.echo(f"note: no search by meaning: {meaning}.")
        errors = sum(f.severity is Severity.ERROR for f in findings)
        typer.echo(f"{errors} errors, {len(findings) - errors} warnings.")
    if any(f.severity is Severity.ERROR for f in findings):
        raise typer.Exit(1)
