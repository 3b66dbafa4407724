"""The vaults that Obsidian itself knows, from its own list on this machine."""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path

__all__ = ["lists_of_vaults", "vaults_in"]


def lists_of_vaults(environment: Mapping[str, str] | None = None) -> tuple[Path, ...]:
    """Return the places where Obsidian may keep its list: as installed, as a Flatpak, and as a Snap."""
    environment = os.environ if environment is None else environment
    home = Path.home()
    if sys.platform == "darwin":
        folders = [home / "Library/Application Support/obsidian"]
    elif sys.platform == "win32":
        folders = [Path(environment.get("APPDATA") or home / "AppData/Roaming") / "obsidian"]
    else:
        folders = [
            Path(environment.get("XDG_CONFIG_HOME") or home / ".config") / "obsidian",
            home / ".var/app/md.obsidian.Obsidian/config/obsidian",
            home / "snap/obsidian/current/.config/obsidian",
        ]
    return tuple(folder / "obsidian.json" for folder in folders)


def vaults_in(file: Path) -> tuple[Path, ...]:
    """Return the folders that a list names and that are there, by path; a missing or broken list names none."""
    try:
        listed = json.loads(file.read_text("utf-8-sig"))["vaults"].values()
        paths = [Path(vault["path"]) for vault in listed if isinstance(vault.get("path"), str)]
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return ()
    return tuple(sorted({path for path in paths if path.is_dir()}))
