"""Files that a cloud service lists in the vault but holds elsewhere: told by their names and stats, never opened."""

import os
import re

from sidecar.errors import Unavailable

__all__ = ["NotHere", "is_here", "name_of_placeholder"]

_PLACEHOLDER = re.compile(r"\.([^.].*)\.icloud", re.DOTALL)
_MAC_DATALESS = 0x40000000
"""``SF_DATALESS``: macOS has the name and the size, iCloud the bytes."""
_WINDOWS_RECALL = 0x00400000 | 0x00040000 | 0x00001000
"""``RECALL_ON_DATA_ACCESS``, ``RECALL_ON_OPEN`` and ``OFFLINE``: reading would make OneDrive or a tape fetch it."""


class NotHere(Unavailable):
    """Reading the file would download it, which is the user's to decide."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f"'{path}' is not on this machine; a cloud service holds it.",
            hint="Ask the user to download it, for example by opening it in Obsidian.",
            data={"path": path},
        )


def is_here(found: os.stat_result) -> bool:
    """Tell from the stat of a file whether its bytes are on this machine."""
    flags: int = getattr(found, "st_flags", 0)
    attributes: int = getattr(found, "st_file_attributes", 0)
    return not (flags & _MAC_DATALESS or attributes & _WINDOWS_RECALL)


def name_of_placeholder(name: str) -> str | None:
    """Return the name of the file for which ``.name.icloud`` stands; ``None`` for every other name."""
    found = _PLACEHOLDER.fullmatch(name)
    return found[1] if found else None
