"""``vault-sidecar install``: put a vault into an AI client's configuration."""

import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable
from enum import StrEnum
from itertools import chain, count
from pathlib import Path
from typing import Annotated, Any

import typer

from sidecar.cli.connect import client_command
from sidecar.cli.options import VaultArgument, vault_of
from sidecar.config import StateFolder, load_settings
from sidecar.errors import Invalid, Refused

__all__ = ["run"]

_ENTRY = "vault-sidecar"


class ClientName(StrEnum):
    """The clients whose configuration we know."""

    CLAUDE_DESKTOP = "claude-desktop"
    CLAUDE_CODE = "claude-code"
    CURSOR = "cursor"


def run(
    client: Annotated[ClientName, typer.Argument(help="The AI client.")],
    vault: VaultArgument,
    name: Annotated[str, typer.Option(help="Name of the entry, when you connect several vaults.")] = _ENTRY,
    dry_run: Annotated[
        bool, typer.Option("--print", envvar="VAULT_SIDECAR_INSTALL_PRINT", help="Only print what would be written.")
    ] = False,
    memory: Annotated[bool, typer.Option("--memory", help="Also let Claude Code keep its memories there.")] = False,
) -> None:
    """Connect an AI client to a vault: its configuration is changed, and kept beside as a backup."""
    command = client_command(vault_of(vault))
    if client is ClientName.CLAUDE_CODE:
        typer.echo("Run this once; Claude Code keeps its own configuration:")
        typer.echo(f"  claude mcp add {shlex.quote(name)} -- {shlex.join(command)}")
        typer.echo("That is for the folder you run it in; for all folders say: claude mcp add --scope user …")
        if memory:
            typer.echo("Put this line into its settings.json, so that its memories are notes of the vault:")
            typer.echo(f"  {_memory_line(vault_of(vault))}")
        return
    if memory:
        raise Invalid("Only Claude Code keeps memories in files.", hint="Leave --memory out, or use claude-code.")
    file = _CONFIGURATIONS[client]()
    config = _read(file)
    wanted = _with_entry(config, name, command)
    text = json.dumps(wanted, indent=2, ensure_ascii=False) + "\n"
    if dry_run:
        typer.echo(f"{file}:\n{text}", nl=False)
        return
    if wanted == config:
        typer.echo(f"{client.value} is connected already: {file}")
        return
    try:
        backup = _write(file.resolve(), text)
    except OSError as error:
        raise Refused(
            f"{file} cannot be written: {error.strerror}.", hint="Use --print, and add it by hand."
        ) from error
    typer.echo(f"Connected {client.value}: {file}" + (f" (before: {backup})" if backup else ""))
    typer.echo("Restart it to see the vault.")


def _memory_line(vault: Path) -> str:
    folder = vault.resolve() / load_settings(StateFolder.default().config).memories.folder
    return f'"autoMemoryDirectory": {json.dumps(str(folder), ensure_ascii=False)}'


def _claude_desktop() -> Path:
    if sys.platform == "darwin":
        return Path("~/Library/Application Support/Claude/claude_desktop_config.json").expanduser()
    if sys.platform == "win32":
        return Path(os.environ["APPDATA"]) / "Claude" / "claude_desktop_config.json"
    return Path(os.environ.get("XDG_CONFIG_HOME") or "~/.config").expanduser() / "Claude/claude_desktop_config.json"


def _cursor() -> Path:
    return Path("~/.cursor/mcp.json").expanduser()


_CONFIGURATIONS: dict[ClientName, Callable[[], Path]] = {
    ClientName.CLAUDE_DESKTOP: _claude_desktop,
    ClientName.CURSOR: _cursor,
}


def _read(file: Path) -> dict[str, Any]:
    try:
        data = file.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise Refused(f"{file} cannot be read: {error.strerror}.", hint="It was left as it is.") from error
    try:
        text = data.decode("utf-8-sig")
        found = json.loads(text) if text.strip() else {}
    except ValueError as error:
        raise Refused(f"{file} is not valid JSON: {error}.", hint="Correct it first; it was left as it is.") from error
    if not isinstance(found, dict) or not isinstance(found.get("mcpServers", {}), dict):
        raise Refused(f"{file} does not look like a client's configuration.", hint="It was left as it is.")
    return found


def _with_entry(config: dict[str, Any], name: str, command: list[str]) -> dict[str, Any]:
    entry = {"command": command[0], "args": command[1:]}
    return {**config, "mcpServers": {**config.get("mcpServers", {}), name: entry}}


def _write(file: Path, text: str) -> Path | None:
    """Replace the file, which keeps its rights, for it may hold secrets; return where the old one is kept."""
    file.parent.mkdir(parents=True, exist_ok=True)
    temporary = file.with_name(f".{file.name}.tmp")
    backup = None
    if file.exists():
        backup = _free_backup(file)
        shutil.copy2(file, backup)
        shutil.copy2(file, temporary)
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(file)
    return backup


def _free_backup(file: Path) -> Path:
    """Return a name that no earlier backup has: the first one is the configuration before us."""
    first = file.with_name(f"{file.name}.before-vault-sidecar")
    later = (first.with_name(f"{first.name}-{n}") for n in count(2))
    return next(place for place in chain((first,), later) if not place.exists())
