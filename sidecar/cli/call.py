"""``vault-sidecar call``: call a tool exactly as an agent does."""

import json
from typing import Annotated, Any

import typer

from sidecar.cli.known_tool import known_tool
from sidecar.cli.options import VaultOption, vault_of
from sidecar.cli.session import print_reply, session
from sidecar.errors import Invalid
from sidecar.services.caller import Audience

__all__ = ["run"]


def run(
    tool: Annotated[str, typer.Argument(help="Name of the tool; 'tools NAME' shows its arguments.")],
    arguments: Annotated[list[str] | None, typer.Argument(help="name=value …; lists and objects as JSON.")] = None,
    vault: VaultOption = None,
) -> None:
    """Call one tool, seeing what an agent would see."""
    properties = known_tool(tool).schema["properties"]
    given = dict(_argument(text, properties) for text in arguments or ())
    with session(vault_of(vault), Audience.AGENT) as opened:
        print_reply(opened.call(tool, given), as_json=given.get("output_format") == "json")


def _argument(text: str, properties: dict[str, Any]) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals:
        raise Invalid(f"'{text}' is not name=value.")
    if properties.get(name, {}).get("type") == "string":
        return name, value
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
