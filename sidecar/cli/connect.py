"""How to connect an AI client to a vault."""

import json
import shlex
import sys
from pathlib import Path

__all__ = ["connection_text"]


def connection_text(vault: Path) -> str:
    """Return the exact configuration for Claude Desktop and Claude Code."""
    command = [sys.executable, "-m", "sidecar", "mcp", "--embedded", "--vault", str(vault.expanduser().resolve())]
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
