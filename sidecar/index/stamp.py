"""The stamp in the index folder: which form the index has, and whether its files are as they were left."""

import json
import os
from pathlib import Path

from sidecar.model.note import Json

__all__ = ["is_intact", "sync_folder", "write_stamp"]

_NAME = "stamp.json"


def write_stamp(folder: Path, form: str, names: list[str]) -> None:
    """Write down the form of the index with size and time of its files; on return it survives a power failure."""
    stats = {name: (folder / name).stat() for name in names}
    stamp = {"form": form, "files": {name: [stat.st_size, stat.st_mtime_ns] for name, stat in stats.items()}}
    fresh = folder / f"{_NAME}.new"
    with fresh.open("w", encoding="utf-8") as file:
        json.dump(stamp, file)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(folder / _NAME)
    sync_folder(folder)


def is_intact(folder: Path, form: str) -> bool:
    """Tell whether the folder holds an index of this form of which no file was changed since.

    Files that the stamp does not know, and files that are gone, do not count: the process may have ended between a
    commit and its stamp. What is missing shows when the index is opened.
    """
    try:
        stamp: Json = json.loads((folder / _NAME).read_bytes())
    except (OSError, ValueError):
        return False
    if not isinstance(stamp, dict) or stamp.get("form") != form:
        return False
    files = stamp.get("files")
    return isinstance(files, dict) and all(_unchanged(folder / name, known) for name, known in files.items())


def _unchanged(file: Path, known: Json) -> bool:
    try:
        stat = file.stat()
    except OSError:
        return True
    return known == [stat.st_size, stat.st_mtime_ns]


def sync_folder(folder: Path) -> None:
    """Make the names in a folder survive a power failure; Windows does so by itself and has no call for it."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
