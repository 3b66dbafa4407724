"""The catalog: what every file of the vault says, in SQLite, written by one thread and read by many."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from sidecar.catalog import schema
from sidecar.catalog.queries import CatalogReader
from sidecar.catalog.reader import Connections
from sidecar.catalog.rows import INSERT_FILE, PARTS, FileRows, Row, rows_of
from sidecar.catalog.snapshot import Snapshot
from sidecar.errors import Unavailable
from sidecar.model.file import FileStat, FileState
from sidecar.model.note import ParsedFile
from sidecar.model.path import VaultPath

__all__ = ["Catalog"]

_BATCH = 256
"""Files whose rows wait in memory for one statement per table."""
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})


class Catalog:
    """The catalog of one project. Only the writer thread may call ``put``, ``remove``, ``commit`` and ``rollback``."""

    rebuilt: bool
    """It starts empty, because there was none, one of another version, or a damaged one."""

    def __init__(self, path: Path) -> None:
        """Open the catalog at ``path``, or start an empty one.

        Raises:
            Unavailable: when another process has it, or the folder cannot be written.

        """
        self._path = path
        self._db, self._snapshot, self._next_id, self.rebuilt = _open(path)
        self._connections = Connections(lambda: schema.open_reader(path), lambda: self._snapshot)
        self._waiting: dict[VaultPath, FileRows | None] = {}
        self._changes: dict[VaultPath, FileState | None] = {}
        self._ids: dict[VaultPath, int] = {}
        self._stored: set[VaultPath] = set()
        self._faults: dict[tuple[VaultPath, bool], str | None] = {}

    @property
    def snapshot(self) -> Snapshot:
        """The files and names after the last commit."""
        return self._snapshot

    def known(self) -> Mapping[VaultPath, FileState]:
        """Return what was last seen of each file, to be compared with the disk."""
        return self._snapshot.files

    def reader(self) -> CatalogReader:
        """Return a reader that any thread may use."""
        return CatalogReader(self._connections)

    def put(self, file: ParsedFile, stat: FileStat, checksum: str) -> None:
        """Add or replace one file, visible after ``commit``; a file keeps its id over all updates.

        Raises:
            Unavailable: when the database cannot be written.

        """
        state = FileState(self._id_of(file.path), stat.mtime_ns, stat.size, checksum)
        rows = rows_of(file, state)
        self._changes[file.path] = state
        self._wait(file.path, rows)

    def remove(self, path: VaultPath) -> None:
        """Forget one file after ``commit``.

        Raises:
            Unavailable: when the database cannot be written.

        """
        if path in self._snapshot.files or path in self._changes:
            self._changes[path] = None
            self._wait(path, None)

    def note_fault(self, path: VaultPath, reason: str | None, *, is_unread: bool) -> None:
        """Remember after ``commit`` why a file could not be read, or not wholly; ``None`` forgets it."""
        self._faults[path, is_unread] = reason

    def faults(self, *, is_unread: bool) -> dict[VaultPath, str]:
        """Return what the last commit remembers of files that could not be read, or not wholly."""
        rows = self._db.execute("SELECT path, reason FROM fault WHERE is_unread = ?", (is_unread,))
        return {VaultPath(path): reason for path, reason in rows}

    def commit(self) -> Snapshot:
        """Make everything since the last commit visible at once and return the new snapshot.

        Without a change of files it is the old one, of the same generation.

        Raises:
            Unavailable: when the database cannot be written; nothing has changed then.

        """
        if not (self._changes or self._faults):
            return self._snapshot
        self._flush()
        snapshot = self._snapshot
        if self._changes:
            snapshot = snapshot.changed(self._changes, snapshot.generation + 1)
        try:
            self._write_faults()
            self._db.execute("UPDATE state SET generation = ?, next_id = ?", (snapshot.generation, self._next_id))
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            raise self._failed(error) from error
        self._snapshot = snapshot
        self._forget_changes()
        return snapshot

    def rollback(self) -> None:
        """Drop everything since the last commit."""
        if self._db.in_transaction:
            self._db.execute("ROLLBACK")
        self._forget_changes()

    def close(self) -> None:
        """Close all connections; what was not committed is lost."""
        self._connections.close()
        self.rollback()
        self._db.close()

    def _id_of(self, path: VaultPath) -> int:
        known = self._snapshot.files.get(path)
        if known:
            return known.id
        if path not in self._ids:
            self._ids[path] = self._next_id
            self._next_id += 1
        return self._ids[path]

    def _wait(self, path: VaultPath, rows: FileRows | None) -> None:
        self._waiting[path] = rows
        if len(self._waiting) >= _BATCH:
            self._flush()

    def _flush(self) -> None:
        try:
            if not self._db.in_transaction:
                self._db.execute("BEGIN IMMEDIATE")
            self._write()
        except sqlite3.Error as error:
            raise self._failed(error) from error
        self._stored.update(self._waiting)
        self._waiting.clear()

    def _write(self) -> None:
        waiting = self._waiting.items()
        old = [(self._id_of(path),) for path, _ in waiting if path in self._stored or path in self._snapshot.files]
        gone = [(self._id_of(path),) for path, rows in waiting if rows is None]
        new = [rows for _, rows in waiting if rows is not None]
        self._run("DELETE FROM file WHERE id = ?", gone)
        self._run(INSERT_FILE, [rows.file for rows in new])
        for n, part in enumerate(PARTS):
            self._run(part.delete, old)
            self._run(part.insert, [row for rows in new for row in rows.parts[n]])

    def _write_faults(self) -> None:
        gone = [key for key, reason in self._faults.items() if reason is None]
        self._run("DELETE FROM fault WHERE path = ? AND is_unread = ?", gone)
        known = [(*key, reason) for key, reason in self._faults.items() if reason is not None]
        self._run("INSERT OR REPLACE INTO fault VALUES (?, ?, ?)", known)

    def _run(self, statement: str, rows: Sequence[Row]) -> None:
        if not rows:
            return
        try:
            self._db.executemany(statement, rows)
        except UnicodeEncodeError:
            # A canvas or a YAML escape can hold half a surrogate pair, which SQLite cannot.
            self._db.executemany(statement, [tuple(map(_storable, row)) for row in rows])

    def _failed(self, error: sqlite3.Error) -> Unavailable:
        self.rollback()
        return Unavailable(
            f"The catalog '{self._path}' cannot be written: {error}.",
            hint="Look for a full disk or missing rights, then try again.",
        )

    def _forget_changes(self) -> None:
        self._waiting.clear()
        self._changes.clear()
        self._ids.clear()
        self._stored.clear()
        self._faults.clear()


def _storable(value: object) -> object:
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _open(path: Path) -> tuple[sqlite3.Connection, Snapshot, int, bool]:
    """Open what is there; when it is not ours or not whole, start anew."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists() and (found := _open_existing(path)):
            return *found, False
        for suffix in ("", "-wal", "-shm"):
            Path(f"{path}{suffix}").unlink(missing_ok=True)
        db = schema.open_writer(path)
        schema.create(db)
    except (OSError, sqlite3.Error) as error:
        raise Unavailable(f"The catalog '{path}' cannot be opened: {error}.") from error
    return db, Snapshot(), 1, True


def _open_existing(path: Path) -> tuple[sqlite3.Connection, Snapshot, int] | None:
    db = None
    try:
        db = schema.open_writer(path)
        if schema.is_current(db):
            return db, *_load(db)
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in _BUSY:
            if db:
                db.close()
            raise
    if db:
        db.close()
    return None


def _load(db: sqlite3.Connection) -> tuple[Snapshot, int]:
    generation, next_id = db.execute("SELECT generation, next_id FROM state").fetchone()
    rows: Iterable[tuple[str, int, int, int, str]] = db.execute("SELECT path, id, mtime_ns, size, hash FROM file")
    files = {VaultPath(path): FileState(file, mtime_ns, size, sha) for path, file, mtime_ns, size, sha in rows}
    return Snapshot.of(files, generation), next_id
