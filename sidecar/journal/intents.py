"""The journal: every change with its bytes, its author and how it ended, kept in SQLite."""

import difflib
import sqlite3
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeAlias

from sidecar.errors import Ambiguous, NotFound
from sidecar.journal.database import Database
from sidecar.journal.ids import next_id
from sidecar.model.change import Author, ChangeSet, ChangeState, EntryRecord, Op, RecordedChange
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath
from sidecar.model.ports import Clock

__all__ = ["SqliteJournal"]

_MAX_BYTES = 500 * 1024 * 1024
_MAX_AGE_NS = 365 * 24 * 3600 * 1_000_000_000
_NEAR = 3
_CONDITIONS = {
    "path": "id IN (SELECT change FROM entries WHERE path = :path OR target = :path)",
    "client": "client = :client",
    "session": "session = :session",
    "since": "at >= :since",
    "before": "id < :before",
}

_Row: TypeAlias = tuple[str, int, str, str, str, str, str | None, str]


class SqliteJournal:
    """Implements ``Journal``. One thread writes; any thread may read."""

    def __init__(self, path: Path, clock: Clock) -> None:
        """Open the journal's file, or make it.

        Raises:
            Unavailable: when it cannot be opened or comes from a newer version.

        """
        self._database = Database(path)
        self._clock = clock

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def begin(self, change: ChangeSet, author: Author, before: Mapping[VaultPath, bytes]) -> RecordedChange:
        """Store the intent with the bytes before and after; on return it survives a power failure.

        Raises:
            Unavailable: when it cannot be stored; then the change must not be made.

        """
        entries = tuple(
            EntryRecord(e.op, e.path, e.to, e.before, None if e.after is None else checksum(e.after))
            for e in change.entries
        )
        now = self._clock()
        with self._database.writing() as connection:
            identifier = next_id(now, connection.execute("SELECT max(id) FROM changes").fetchone()[0])
            words = (author.client, author.session, change.tool, change.summary, change.reason)
            connection.execute(
                "INSERT INTO changes VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (identifier, now, *(_storable(text) for text in words), ChangeState.OPEN),
            )
            _insert(connection, "entries", identifier, [(e.op, e.path, e.to, e.before, e.after) for e in entries])
            for table, paths in (("folders", change.folders), ("emptied", change.emptied), ("mended", change.mended)):
                _insert(connection, table, identifier, [(path,) for path in paths])
            _insert(connection, "undoes", identifier, [(undone,) for undone in change.undoes])
            for data in (*before.values(), *(e.after for e in change.entries if e.after is not None)):
                _keep(connection, data)
        return self.change(identifier)

    def finish(self, change_id: str, state: ChangeState) -> RecordedChange:
        """Say how the change ended."""
        with self._database.writing() as connection:
            connection.execute("UPDATE changes SET state = ? WHERE id = ?", (state, change_id))
        return self.change(change_id)

    def open_changes(self) -> tuple[RecordedChange, ...]:
        """Return the changes that were begun and never finished, oldest first."""
        with self._database.reading() as connection:
            rows = connection.execute("SELECT * FROM changes WHERE state = 'open' ORDER BY id").fetchall()
            return tuple(_record(connection, row) for row in rows)

    def blob(self, checksum: str) -> bytes:
        """Return stored bytes by their SHA-256.

        Raises:
            NotFound: when they were never kept, or are past their time.

        """
        with self._database.reading() as connection:
            row = connection.execute("SELECT data FROM blobs WHERE hash = ?", (checksum,)).fetchone()
        if row is None:
            raise NotFound(f"The journal no longer holds the bytes {checksum[:16]}.")
        return zlib.decompress(row[0])

    def changes(
        self,
        *,
        path: VaultPath | None = None,
        client: str | None = None,
        session: str | None = None,
        since_ns: int | None = None,
        before: str | None = None,
        limit: int = 20,
    ) -> tuple[RecordedChange, ...]:
        """Return changes that meet every given condition, newest first; ``path`` is a file's old or new place.

        ``before`` is an id, behind which a list goes on.
        """
        given = {"path": path, "client": client, "session": session, "since": since_ns, "before": before}
        where = " AND ".join(["TRUE", *(_CONDITIONS[name] for name, value in given.items() if value is not None)])
        with self._database.reading() as connection:
            rows = connection.execute(
                f"SELECT * FROM changes WHERE {where} ORDER BY id DESC LIMIT :limit",  # noqa: S608 - our own texts only
                {**given, "limit": limit},
            ).fetchall()
            return tuple(_record(connection, row) for row in rows)

    def change(self, identifier: str) -> RecordedChange:
        """Return one change by its id, or by the beginning of its id where only one begins so.

        Raises:
            NotFound: with the nearest ids.
            Ambiguous: with the ids that begin so.

        """
        start = identifier.strip().lower()
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT * FROM changes WHERE id >= ? AND id < ? ORDER BY id DESC", (start, start + "~")
            ).fetchall()
            if start and len(rows) == 1:
                return _record(connection, rows[0])
            newest = [row[0] for row in connection.execute("SELECT id FROM changes ORDER BY id DESC LIMIT 200")]
        if start and rows:
            raise Ambiguous(
                f"{len(rows)} changes begin with '{identifier}'.",
                hint="Give more of the id.",
                candidates=[row[0] for row in rows],
            )
        near = difflib.get_close_matches(start, newest, n=_NEAR, cutoff=0.8) or newest[:_NEAR]
        raise NotFound(f"There is no change '{identifier}'.", hint="Look it up in the history.", candidates=near)

    def size(self) -> int:
        """Return how many bytes the journal's content takes on disk."""
        with self._database.reading() as connection:
            return _size(connection)

    def prune(self, max_bytes: int = _MAX_BYTES, max_age_ns: int = _MAX_AGE_NS) -> int:
        """Forget the oldest changes past their time or beyond the size, never an open one; return how many."""
        oldest_kept = self._clock() - max_age_ns
        forgotten = 0
        with self._database.writing() as connection:
            closed = connection.execute("SELECT id, at FROM changes WHERE state <> 'open' ORDER BY id").fetchall()
            for identifier, at in closed:
                if at >= oldest_kept and _size(connection) <= max_bytes:
                    break
                _forget(connection, identifier)
                forgotten += 1
        if forgotten:
            with self._database.reading() as connection:
                connection.executescript("PRAGMA incremental_vacuum;")  # execute would free one page and stop
        return forgotten


