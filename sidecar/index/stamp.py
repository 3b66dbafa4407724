"""The stamp in the index folder: which form the index has, and whether its files are as they were left."""

import json
import os
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias, TypeGuard

from sidecar.model.note import Json

__all__ = ["Stamp", "sync_folder"]

_NAME = "stamp.json"
_PIECE = 8_000_000
"""Bytes that are read and summed in a few milliseconds."""

_State: TypeAlias = list[int]
"""Size, time in nanoseconds and checksum of a file."""


class Stamp:
    """What is written down of the files of an index."""

    def __init__(self, folder: Path, form: str) -> None:
        self._folder = folder
        self._form = form
        self._known: dict[str, _State] = {}

    def write(self, names: Sequence[str]) -> None:
        """Write down the form of the index and the state of these files.

        Raises:
            OSError: when the disk refuses.

        """
        self._known = {name: self._known.get(name) or _state_of(self._folder / name) for name in names}
        fresh = self._folder / f"{_NAME}.new"
        with fresh.open("w", encoding="utf-8") as file:
            file.write(json.dumps({"form": self._form, "files": self._known}))  # ten times as fast as ``dump``
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._folder / _NAME)

    def is_intact(self) -> bool:
        """Tell whether the folder holds an index of this form of which no file has another size or time since.

        Files that the stamp does not know, and files that are gone, do not count: the process may have ended between a
        commit and its stamp. What is missing shows when the index is opened.
        """
        try:
            stamp: Json = json.loads((self._folder / _NAME).read_bytes())
        except (OSError, ValueError):
            return False
        if not isinstance(stamp, dict) or stamp.get("form") != self._form:
            return False
        files = stamp.get("files")
        if not isinstance(files, dict):
            return False
        self._known = {name: state for name, state in files.items() if _is_state(state)}
        return len(self._known) == len(files) and all(map(self._is_unchanged, self._known))

    def damaged(self) -> Iterator[bool]:
        """Read all files again, a piece at each step; a step tells whether one has another content now."""
        for name, (*_, checksum) in sorted(self._known.items()):
            try:
                with (self._folder / name).open("rb", buffering=0) as file:
                    found = 0
                    while piece := file.read(_PIECE):
                        found = zlib.crc32(piece, found)
                        yield False
            except OSError:
                continue  # merged away meanwhile, or damaged in a way that a search will tell
            yield found != checksum

    def _is_unchanged(self, name: str) -> bool:
        try:
            stat = (self._folder / name).stat()
        except OSError:
            return True
        return self._known[name][:2] == [stat.st_size, stat.st_mtime_ns]


def _state_of(file: Path) -> _State:
    stat = file.stat()
    checksum = 0
    with file.open("rb", buffering=0) as opened:
        while piece := opened.read(_PIECE):
            checksum = zlib.crc32(piece, checksum)
    return [stat.st_size, stat.st_mtime_ns, checksum]


def _is_state(state: Json) -> TypeGuard[_State]:
    return isinstance(state, list) and len(state) == 3 and all(isinstance(n, int) for n in state)  # noqa: PLR2004


def sync_folder(folder: Path) -> None:
    """Make the names in a folder survive a power failure; Windows does so by itself and has no call for it."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
