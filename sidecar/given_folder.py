"""The folder a person or a client meant by a path: quotes, another system's form, a slash too many (case C29)."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sidecar.errors import Invalid

__all__ = ["given_folder"]

_DRIVE = re.compile(r"([A-Za-z]):[\\/](.*)", re.DOTALL)
_MOUNTED = re.compile(r"/mnt/([a-z])/(.*)", re.DOTALL)


def given_folder(given: str | Path) -> Path:
    """Return the absolute path of the folder that was meant.

    Tried in turn: the path as it is, with ``~`` for the home folder; without quotes, blanks or a backslash at its end;
    out of a ``file:`` address; a Windows path as Linux under Windows sees it, and the reverse.

    Raises:
        Invalid: when none of them is a folder, with what was looked for; the nearest folder above is named.

    """
    for candidate in _candidates(str(given)):
        try:
            if candidate.is_dir():
                return candidate
        except (OSError, ValueError):
            continue
    plain = next(_candidates(str(given)), Path(str(given)))
    above = next((parent for parent in plain.parents if parent.is_dir()), None)
    raise Invalid(
        f"'{given}' is not a folder.",
        hint=f"The nearest folder there is '{above}'. Give the path of the vault's folder, in quotes if it has blanks."
        if above is not None and above != Path(above.anchor)
        else "Give the path of the vault's folder, in quotes if it has blanks.",
    )


def _candidates(given: str) -> Iterator[Path]:
    bare = given.strip().strip("\"'").rstrip()
    for text in dict.fromkeys((given, bare, bare.rstrip("\\/") or bare, *_elsewhere(bare))):
        try:
            yield Path(text).expanduser().absolute()
        except (RuntimeError, ValueError):  # no such user's home; a NUL
            continue


def _elsewhere(text: str) -> Iterator[str]:
    if text.startswith("file:"):
        yield unquote(urlsplit(text).path)
    if sys.platform != "win32" and (drive := _DRIVE.fullmatch(text)):
        yield f"/mnt/{drive[1].lower()}/" + drive[2].replace("\\", "/")
    if sys.platform == "win32" and (mounted := _MOUNTED.fullmatch(text)):
        yield f"{mounted[1].upper()}:\\" + mounted[2].replace("/", "\\")
