"""By which services a vault's files reach other machines, as far as the disk tells."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["SyncWay", "sync_ways"]

_FOLDERS = {
    "dropbox": "Dropbox",
    "onedrive": "OneDrive",
    "google drive": "Google Drive",
    "googledrive": "Google Drive",
    "my drive": "Google Drive",
    "icloud~md~obsidian": "iCloud Drive",
    "com~apple~clouddocs": "iCloud Drive",
    "nextcloud": "Nextcloud",
    "owncloud": "ownCloud",
    "pcloud drive": "pCloud",
    "mega": "MEGA",
    "box": "Box",
    "proton drive": "Proton Drive",
}
"""Names under which services keep their folders, in lower case; some add the account behind a hyphen."""
_MARKS = {".stfolder": "Syncthing", ".sync": "Resilio Sync"}
"""What services leave in a folder that they keep in step."""
_PLUGINS = {
    "obsidian-git": "the plugin Git",
    "remotely-save": "the plugin Remotely Save",
    "obsidian-livesync": "the plugin Self-hosted LiveSync",
}


@dataclass(frozen=True, slots=True)
class SyncWay:
    """One way that is set up. ``detail`` says how it was recognised, in words for the user."""

    name: str
    detail: str


def sync_ways(root: Path, config_dir: str) -> tuple[SyncWay, ...]:
    """Return the ways by which the vault at ``root`` is carried elsewhere; ``config_dir`` is Obsidian's folder."""
    root = root.resolve()
    config = root / config_dir
    above = (root, *root.parents)
    found = [_obsidian_sync(config), _git(above)]
    found += [SyncWay(_PLUGINS[p], "it is switched on in Obsidian") for p in _enabled(config) if p in _PLUGINS]
    found += [SyncWay(name, f"the vault lies in its folder '{place}'") for place, name in _sync_folders(root)]
    found += [
        SyncWay(name, f"'{folder}' is one of its folders")
        for mark, name in _MARKS.items()
        for folder in above
        if (folder / mark).is_dir()
    ]
    return tuple(way for way in found if way is not None)


def _obsidian_sync(config: Path) -> SyncWay | None:
    switched = _read(config / "core-plugins.json")
    on = switched.get("sync") is True if isinstance(switched, dict) else "sync" in switched
    if not on:
        return None
    connected = (config / "sync.json").is_file()
    return SyncWay(
        "Obsidian Sync",
        "its plugin is switched on" + ("" if connected else "; no remote vault is known on this machine"),
    )


def _git(above: tuple[Path, ...]) -> SyncWay | None:
    for folder in above:
        if (folder / ".git").exists():
            has_remote = "[remote " in _text(folder / ".git" / "config")
            detail = f"'{folder}' is a repository" + (" with a remote" if has_remote else " without a remote")
            return SyncWay("git", detail)
    return None


def _enabled(config: Path) -> list[str]:
    plugins = _read(config / "community-plugins.json")
    return [plugin for plugin in plugins if isinstance(plugin, str)]


def _sync_folders(root: Path) -> list[tuple[Path, str]]:
    places = [root, *root.parents][:-1]
    return [
        (place, name)
        for place in places
        if (name := _FOLDERS.get(place.name.lower()) or _FOLDERS.get(place.name.lower().partition("-")[0].strip()))
    ]


def _read(file: Path) -> Mapping[str, object] | list[object]:
    try:
        value = json.loads(_text(file))
    except (ValueError, RecursionError):
        return []
    return value if isinstance(value, dict | list) else []


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8-sig")
    except (OSError, ValueError):
        return ""
