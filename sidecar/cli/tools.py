"""``vault-sidecar tools``: what agents can do."""

import json
from typing import Annotated, Any

import typer

from sidecar.cli.known_tool import known_tool
from sidecar.cli.options import AsJson
from sidecar.tools.families import FAMILIES, tools_of
from sidecar.tools.tool import Tool

__all__ = ["run"]


def run(
    tool: Annotated[str | None, typer.Argument(help="Show this one with its arguments.", show_default=False)] = None,
    as_json: AsJson = False,
) -> None:
    """List the tools by family; with --json their whole schemas."""
    chosen = known_tool(tool) if tool is not None else None
    if as_json:
        named = [(family, one) for family, tools in FAMILIES.items() for one in tools if chosen in (None, one)]
        typer.echo(json.dumps([_json(family, one) for family, one in named]))
    elif chosen is not None:
        typer.echo(_page(chosen))
    else:
        width = max(map(len, tools_of()))
        for family, tools in FAMILIES.items():
            typer.echo(f"{family}:")
            for one in tools:
                typer.echo(f"  {one.name:<{width}}  {one.description.splitlines()[0]}")


def _json(family: str, tool: Tool) -> dict[str, Any]:
    return {"name": tool.name, "family": family, "description": tool.description, "inputSchema": tool.schema}


def _page(tool: Tool) -> str:
    """Return what a person needs for ``call``: what the tool does, and each argument."""
    lines = [f"{tool.name}: {tool.title}", tool.description, ""]
    required = tool.schema.get("required", ())
    for name, about in tool.schema["properties"].items():
        kinds = about.get("enum") or about.get("type", "any")
        kind = " | ".join(map(str, kinds)) if isinstance(kinds, list) else kinds
        usual = f", else {json.dumps(about['default'], ensure_ascii=False)}" if "default" in about else ""
        lines.append(f"  {name} ({kind}{', required' if name in required else usual})")
        lines.append(f"      {about.get('description', '')}")
    return "\n".join(lines)
