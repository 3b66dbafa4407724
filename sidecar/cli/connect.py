"""How to connect an AI client to a vault."""

import json
import os
import shlex
import sys
from pathlib import Path

from sidecar.config import StateFolder
from sidecar.daemon import shim

__all__ = ["client_command", "connection_text"]


def client_command(vault: Path) -> list[str]:
    """Return what an AI client has to start for a vault, with absolute paths: clients start it in any folder.

    The shim is named as a file: it answers before the package, which it does not need, would be found. A custom state
    folder is named too, since clients pass little of the environment on.
    """
    command = [sys.executable, "-I", "-S", shim.__file__, "--vault", str(vault.expanduser().resolve())]
    home = str(StateFolder.default().root)
    usual = shim.state_folder({**os.environ, "VAULT_SIDECAR_HOME": ""})
    return command if home == usual else [*command, "--home", home]


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
