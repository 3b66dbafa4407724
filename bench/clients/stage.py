"""A vault and a daemon of their own, in which a program of others plays its part."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sidecar.daemon import shim

__all__ = ["Stage", "stage"]

_FILES = {
    "Note.md": "# Note\n\nalpha beside [[Garden/Rose & Thorn]]\n",
    "Garden/Rose & Thorn.md": "---\ntags: [garden]\n---\n# Rose\n\nbeta in the garden\n",
    "Map.canvas": "{}",
}


@dataclass(frozen=True, slots=True)
class Stage:
    """``shim`` is what a client starts; ``environment`` leads it to the state folder made for this play."""

    vault: Path
    shim: list[str]
    environment: Mapping[str, str]


@contextmanager
def stage() -> Iterator[Stage]:
    """Set the stage, and end the daemon when the play is over."""
    with tempfile.TemporaryDirectory() as temporary:
        vault = Path(temporary) / "My Vault"
        for name, text in _FILES.items():
            (vault / name).parent.mkdir(parents=True, exist_ok=True)
            (vault / name).write_text(text, encoding="utf-8")
        own = {
            "VAULT_SIDECAR_HOME": str(Path(temporary) / "state"),
            "VAULT_SIDECAR_DEFAULT_HOME": str(Path(temporary) / "default"),
        }
        others = {name: value for name, value in os.environ.items() if not name.startswith("VAULT_SIDECAR")}
        environment = {**others, **own}
        # Some clients hand on little of their environment: a daemon would be left in the state folder of the user.
        command = [
            "env",
            *(f"{name}={value}" for name, value in own.items()),
            sys.executable,
            "-I",
            "-S",
            shim.__file__,
            "--vault",
            str(vault),
        ]
        try:
            yield Stage(vault, command, environment)
        finally:
            stop = [sys.executable, "-m", "sidecar", "stop"]
            subprocess.run(stop, env=environment, capture_output=True, check=False)
