"""``vault-sidecar history``: what agents changed."""

from typing import Annotated

import typer

from sidecar.cli.options import AsJson, VaultOption, vault_of
from sidecar.cli.session import print_reply, session

__all__ = ["run"]


def run(
    note: Annotated[str | None, typer.Argument(help="Only changes of this note.")] = None,
    vault: VaultOption = None,
    since: Annotated[str | None, typer.Option(help="Only since then: 2026-11-30, 24h, 7d.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=200, help="How many, newest first.")] = 20,
    diff: Annotated[bool, typer.Option("--diff", help="Show what changed.")] = False,
    as_json: AsJson = False,
) -> None:
    """List what agents changed, newest first."""
    given = {"identifier": note, "since": since}
    arguments = {name: value for name, value in given.items() if value is not None}
    with session(vault_of(vault)) as opened:
        reply = opened.call(
            "history", {**arguments, "limit": limit, "diff": diff, "output_format": "json" if as_json else "text"}
        )
        print_reply(reply, as_json=as_json)
