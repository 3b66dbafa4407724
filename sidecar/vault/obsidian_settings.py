"""The settings of the user's Obsidian that change how we read or write (contract A7, A10-A13)."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

__all__ = ["CurrentSettings", "LinkFormat", "NewFileLocation", "ObsidianSettings", "TrashOption", "read_settings"]

_DEFAULT_CONFIG_DIR = ".obsidian"


class LinkFormat(StrEnum):
    """How the app writes the path of a new link (L1-L3)."""

    SHORTEST = "shortest"
    RELATIVE = "relative"
    ABSOLUTE = "absolute"


class TrashOption(StrEnum):
    """Where deleted files go (A7)."""

    SYSTEM = "system"
    LOCAL = "local"
    NONE = "none"


class NewFileLocation(StrEnum):
    """Where new notes go when no folder is named."""

    ROOT = "root"
    CURRENT = "current"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class ObsidianSettings:
    """What ``app.json`` says, with Obsidian's defaults for what it does not."""

    config_dir: str = _DEFAULT_CONFIG_DIR
    new_link_format: LinkFormat = LinkFormat.SHORTEST
    use_markdown_links: bool = False
    always_update_links: bool = False
    trash_option: TrashOption = TrashOption.SYSTEM
    user_ignore_filters: tuple[str, ...] = ()
    new_file_location: NewFileLocation = NewFileLocation.ROOT
    new_file_folder: str = ""
    attachment_folder: str = "/"


def read_settings(root: Path) -> ObsidianSettings:
    """Read the settings of the vault at ``root``; an absent or broken file, or a bad value, means the default (A10)."""
    config_dir = _find_config_dir(root)
    app = _read_object(root / config_dir / "app.json")
    filters = app.get("userIgnoreFilters")
    return ObsidianSettings(
        config_dir,
        _choice(app.get("newLinkFormat"), LinkFormat.SHORTEST),
        app.get("useMarkdownLinks") is True,
        app.get("alwaysUpdateLinks") is True,
        _choice(app.get("trashOption"), TrashOption.SYSTEM),
        tuple(f for f in filters if isinstance(f, str)) if isinstance(filters, list) else (),
        _choice(app.get("newFileLocation"), NewFileLocation.ROOT),
        _text(app.get("newFileFolderPath"), ""),
        _text(app.get("attachmentFolderPath"), "/"),
    )


class CurrentSettings:
    """The settings as they stand now: ``app.json`` is read again when it changed (A12). Callable from any thread."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._settings = read_settings(root)
        self._stamp: tuple[int, int, int] | None = None

    def now(self) -> ObsidianSettings:
        """Return the settings that hold now; as long as nothing changed, the same object."""
        stamp = self._look()
        if stamp != self._stamp:
            # In this order a change in between is seen next time.
            self._settings, self._stamp = read_settings(self._root), stamp
        return self._settings

    def _look(self) -> tuple[int, int, int] | None:
        try:
            found = (self._root / self._settings.config_dir / "app.json").stat()
        except OSError:
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino


def _find_config_dir(root: Path) -> str:
    """Find the folder of the app's settings (A11): the usual name first, else the only dot-folder that looks so."""
    found = sorted(
        path.parent.name
        for name in ("app.json", "workspace.json")
        for path in root.glob(f".*/{name}")
        if path.parent.parent == root
    )
    return _DEFAULT_CONFIG_DIR if _DEFAULT_CONFIG_DIR in found or not found else found[0]


def _read_object(path: Path) -> Mapping[str, object]:
    try:
        value = json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


_Choice = TypeVar("_Choice", bound=StrEnum)


def _choice(value: object, default: _Choice) -> _Choice:
    return next((member for member in type(default) if member == value), default)


def _text(value: object, default: str) -> str:
    return value if isinstance(value, str) and value else default
