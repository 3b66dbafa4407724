"""Proposals, kept in a file of their own until the person decides and for a while afterwards."""

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path

from sidecar.errors import NotFound, Refused
from sidecar.journal.database import Database
from sidecar.journal.ids import next_id
from sidecar.journal.plan_text import plan_of, text_of
from sidecar.model.change import Author, ChangeSet
from sidecar.model.path import VaultPath
from sidecar.model.ports import Clock
from sidecar.model.proposal import Proposal, ProposalNews, ProposalState

__all__ = ["ProposalStore", "is_proposal"]

_DAY_NS = 24 * 3600 * 1_000_000_000
_WAITS_NS = 30 * _DAY_NS
_KEPT_NS = 90 * _DAY_NS
"""How long the outcome can be looked up."""
_MOST_WAITING = 500
_MOST_BYTES = 200 * 1024 * 1024
"""Of all that waits, compressed."""
_PREFIX = "p-"
"""Tells ids of proposals from those of changes, which have no dash."""
_MIGRATIONS = (
    """
    CREATE TABLE proposals (
        id TEXT PRIMARY KEY, at INTEGER NOT NULL, expires INTEGER NOT NULL, state TEXT NOT NULL, decided INTEGER,
        begun INTEGER, recorded TEXT, is_partial INTEGER NOT NULL DEFAULT 0, answer TEXT, plan TEXT NOT NULL,
        likeness TEXT NOT NULL
    );
    CREATE INDEX proposals_by_state ON proposals (state);
    CREATE TABLE blobs (
        proposal TEXT NOT NULL REFERENCES proposals (id) ON DELETE CASCADE, hash TEXT NOT NULL, data BLOB NOT NULL,
        PRIMARY KEY (proposal, hash)
    );
    """,
)
"""The script at index n brings a file of version n to version n + 1; a script that was released never changes."""
_COLUMNS = "id, at, expires, state, decided, begun, recorded, is_partial, answer, plan"


def is_proposal(identifier: str) -> bool:
    """Tell whether an id is one of a proposal, and not one of a change."""
    return identifier.strip().lower().startswith(_PREFIX)


