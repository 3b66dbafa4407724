"""``vault-sidecar memories``: bring memories of other programs into the vault."""

import json
from pathlib import Path
from typing import Annotated

import typer

from sidecar.cli.options import AsJson, VaultOption, vault_of
from sidecar.cli.session import session
from sidecar.errors import Invalid
from sidecar.parse.memory_graph import GraphMemory, memories_in

__all__ = ["group"]

group = typer.Typer(help="Bring memories of other programs into the vault.", no_args_is_help=True)


@group.callback()
def _group() -> None:
    pass


@group.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="memory.jsonl of @modelcontextprotocol/server-memory.")],
    vault: VaultOption = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace memories of the same name.")] = False,
    as_json: AsJson = False,
) -> None:
    """Save each entity of a knowledge graph as a memory, its relations as links."""
    found = _read(file)
    counts = dict.fromkeys(("created", "updated", "conflict", "failed"), 0)
    with session(vault_of(vault)) as opened:
        for one in found:
            reply = opened.call(
                "recall_save",
                {
                    "name": one.name,
                    "description": one.description,
                    "type": one.type.value,
                    "body": one.body,
                    "overwrite": overwrite,
                    "reason": f"import of {file.name}",
                    "response_format": "json",
                },
            )
            status = "failed" if reply.is_error else str((reply.structured or {})["status"])
            counts[status] += 1
            if status in ("conflict", "failed"):
                why = (reply.structured or {}).get(
                    "message"
                ) or "a memory of this name is there; --overwrite replaces it"
                typer.echo(f"Not imported: {one.name}: {why}", err=True)
    typer.echo(_told(counts, as_json=as_json))
    if counts["failed"]:
        raise typer.Exit(1)


def _read(file: Path) -> tuple[GraphMemory, ...]:
    try:
        return tuple(memories_in(file.expanduser().read_text("utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        raise Invalid(f"'{file}' cannot be read: {error}.", hint="Give the file's path.") from error


def _told(counts: dict[str, int], *, as_json: bool) -> str:
    if as_json:
        return json.dumps(counts)
    return ", ".join(f"{count} {status}" for status, count in counts.items() if count) or "nothing to import"
