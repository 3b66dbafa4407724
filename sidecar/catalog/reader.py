"""Read-only connections, one per thread, each of which sees one state of the vault at a time."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from sidecar.catalog.snapshot import Snapshot

__all__ = ["Connections", "State"]


@dataclass(frozen=True, slots=True)
class State:
    """One state of the vault: a read transaction and the snapshot of the same generation."""

    db: sqlite3.Connection
    snapshot: Snapshot


class _Local(threading.local):
    db: sqlite3.Connection | None = None
    held: State | None = None


class Connections:
    """Opens a connection for each thread that reads, and closes them all."""

    def __init__(self, connect: Callable[[], sqlite3.Connection], newest: Callable[[], Snapshot]) -> None:
        self._connect = connect
        self._newest = newest
        self._local = _Local()
        self._open: list[sqlite3.Connection] = []
        self._lock = threading.Lock()

    @contextmanager
    def state(self) -> Iterator[State]:
        """Hold the newest state; inside, the same thread gets the same one again."""
        if self._local.held:
            yield self._local.held
            return
        state = self._local.held = self._begin()
        try:
            yield state
        finally:
            self._local.held = None
            state.db.execute("COMMIT")

    def close(self) -> None:
        """Close all connections; nobody may be reading."""
        with self._lock:
            for db in self._open:
                db.close()
            self._open.clear()

    def _begin(self) -> State:
        db = self._db()
        while True:
            db.execute("BEGIN")
            (generation,) = db.execute("SELECT generation FROM state").fetchone()
            snapshot = self._newest()
            if snapshot.generation == generation:
                return State(db, snapshot)
            # A commit fell between the two looks; its snapshot is out in a moment.
            db.execute("COMMIT")

    def _db(self) -> sqlite3.Connection:
        if self._local.db is None:
            self._local.db = self._connect()
            with self._lock:
                self._open.append(self._local.db)
        return self._local.db
