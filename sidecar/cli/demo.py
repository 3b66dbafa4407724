"""``vault-sidecar demo``: one readable session of an agent, through a real MCP client over stdio."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import anyio
import typer
from rich.console import Console
from rich.markup import escape

from sidecar.cli.connect import connection_text
from sidecar.cli.options import VaultArgument, vault_of

__all__ = ["run"]

_Steps = tuple[tuple[str, str, Mapping[str, Any]], ...]
"""What is said before each call, the tool, and its arguments."""

_NOTE = """\
# Frost watch

Who looks at the thermometer on which evening, until the chillies are out.

- [decision] Below 3 °C the fleece goes on #season/spring (winter meeting)
- protects [[Spring beds]]
"""

_WRITING: _Steps = (
    ("What is in this vault?", "list_directory", {"dir_name": "/"}),
    ("Search: accents need not be typed", "search_notes", {"query": "jalapeno sowing", "page_size": 3}),
    ("Search by tag, without one word", "search_notes", {"query": "tag:#garden -rainwater", "page_size": 3}),
    ("Read one note, named by its alias", "read_note", {"identifier": "Compost"}),
    (
        "Write a note",
        "write_note",
        {"title": "Frost watch", "directory": "Areas", "content": _NOTE, "tags": ["garden"], "reason": "asked for"},
    ),
    (
        "Edit one section of another; every other byte stays",
        "edit_note",
        {
            "identifier": "Spring beds",
            "operation": "append",
            "section": "Sowing order",
            "content": "5. Beans of all kinds, when [[Frost watch]] ends",
            "reason": "the new note belongs here",
        },
    ),
    (
        "Draw a canvas; places and sizes are chosen",
        "canvas",
        {
            "title": "Spring at a glance",
            "directory": "Projects",
            "nodes": [
                {"id": "goal", "type": "text", "text": "# Spring\nFour beds, ready for everybody"},
                {"id": "beds", "type": "file", "file": "Projects/Spring beds.md"},
                {"id": "tank", "type": "file", "file": "Projects/Rainwater tank/Rainwater tank.md"},
                {"id": "frost", "type": "file", "file": "Areas/Frost watch.md", "color": "5"},
            ],
            "edges": [
                {"fromNode": "tank", "toNode": "beds", "label": "waters"},
                {"fromNode": "frost", "toNode": "beds", "label": "protects"},
                {"fromNode": "beds", "toNode": "goal"},
            ],
        },
    ),
    ("Find what was just written", "search_notes", {"query": "fleece thermometer", "page_size": 2}),
    ("What did agents change?", "history", {}),
    ("Take the last change back", "undo", {"reason": "only a demonstration"}),
)

_ANYWHERE: _Steps = tuple(_WRITING[n] for n in (0, 4, 7, 8, 9))
"""What needs none of the notes of the example vault."""

_READING: _Steps = (
    ("What is in this vault?", "list_directory", {"dir_name": "/"}),
    ("Which notes have open tasks?", "search_notes", {"query": "todo OR task", "page_size": 5}),
    ("What did agents change here so far?", "history", {"limit": 5}),
)


def run(
    vault: VaultArgument,
    read_only: Annotated[bool, typer.Option("--read-only", help="On the vault itself, without writing to it.")] = False,
) -> None:
    """Play one session of an agent on a throwaway copy of a vault, then print how to connect your own."""
    root = vault_of(vault)
    console = Console(highlight=False)
    with _stage(root, read_only=read_only) as (folder, environment):
        steps = _READING if read_only else _WRITING if _is_the_example(root) else _ANYWHERE
        if not anyio.run(_play, console, folder, environment, steps):
            raise typer.Exit(1)
    console.rule("Connect your AI client to this vault")
    console.print(escape(connection_text(root)), soft_wrap=True)


def _is_the_example(root: Path) -> bool:
    return (root / "Projects/Spring beds.md").is_file() and (root / "Areas/Composting.md").is_file()


@contextmanager
def _stage(root: Path, *, read_only: bool) -> Iterator[tuple[Path, dict[str, str]]]:
    if read_only:
        yield root, dict(os.environ)
        return
    with tempfile.TemporaryDirectory(prefix="vault-sidecar-") as temporary:
        copy = Path(temporary) / root.resolve().name
        shutil.copytree(root, copy)
        yield copy, {**os.environ, "VAULT_SIDECAR_HOME": str(Path(temporary) / "state")}


async def _play(console: Console, vault: Path, environment: dict[str, str], steps: _Steps) -> bool:
    from mcp import Client, StdioServerParameters  # noqa: PLC0415 - half a second that no other command needs

    server = StdioServerParameters(
        command=sys.executable, args=["-m", "sidecar", "mcp", "--embedded", "--vault", str(vault)], env=environment
    )
    async with Client(server) as client:
        for said, tool, arguments in steps:
            console.rule(f"[bold]{escape(said)}[/bold]", align="left")
            shown = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
            console.print(f"[cyan]{tool}[/cyan]({escape(shown)})", soft_wrap=True)
            result = await client.call_tool(tool, dict(arguments))
            for item in result.content:
                console.print(escape(getattr(item, "text", "")), soft_wrap=True, style="dim")
            if result.is_error:
                return False
    return True
