"""``vault-sidecar undo``: take back what agents changed."""

from typing import Annotated

import typer

from sidecar.cli.options import AsJson, VaultOption, vault_of
from sidecar.cli.session import print_reply, session

__all__ = ["run"]


def run(
    change: Annotated[str | None, typer.Argument(help="Id of the change, from 'history'.")] = None,
    vault: VaultOption = None,
    of_session: Annotated[
        str | None, typer.Option("--session", envvar="VAULT_SIDECAR_UNDO_SESSION", help="Everything of this session.")
    ] = None,
    since: Annotated[str | None, typer.Option(help="Everything since then: 2026-11-30, 24h, 7d.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would happen.")] = False,
    as_json: AsJson = False,
) -> None:
    """Take back one change, a session, or everything since a time."""
    if change is None and of_session is None and since is None:
        raise typer.BadParameter("Say what: the id of a change, --session or --since.")
    given = {"change": change, "session": of_session, "since": since}
    arguments = {name: value for name, value in given.items() if value is not None}
    with session(vault_of(vault)) as opened:
        reply = opened.call("undo", {**arguments, "dry_run": dry_run, "output_format": "json" if as_json else "text"})
        print_reply(reply, as_json=as_json)
