"""From places on disk, as events name them, to vault paths."""

import os
from collections.abc import Mapping
from pathlib import Path

from sidecar.model.path import VaultPath
from sidecar.vault.walk import is_usable_name, shown_name, visible_name

__all__ = ["Places"]


class Places:
    """The vault's folder and the linked folders that belong to it (A6), each with the path it has in the vault."""

    def __init__(self, root: Path, linked_folders: Mapping[VaultPath, Path]) -> None:
        self.folders: tuple[Path, ...] = (root, *linked_folders.values())
        """All folders to watch, with what is below them."""
        mounts = {root: VaultPath(""), **{place: path for path, place in linked_folders.items()}}
        self._mounts = {shown_name(str(place)).rstrip(os.sep): path for place, path in mounts.items()}

    def vault_path(self, place: str) -> VaultPath | None:
        """Return the vault path of a place on disk; ``None`` for what Obsidian does not see (A3)."""
        shown = shown_name(place).rstrip(os.sep)
        for root, mount in self._mounts.items():
            if shown == root:
                return mount
            if shown.startswith(root + os.sep):
                below = shown[len(root) + 1 :].replace(os.sep, "/").split("/")
                names = [visible_name(name) for name in below if name]
                visible = [name for name in names if name is not None and is_usable_name(name)]
                return mount.child("/".join(visible)) if len(visible) == len(names) else None
        return None
