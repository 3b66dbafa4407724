"""The journal's SQLite file: how it is opened, its tables, and how older ones are brought up to date."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import RLock

from sidecar.errors import Unavailable

__all__ = ["Database"]

_SETTINGS = ("auto_vacuum = INCREMENTAL", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON")
_MIGRATIONS = (
    """
    CREATE TABLE changes (
        id TEXT PRIMARY KEY, at INTEGER NOT NULL, client TEXT NOT NULL, session TEXT NOT NULL, tool TEXT NOT NULL,
        summary TEXT NOT NULL, reason TEXT, state TEXT NOT NULL
    );
    CREATE INDEX changes_by_state ON changes (state);
    CREATE TABLE entries (
        change TEXT NOT NULL REFERENCES changes (id) ON DELETE CASCADE, position INTEGER NOT NULL, op TEXT NOT NULL,
        path TEXT NOT NULL, target TEXT, before TEXT, after TEXT,
        PRIMARY KEY (change, position)
    );
    CREATE INDEX entries_by_path ON entries (path);
    CREATE INDEX entries_by_target ON entries (target);
    CREATE INDEX entries_by_before ON entries (before);
    CREATE INDEX entries_by_after ON entries (after);
    CREATE TABLE folders (
        change TEXT NOT NULL REFERENCES changes (id) ON DELETE CASCADE, position INTEGER NOT NULL, path TEXT NOT NULL,
        PRIMARY KEY (change, position)
    );
    CREATE TABLE undoes (
        change TEXT NOT NULL REFERENCES changes (id) ON DELETE CASCADE, position INTEGER NOT NULL,
        undone TEXT NOT NULL,
        PRIMARY KEY (change, position)
    );
    CREATE INDEX undoes_by_undone ON undoes (undone);
    CREATE TABLE blobs (hash TEXT PRIMARY KEY, data BLOB NOT NULL);
    """,
    """
    CREATE TABLE emptied (
        change TEXT NOT NULL REFERENCES changes (id) ON DELETE CASCADE, position INTEGER NOT NULL, path TEXT NOT NULL,
        PRIMARY KEY (change, position)
    );
    CREATE TABLE mended (
        change TEXT NOT NULL REFERENCES changes (id) ON DELETE CASCADE, position INTEGER NOT NULL, path TEXT NOT NULL,
        PRIMARY KEY (change, position)
    );
    """,
)
"""The script at index n brings a file of version n to version n + 1; a script that was released never changes."""


class Database:
    """One connection that threads share in turn; what a transaction wrote survives a power failure."""

    def __init__(self, path: Path, migrations: Sequence[str] = _MIGRATIONS) -> None:
        """Open the file, or make it, readable by its owner only; ``migrations`` are the scripts that make its tables.

        Raises:
            Unavailable: when it cannot be opened, is no journal, or comes from a newer version.

        """
        self._lock = RLock()
        self._migrations = migrations
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)  # SQLite gives its files beside it the same mode
        try:
            self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
        except sqlite3.Error as error:
            raise _unavailable(error) from error
        try:
            self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def _prepare(self) -> None:
        with self._worded():
            for setting in (
                "auto_vacuum = INCREMENTAL",
                "journal_mode = WAL",
                "synchronous = FULL",
                "foreign_keys = ON",
            ):
                self._connection.execute(f"PRAGMA {setting}")
            version = int(self._connection.execute("PRAGMA user_version").fetchone()[0])
        if version > len(self._migrations):
            raise Unavailable(
                f"The journal was written by a newer version ({version}; this one knows {len(self._migrations)}).",
                hint="Update Vault Sidecar.",
            )
        for number, script in enumerate(self._migrations[version:], start=version + 1):
            with self._worded():
                self._connection.executescript(f"BEGIN IMMEDIATE; {script} PRAGMA user_version = {number}; COMMIT;")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection for queries.

        Raises:
            Unavailable: when SQLite fails.

        """
        with self._lock, self._worded():
            yield self._connection

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection for one transaction, which is durable when this returns.

        Raises:
            Unavailable: when SQLite fails; then nothing of it is kept.

        """
        with self._lock, self._worded():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close the file; every further use fails."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def _worded(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise _unavailable(error) from error


def _unavailable(error: sqlite3.Error) -> Unavailable:
    return Unavailable(f"The journal cannot be used: {error}.", hint="Check that its disk has room and is writable.")
