"""What an AI client has to start for a vault."""

import os
import sys
from pathlib import Path

from sidecar.daemon import shim

__all__ = ["client_command"]


def client_command(vault: Path, home: Path) -> list[str]:
    """Return the command, with absolute paths: clients start it in any folder.

    The shim is named as a file: it answers before the package, which it does not need, would be found. A custom state
    folder (``home``) is named too, since clients pass little of the environment on.
    """
    command = [sys.executable, "-I", "-S", shim.__file__, "--vault", str(vault.expanduser().resolve())]
    usual = shim.state_folder({**os.environ, "VAULT_SIDECAR_HOME": ""})
    return command if str(home) == usual else [*command, "--home", str(home)]
