"""What a catalog holds, in a form in which two that were built in different ways can be compared."""

import sqlite3
from contextlib import closing
from pathlib import Path

__all__ = ["catalog_dump"]

_INCIDENTAL = frozenset({"state", "sqlite_stat1", "sqlite_sequence"})


def catalog_dump(catalog: Path) -> list[str]:
    """Return all rows of a catalog, sorted; files go by their paths, since their numbers depend on its history."""
    with closing(sqlite3.connect(f"file:{catalog}?mode=ro", uri=True)) as db:
        paths = dict(db.execute("SELECT id, path FROM file"))
        tables = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return sorted(row for table in tables if table not in _INCIDENTAL for row in _rows(db, table, paths))


def _rows(db: sqlite3.Connection, table: str, paths: dict[int, str]) -> list[str]:
    cursor = db.execute(f"SELECT * FROM {table}")  # noqa: S608 - a name out of the database itself
    columns = [column for column, *_ in cursor.description]
    return [
        repr((table, *(_value(name, value, table, paths) for name, value in zip(columns, row, strict=True))))
        for row in cursor
    ]


def _value(column: str, value: object, table: str, paths: dict[int, str]) -> object:
    if column == "file" or (table == "file" and column == "id"):
        return paths[int(str(value))]
    return value
