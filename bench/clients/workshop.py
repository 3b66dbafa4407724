"""Programs of others, installed once, each in a folder of its own."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from dataclasses import dataclass
from pathlib import Path

__all__ = ["VARIABLE", "NotToBeHad", "Workshop", "npm", "pip"]

VARIABLE = "VAULT_SIDECAR_CLIENTS"
_PATIENCE = 600


class NotToBeHad(Exception):  # noqa: N818 - a state of the world, worded for the reader of the results
    """A program is not here and cannot be fetched; the message is the reason."""


@dataclass(frozen=True, slots=True)
class Workshop:
    """A folder of programs; ``may_fetch`` when what is missing is to be installed."""

    folder: Path
    may_fetch: bool

    @classmethod
    def given(cls, *, may_fetch: bool) -> "Workshop":
        """Return the folder that the environment names, else one among temporary files.

        Raises:
            NotToBeHad: when none is named and nothing may be fetched.

        """
        named = os.environ.get(VARIABLE)
        if not named and not may_fetch:
            raise NotToBeHad(f"{VARIABLE} names no folder in which python -m bench.clients put the programs")
        return cls(Path(named or Path(tempfile.gettempdir()) / "vault-sidecar-clients").absolute(), may_fetch)

    def room(self, name: str) -> Path:
        """Return the folder of a program; a file ``ready`` in it tells that it is furnished."""
        return self.folder / name


def pip(workshop: Workshop, name: str, *requirements: str) -> Path:
    """Return the Python of an environment in which these packages are installed.

    Raises:
        NotToBeHad: when they are not there and cannot be had.

    """
    room = workshop.room(name)
    python = room / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not (room / "ready").exists():
        _check(workshop, name)
        venv.create(room, with_pip=True, clear=True)
        _run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *requirements], room)
        (room / "ready").touch()
    return python


def npm(workshop: Workshop, name: str, *packages: str) -> Path:
    """Return a folder in whose ``node_modules`` these packages are installed; their scripts do not run.

    Raises:
        NotToBeHad: when they are not there and cannot be had, or there is no Node.

    """
    room = workshop.room(name)
    if shutil.which("node") is None:
        raise NotToBeHad("there is no Node here")
    if not (room / "ready").exists():
        _check(workshop, name)
        room.mkdir(parents=True, exist_ok=True)
        (room / "package.json").write_text(json.dumps({"private": True, "type": "module"}), encoding="utf-8")
        install = ["install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"]
        _run([shutil.which("npm") or "npm", *install, *packages], room)
        (room / "ready").touch()
    return room


def _check(workshop: Workshop, name: str) -> None:
    if not workshop.may_fetch:
        raise NotToBeHad(f"{name} is not in the folder that {VARIABLE} names; python -m bench.clients puts it there")


def _run(command: list[str], folder: Path) -> None:
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True, timeout=_PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NotToBeHad(f"it could not be installed: {error}") from error
    except subprocess.CalledProcessError as error:
        last = (error.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise NotToBeHad(f"it could not be installed: {last}") from error
