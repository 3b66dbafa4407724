"""Ids of cards and edges that an agent named: stable, and in the form Obsidian gives its own (contract J6)."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Collection, Mapping

from sidecar.model.note import Json
from sidecar.model.path import VaultPath

__all__ = ["IdMaker"]

_OBSIDIAN_ID = re.compile(r"[0-9a-f]{16}")


class IdMaker:
    """Gives every part of one canvas its id: the same call on the same path gives the same ids.

    ``taken`` are the ids that the file has already; a part without an id never gets one of these.
    """

    def __init__(self, path: VaultPath, taken: Collection[str] = ()) -> None:
        self._path = path
        self._taken = taken
        self._ranks: Counter[str] = Counter()

    def of_name(self, name: str, *more: str) -> str:
        """Keep an id of 16 hex digits; of any other name take the first 16 of SHA-256(path, NUL, name)."""
        if not more and _OBSIDIAN_ID.fullmatch(name):
            return name
        return hashlib.sha256("\0".join([self._path, name, *more]).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def of_content(self, part: Mapping[str, Json]) -> str:
        """Make an id for a part without one, of its content and its rank among parts of the same content."""
        content = json.dumps({key: value for key, value in part.items() if key != "id"}, sort_keys=True)
        while True:
            rank = self._ranks[content]
            self._ranks[content] += 1
            made = self.of_name(content, str(rank))
            if made not in self._taken:
                return made
