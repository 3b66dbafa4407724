"""``vault-sidecar search``: search from the command line, as an agent would."""

from typing import Annotated

import typer

from sidecar.cli.options import AsJson, VaultArgument, vault_of
from sidecar.cli.session import print_reply, session

__all__ = ["run"]


def run(
    vault: VaultArgument,
    query: Annotated[str, typer.Argument(help="What to find.")],
    limit: Annotated[int, typer.Option(help="Results to show.", min=1, max=100)] = 10,
    as_json: AsJson = False,
) -> None:
    """Search a vault."""
    with session(vault_of(vault)) as opened:
        arguments = {"query": query, "page_size": limit, "output_format": "json" if as_json else "text"}
        print_reply(opened.call("search_notes", arguments), as_json=as_json)
