"""What agents write where a path in the vault is asked for, as such a path."""

import re
from collections.abc import Callable
from pathlib import Path

from sidecar.errors import Refused
from sidecar.model.path import VaultPath

__all__ = ["in_vault"]

_SCHEME = "memory://"
_ELSEWHERE = re.compile(r"~(?=[/\\]|$)|[A-Za-z]:[/\\]|\\\\|file:")


def in_vault(text: str, root: Path, project: str, is_folder: Callable[[VaultPath], bool]) -> str:
    """Return the path below the vault's root that ``text`` names; a leading slash is the vault's root.

    A memory URL stands for its path, without the project's name, and an absolute path of this machine below ``root``
    for what is left of it.

    Raises:
        Refused: for an absolute path that lies elsewhere: it would make a folder ``home`` in the vault.

    """
    path = text.strip()
    if path.startswith(_SCHEME):
        head, _, rest = path[len(_SCHEME) :].strip("/").partition("/")
        return rest if rest and head.lower() == project.lower() else path[len(_SCHEME) :]
    if not (path.startswith("/") or _ELSEWHERE.match(path)):
        return path
    place = Path(path).expanduser() if not path.startswith("file:") else Path(path.removeprefix("file://"))
    if place.is_absolute() and place.is_relative_to(root):
        return place.relative_to(root).as_posix() + ("/" if path.endswith(("/", "\\")) else "")
    first = path.strip("/").partition("/")[0]
    if _ELSEWHERE.match(path) or (first and Path(f"/{first}").is_dir() and not _is_there(first, is_folder)):
        raise Refused(
            f"'{text}' is a path of this machine, outside of the vault.",
            hint="Give a path from the vault's root, such as archive/2026/Note.",
        )
    return path


def _is_there(name: str, is_folder: Callable[[VaultPath], bool]) -> bool:
    try:
        return is_folder(VaultPath.of(name))
    except Refused:
        return False
