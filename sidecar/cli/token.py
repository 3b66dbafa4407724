"""``vault-sidecar token``: the secret with which clients reach us over HTTP."""

from enum import StrEnum
from typing import Annotated

import typer

from sidecar.config import StateFolder
from sidecar.daemon.http_token import HttpToken

__all__ = ["run"]


class Action(StrEnum):
    """What to do with the token."""

    SHOW = "show"
    ROTATE = "rotate"


def run(
    action: Annotated[Action, typer.Argument(help="'rotate' makes the old one useless at once.")] = Action.SHOW,
) -> None:
    """Show or replace the bearer token for http://127.0.0.1:27125/mcp."""
    state = StateFolder.default()
    token = HttpToken(state.make(state.run) / "http-token")
    typer.echo(token.rotate() if action is Action.ROTATE else token.show())
