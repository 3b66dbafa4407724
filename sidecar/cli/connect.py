"""How to connect an AI client to a vault."""

import json
import shlex
from pathlib import Path

from sidecar.config import StateFolder
from sidecar.daemon.client_command import client_command as command_of_state

__all__ = ["client_command", "connection_text"]


def client_command(vault: Path) -> list[str]:
    """Return what an AI client has to start for a vault."""
    return command_of_state(vault, StateFolder.default().root)


def connection_text(vault: Path) -> str:
    """Return the exact configuration for Claude Desktop and Claude Code."""
    command = client_command(vault)
    desktop = {"mcpServers": {"vault-sidecar": {"command": command[0], "args": command[1:]}}}
    return "\n".join(
        (
            "Claude Code: run this once",
            f"  claude mcp add vault-sidecar -- {shlex.join(command)}",
            "",
            "Claude Desktop: Settings > Developer > Edit Config, then restart it",
            *(f"  {line}" for line in json.dumps(desktop, indent=2, ensure_ascii=False).splitlines()),
        )
    )