class ProposalStore:
    """Keeps proposals durably. Any thread may call; whoever decides sees to it that only one does so at a time."""

    def __init__(self, path: Path, clock: Clock, told: Callable[[ProposalNews], object]) -> None:
        """Open the file, or make it, for its owner only; ``told`` hears of each new state.

        Raises:
            Unavailable: when it cannot be opened or comes from a newer version.

        """
        self._database = Database(path, _MIGRATIONS)
        self._clock = clock
        self._told = told

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def add(self, change: ChangeSet, author: Author, before: Mapping[VaultPath, bytes]) -> Proposal:
        """Keep a plan with the bytes it was made on; the same plan that waits already is not kept twice.

        Raises:
            Refused: when too much waits already.
            Unavailable: when it cannot be stored.

        """
        now, (plan, blobs) = self._clock(), text_of(change, author, before)
        likeness = hashlib.sha256(plan.encode()).hexdigest()
        with self._database.writing() as connection:
            known = connection.execute(
                "SELECT id FROM proposals WHERE likeness = ? AND state = 'waiting' AND expires > ?", (likeness, now)
            ).fetchone()
            identifier = known[0] if known else _insert(connection, now, plan, likeness, blobs)
        proposal = self.get(identifier)
        if known is None:
            self._told(ProposalNews(identifier, proposal.state))
        return proposal

    def get(self, identifier: str) -> Proposal:
        """Return one proposal by its id.

        Raises:
            NotFound: when there is none, or it is past its time.

        """
        with self._database.reading() as connection:
            row = connection.execute(
                f"SELECT {_COLUMNS} FROM proposals WHERE id = ?",  # noqa: S608 - our own names
                (identifier.strip().lower(),),
            ).fetchone()
            if row is None:
                raise NotFound(f"There is no proposal '{identifier}'.", hint="It may have been forgotten by now.")
            return _proposal(connection, row)

    def list(self, state: ProposalState | None, limit: int) -> tuple[Proposal, ...]:
        """Return proposals, newest first, of one state if that is given."""
        with self._database.reading() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM proposals WHERE :state IS NULL OR state = :state"  # noqa: S608
                " ORDER BY id DESC LIMIT :limit",
                {"state": state, "limit": limit},
            ).fetchall()
            return tuple(_proposal(connection, row) for row in rows)

    def waiting(self) -> int:
        """Count those that wait for the person."""
        with self._database.reading() as connection:
            (count,) = connection.execute(
                "SELECT count(*) FROM proposals WHERE state = 'waiting' AND expires > ?", (self._clock(),)
            ).fetchone()
            return int(count)

    def begun(self) -> tuple[Proposal, ...]:
        """Return those that were about to be carried out when the process ended."""
        with self._database.reading() as connection:
            rows = connection.execute(
                f"SELECT {_COLUMNS} FROM proposals WHERE begun IS NOT NULL AND state = 'waiting'"  # noqa: S608
            ).fetchall()
            return tuple(_proposal(connection, row) for row in rows)

    def begin(self, identifier: str, *, is_partial: bool) -> None:
        """Note, before the first file is touched, that a proposal is about to be carried out."""
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE proposals SET begun = ?, is_partial = ? WHERE id = ?", (self._clock(), is_partial, identifier)
            )

    def release(self, identifier: str) -> None:
        """Let a proposal wait on: nothing of it was carried out."""
        with self._database.writing() as connection:
            connection.execute("UPDATE proposals SET begun = NULL, is_partial = 0 WHERE id = ?", (identifier,))

    def finish(
        self, identifier: str, state: ProposalState, *, recorded: str | None = None, answer: str | None = None
    ) -> Proposal:
        """Say how it ended."""
        said = None if answer is None else answer.encode(errors="replace").decode()
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE proposals SET state = ?, decided = ?, recorded = ?, answer = ?, begun = NULL WHERE id = ?",
                (state, self._clock(), recorded, said, identifier),
            )
        self._told(ProposalNews(identifier, state))
        return self.get(identifier)

    def expire(self) -> None:
        """End what waited too long, and forget what ended long ago."""
        now = self._clock()
        due = "state = 'waiting' AND begun IS NULL AND expires <= ?"
        with self._database.reading() as connection:
            is_due = connection.execute(
                f"SELECT EXISTS (SELECT 1 FROM proposals WHERE {due} OR decided <= ?)",  # noqa: S608 - our own text
                (now, now - _KEPT_NS),
            ).fetchone()[0]
        if not is_due:
            return
        with self._database.writing() as connection:
            ended = connection.execute(
                f"UPDATE proposals SET state = 'expired', decided = ? WHERE {due} RETURNING id",  # noqa: S608
                (now, now),
            ).fetchall()
            connection.execute("DELETE FROM proposals WHERE decided <= ?", (now - _KEPT_NS,))
        for (identifier,) in ended:
            self._told(ProposalNews(identifier, ProposalState.EXPIRED))


def _insert(connection: sqlite3.Connection, now: int, plan: str, likeness: str, blobs: Mapping[str, bytes]) -> str:
    waiting, size = connection.execute(
        "SELECT count(DISTINCT id), coalesce(sum(length(data)), 0) FROM proposals LEFT JOIN blobs ON proposal = id"
        " WHERE state = 'waiting'"
    ).fetchone()
    packed = {name: zlib.compress(data) for name, data in blobs.items()}
    if waiting >= _MOST_WAITING or size + sum(map(len, packed.values())) > _MOST_BYTES:
        raise Refused(
            f"{waiting} changes wait for the user's decision already; this one was not kept.",
            hint="Ask the user to decide on them in Obsidian.",
        )
    last = connection.execute("SELECT max(id) FROM proposals").fetchone()[0]
    identifier = _PREFIX + next_id(now, last and last.removeprefix(_PREFIX))
    connection.execute(
        "INSERT INTO proposals (id, at, expires, state, plan, likeness) VALUES (?, ?, ?, 'waiting', ?, ?)",
        (identifier, now, now + _WAITS_NS, plan, likeness),
    )
    connection.executemany("INSERT INTO blobs VALUES (?, ?, ?)", [(identifier, *item) for item in packed.items()])
    return identifier


def _proposal(connection: sqlite3.Connection, row: tuple[object, ...]) -> Proposal:
    identifier, at, expires, state, decided, begun, recorded, is_partial, answer, plan = row
    rows = connection.execute("SELECT hash, data FROM blobs WHERE proposal = ?", (identifier,)).fetchall()
    change, author, before = plan_of(json.loads(str(plan)), {name: zlib.decompress(data) for name, data in rows})
    return Proposal(
        str(identifier),
        _number(at) or 0,
        _number(expires) or 0,
        author,
        change,
        before,
        ProposalState(str(state)),
        _number(decided),
        _text(recorded),
        bool(is_partial),
        _text(answer),
        _number(begun),
    )


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
