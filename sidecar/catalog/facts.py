"""What many files hold at once: their observations, relations, permalinks, and tags among the properties."""

import json
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from typing import TypeVar

from sidecar.catalog.keys import text_key
from sidecar.catalog.rows import OBSERVATIONS, RELATIONS, Part
from sidecar.model.file import FileState
from sidecar.model.note import Observation, Relation
from sidecar.model.path import VaultPath

__all__ = ["observations", "permalinks", "property_tagged", "relations"]

T = TypeVar("T")
_AFTER_SLASH = "0"
"""The character that follows ``/``: the end of the range of nested tags."""


def observations(
    db: sqlite3.Connection, files: Iterable[FileState], categories: Collection[str]
) -> Iterator[tuple[VaultPath, Observation]]:
    """Go through the observations of these files by path and place; only of these categories if any are named.

    Categories compare without case.
    """
    if not categories:
        return _rows(db, OBSERVATIONS, files)
    wanted = {text_key(category) for category in categories}
    written = [name for (name,) in db.execute("SELECT DISTINCT category FROM observation") if text_key(name) in wanted]
    return _rows(db, OBSERVATIONS, files, "AND part.category IN (SELECT value FROM json_each(?))", json.dumps(written))


def relations(db: sqlite3.Connection, files: Iterable[FileState]) -> Iterator[tuple[VaultPath, Relation]]:
    """Go through the relations of these files by path and place."""
    return _rows(db, RELATIONS, files)


def permalinks(db: sqlite3.Connection) -> Iterator[tuple[VaultPath, str]]:
    """Go through the permalinks of all notes, canvases and bases: their own, and those their paths stand for."""
    for path, own, computed in db.execute(
        "SELECT path, own_permalink, permalink FROM file WHERE permalink IS NOT NULL ORDER BY path"
    ):
        yield VaultPath(path), computed
        if own is not None and own != computed:
            yield VaultPath(path), own


def property_tagged(db: sqlite3.Connection, tag: str) -> frozenset[VaultPath]:
    """Return the files that name this tag, or one nested below it, among their properties."""
    key = text_key(tag).removeprefix("#").rstrip("/")
    rows = db.execute(
        "SELECT DISTINCT path FROM file JOIN tag ON tag.file = file.id"
        " WHERE in_property AND (key = ? OR key >= ? AND key < ?)",
        (key, f"{key}/", f"{key}{_AFTER_SLASH}"),
    )
    return frozenset(VaultPath(path) for (path,) in rows)


def _rows(
    db: sqlite3.Connection, part: Part[T], files: Iterable[FileState], condition: str = "", *values: str
) -> Iterator[tuple[VaultPath, T]]:
    columns = ", ".join(f"part.{column}" for column in part.columns)
    statement = (
        f"SELECT file.path, {columns} FROM {part.table} AS part JOIN file ON file.id = part.file"  # noqa: S608 - ours
        f" WHERE part.file IN (SELECT value FROM json_each(?)) {condition} ORDER BY file.path, part.n"
    )
    for path, *row in db.execute(statement, (json.dumps([state.id for state in files]), *values)):
        yield VaultPath(path), part.value(tuple(row))
