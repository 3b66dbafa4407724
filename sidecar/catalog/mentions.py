"""The names by which texts may mention a note, and the longer names of others that hold one of them."""

import sqlite3
from collections.abc import Iterable, Iterator

from sidecar.catalog.keys import text_key
from sidecar.catalog.snapshot import Snapshot
from sidecar.model.path import VaultPath

__all__ = ["longer_names"]

_NOTE = ".md"
_TITLES = "SELECT path, title_key FROM file WHERE kind = 'note' AND instr(title_key, ?) AND title_key <> ?"
_ALIASES = "SELECT path, key FROM alias JOIN file ON id = alias.file WHERE instr(key, ?) AND key <> ?"


def longer_names(db: sqlite3.Connection, snapshot: Snapshot, names: Iterable[str]) -> Iterator[tuple[VaultPath, str]]:
    """Go through the notes of which a file name, title or alias holds one of these and more, with that name.

    The names come in lower case; one of several files of that name comes with each of them.
    """
    for key in {text_key(name) for name in names} - {""}:
        for statement in (_TITLES, _ALIASES):
            for path, longer in db.execute(statement, (key, key)):
                yield VaultPath(path), longer
        for name, paths in snapshot.names.items():
            if key in name and name.endswith(_NOTE) and (longer := name.removesuffix(_NOTE)) != key:
                yield from ((path, longer) for path in paths)