def _storable(text: str | None) -> str | None:
    """Replace lone surrogates, which JSON can carry and SQLite cannot."""
    return None if text is None else text.encode(errors="replace").decode()


def _insert(connection: sqlite3.Connection, table: str, change: str, rows: Iterable[tuple[str | None, ...]]) -> None:
    for position, row in enumerate(rows):
        marks = ", ".join("?" * (len(row) + 2))
        connection.execute(f"INSERT INTO {table} VALUES ({marks})", (change, position, *row))  # noqa: S608 - our tables


def _keep(connection: sqlite3.Connection, data: bytes) -> None:
    """Store bytes once, however many changes name them."""
    name = checksum(data)
    if connection.execute("SELECT 1 FROM blobs WHERE hash = ?", (name,)).fetchone() is None:
        connection.execute("INSERT INTO blobs VALUES (?, ?)", (name, zlib.compress(data)))


def _forget(connection: sqlite3.Connection, change: str) -> None:
    named = connection.execute("SELECT before, after FROM entries WHERE change = ?", (change,)).fetchall()
    hashes = {name for pair in named for name in pair if name is not None}
    connection.execute("DELETE FROM changes WHERE id = ?", (change,))
    for name in hashes:
        connection.execute(
            "DELETE FROM blobs WHERE hash = :name AND NOT EXISTS (SELECT 1 FROM entries WHERE before = :name)"
            " AND NOT EXISTS (SELECT 1 FROM entries WHERE after = :name)",
            {"name": name},
        )


def _size(connection: sqlite3.Connection) -> int:
    pages, free, each = (
        int(connection.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * each


def _record(connection: sqlite3.Connection, row: _Row) -> RecordedChange:
    identifier, at, client, session, tool, summary, reason, state = row
    entries = connection.execute(
        "SELECT op, path, target, before, after FROM entries WHERE change = ? ORDER BY position", (identifier,)
    ).fetchall()
    return RecordedChange(
        identifier,
        at,
        Author(client, session),
        tool,
        summary,
        reason,
        ChangeState(state),
        tuple(
            EntryRecord(Op(op), VaultPath(path), VaultPath(to) if to is not None else None, before, after)
            for op, path, to, before, after in entries
        ),
        undoes=_column(connection, "undone", "undoes", identifier),
        undone_by=_undone_by(connection, identifier),
        folders=_paths(connection, "folders", identifier),
        emptied=_paths(connection, "emptied", identifier),
        mended=_paths(connection, "mended", identifier),
    )


def _paths(connection: sqlite3.Connection, table: str, change: str) -> tuple[VaultPath, ...]:
    return tuple(VaultPath(path) for path in _column(connection, "path", table, change))


def _column(connection: sqlite3.Connection, column: str, table: str, change: str) -> tuple[str, ...]:
    query = f"SELECT {column} FROM {table} WHERE change = ? ORDER BY position"  # noqa: S608 - our own names only
    return tuple(row[0] for row in connection.execute(query, (change,)))


def _undone_by(connection: sqlite3.Connection, change: str) -> str | None:
    """Return the change that took this one back, unless it was itself taken back."""
    undoing = connection.execute(
        "SELECT u.change FROM undoes u JOIN changes c ON c.id = u.change"
        " WHERE u.undone = ? AND c.state = 'done' ORDER BY u.change DESC",
        (change,),
    ).fetchall()
    return next((row[0] for row in undoing if _undone_by(connection, row[0]) is None), None)
