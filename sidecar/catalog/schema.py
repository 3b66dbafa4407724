"""The catalog's tables, and how its database file is opened."""

import sqlite3
from pathlib import Path

__all__ = ["SCHEMA_VERSION", "create", "is_current", "open_reader", "open_writer"]

SCHEMA_VERSION = 2
"""Raise it with every change below: a catalog of another version is thrown away and built again."""

_TABLES = """
CREATE TABLE state (generation INTEGER NOT NULL, next_id INTEGER NOT NULL);
INSERT INTO state VALUES (0, 1);
CREATE TABLE file (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL, mtime_ns INTEGER NOT NULL, size INTEGER NOT NULL, hash TEXT NOT NULL,
  kind TEXT NOT NULL, title TEXT NOT NULL, title_key TEXT, permalink TEXT, own_permalink TEXT,
  problem TEXT, problem_line INTEGER, properties TEXT NOT NULL
);
CREATE INDEX file_title ON file (title_key) WHERE title_key IS NOT NULL;
CREATE INDEX file_permalink ON file (permalink) WHERE permalink IS NOT NULL;
CREATE INDEX file_own_permalink ON file (own_permalink) WHERE own_permalink IS NOT NULL;
CREATE TABLE fault (
  path TEXT NOT NULL, is_unread INTEGER NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (path, is_unread)
) WITHOUT ROWID;
CREATE TABLE alias (
  file INTEGER, n INTEGER, key TEXT NOT NULL, alias TEXT NOT NULL, PRIMARY KEY (file, n)
) WITHOUT ROWID;
CREATE INDEX alias_key ON alias (key);
CREATE TABLE property (
  file INTEGER, n INTEGER, name TEXT NOT NULL, value_key TEXT NOT NULL, PRIMARY KEY (file, n)
) WITHOUT ROWID;
CREATE INDEX property_value ON property (name, value_key);
CREATE TABLE tag (
  file INTEGER, n INTEGER, key TEXT NOT NULL, name TEXT NOT NULL, line INTEGER NOT NULL, in_property INTEGER NOT NULL,
  PRIMARY KEY (file, n)
) WITHOUT ROWID;
CREATE INDEX tag_key ON tag (key);
CREATE TABLE link (
  file INTEGER, n INTEGER, name_key TEXT, kind TEXT NOT NULL, raw TEXT NOT NULL, linkpath TEXT NOT NULL,
  subpath TEXT NOT NULL, display TEXT, line INTEGER NOT NULL, start INTEGER NOT NULL, heading TEXT, property TEXT,
  card TEXT, PRIMARY KEY (file, n)
) WITHOUT ROWID;
CREATE INDEX link_name ON link (name_key) WHERE name_key IS NOT NULL;
CREATE TABLE heading (
  file INTEGER, n INTEGER, level INTEGER NOT NULL, text TEXT NOT NULL, line INTEGER NOT NULL, start INTEGER NOT NULL,
  end INTEGER NOT NULL, PRIMARY KEY (file, n)
) WITHOUT ROWID;
CREATE TABLE task (
  file INTEGER, n INTEGER, status TEXT NOT NULL, text TEXT NOT NULL, line INTEGER NOT NULL, parent INTEGER,
  heading TEXT, PRIMARY KEY (file, n)
) WITHOUT ROWID;
CREATE TABLE block (
  file INTEGER, n INTEGER, name TEXT NOT NULL, line INTEGER NOT NULL, PRIMARY KEY (file, n)
) WITHOUT ROWID;
CREATE TABLE observation (
  file INTEGER, n INTEGER, category TEXT NOT NULL, content TEXT NOT NULL, tags TEXT NOT NULL, context TEXT,
  line INTEGER NOT NULL, PRIMARY KEY (file, n)
) WITHOUT ROWID;
CREATE TABLE relation (
  file INTEGER, n INTEGER, type TEXT NOT NULL, target TEXT NOT NULL, context TEXT, line INTEGER NOT NULL,
  PRIMARY KEY (file, n)
) WITHOUT ROWID;
"""


def open_writer(path: Path) -> sqlite3.Connection:
    """Open the database for the one writer thread, which begins and ends its transactions itself."""
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        # A power failure may lose the last commits, never the file; the next start looks at those notes again.
        db.execute("PRAGMA synchronous = NORMAL")
        db.execute("PRAGMA cache_size = -16000")
    except sqlite3.Error:
        db.close()
        raise
    return db


def open_reader(path: Path) -> sqlite3.Connection:
    """Open the database for reading, beside the writer."""
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False
    )


def is_current(db: sqlite3.Connection) -> bool:
    """Tell whether the database has our tables and is whole.

    Raises:
        sqlite3.DatabaseError: when it is damaged so far that it cannot be asked.

    """
    (version,) = db.execute("PRAGMA user_version").fetchone()
    return bool(version == SCHEMA_VERSION and db.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))


def create(db: sqlite3.Connection) -> None:
    """Make the tables in an empty database."""
    db.executescript(f"BEGIN;{_TABLES}PRAGMA user_version = {SCHEMA_VERSION};COMMIT;")
