"""``vault-sidecar tools``: what agents can do."""

import json

import typer

from sidecar.cli.options import AsJson
from sidecar.tools.families import FAMILIES

__all__ = ["run"]


def run(as_json: AsJson = False) -> None:
    """List the tools by family; with --json their whole schemas."""
    if as_json:
        listed = [
            {"name": tool.name, "family": family, "description": tool.description, "inputSchema": tool.schema}
            for family, tools in FAMILIES.items()
            for tool in tools
        ]
        typer.echo(json.dumps(listed))
        return
    for family, tools in FAMILIES.items():
        typer.echo(f"{family}:")
        for tool in tools:
            typer.echo(f"  {tool.name:<16} {tool.description.splitlines()[0]}")
