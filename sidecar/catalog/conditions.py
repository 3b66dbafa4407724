"""The conditions of a search that the catalog answers: tags, paths and properties (T6, S6, S7, S11)."""

import json
import sqlite3
from collections.abc import Iterable, Iterator

from sidecar.catalog.keys import text_key, value_key
from sidecar.catalog.snapshot import Snapshot
from sidecar.model.file import FileState
from sidecar.model.note import Json
from sidecar.model.path import VaultPath
from sidecar.model.search import HasTask, Leaf, OneOf, PathHas, PropertyIs, TagIs

__all__ = ["matching", "property_names", "property_values", "tag_counts"]

_AFTER_SLASH = "0"
"""The character that follows ``/``: the end of the range of nested tags."""


def matching(db: sqlite3.Connection, snapshot: Snapshot, leaf: Leaf) -> frozenset[VaultPath]:
    """Return the files that meet one condition."""
    match leaf:
        case TagIs(tag):
            return _tagged(db, tag)
        case PathHas(text):
            key = text_key(text)
            return frozenset(path for path in snapshot.files if key in path.lower())
        case PropertyIs(name, value):
            return _with_property(db, text_key(name), value_key(value))
        case HasTask(done):
            return _with_task(db, done)
        case OneOf(paths):
            return paths


def _tagged(db: sqlite3.Connection, tag: str) -> frozenset[VaultPath]:
    key = text_key(tag).removeprefix("#").rstrip("/")
    return _paths(
        db.execute(
            "SELECT DISTINCT path FROM file JOIN tag ON tag.file = file.id WHERE key = ? OR key >= ? AND key < ?",
            (key, f"{key}/", f"{key}{_AFTER_SLASH}"),
        )
    )


def _with_property(db: sqlite3.Connection, name: str, value: str) -> frozenset[VaultPath]:
    found = _paths(
        db.execute(
            "SELECT path FROM file JOIN property ON property.file = file.id WHERE name = ? AND value_key = ?",
            (name, value),
        )
    )
    if (name, value) != ("type", value_key("note")):
        return found
    # A note that does not say what it is, is a note.
    untyped = "SELECT path FROM file WHERE kind = 'note' AND id NOT IN (SELECT file FROM property WHERE name = 'type')"
    return found | _paths(db.execute(untyped))


def _with_task(db: sqlite3.Connection, done: bool | None) -> frozenset[VaultPath]:
    wanted = {None: "", True: "WHERE status <> ' '", False: "WHERE status = ' '"}[done]
    return _paths(db.execute(f"SELECT path FROM file WHERE id IN (SELECT file FROM task {wanted})"))  # noqa: S608 - ours


def property_values(db: sqlite3.Connection, name: str) -> Iterator[tuple[VaultPath, Json]]:
    """Go through the files that have a property of this name, in any case, with its value."""
    key = text_key(name)
    having = "SELECT path, properties FROM file WHERE id IN (SELECT file FROM property WHERE name = ?)"
    for path, properties in db.execute(having, (key,)):
        for written, value in json.loads(properties).items():
            if text_key(written) == key:
                yield VaultPath(path), value


def _paths(rows: Iterable[tuple[str]]) -> frozenset[VaultPath]:
    return frozenset(VaultPath(path) for (path,) in rows)


def property_names(db: sqlite3.Connection, hidden: Iterable[FileState]) -> frozenset[str]:
    """Return the lower-cased names of all properties, without those that stand in hidden files only."""
    rows = db.execute(
        "SELECT DISTINCT name FROM property WHERE file NOT IN (SELECT value FROM json_each(?))", (_ids(hidden),)
    )
    return frozenset(name for (name,) in rows)


def tag_counts(db: sqlite3.Connection, hidden: Iterable[FileState]) -> dict[str, int]:
    """Return how many files bear each tag or one nested below it, in alphabetical order (T6).

    A tag is written as in the first file that has it; hidden files count for nothing.
    """
    rows = db.execute(
        """
        SELECT file, name FROM tag JOIN file ON file.id = tag.file
        WHERE file NOT IN (SELECT value FROM json_each(?)) ORDER BY path, n
        """,
        (_ids(hidden),),
    )
    bearers: dict[str, set[int]] = {}
    written: dict[str, str] = {}
    for file, tag in rows:
        name = tag.rstrip("/")
        while name:
            key = text_key(name)
            written.setdefault(key, name)
            bearers.setdefault(key, set()).add(file)
            name = name.rpartition("/")[0]
    return {written[key]: len(bearers[key]) for key in sorted(bearers)}


def _ids(files: Iterable[FileState]) -> str:
    return json.dumps([state.id for state in files])
