import hashlib
import sqlite3
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from sidecar.errors import Ambiguous, NotFound, Unavailable
from sidecar.journal.intents import SqliteJournal
from sidecar.model.change import Author, ChangeSet, ChangeState, Entry, EntryRecord, Op, RecordedChange
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath as P
from sidecar.model.ports import Journal

CLAUDE, OTHER = Author("claude", "s1"), Author("other", "s2")
DAY = 24 * 3600 * 1_000_000_000


class Now:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.at = 1_700_000_000 * 1_000_000_000

    def __call__(self) -> int:
        return self.at


@pytest.fixture
def now() -> Now:
    return Now()


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "state/journal/journal.sqlite3"


@pytest.fixture
def journal(place: Path, now: Now) -> Iterator[SqliteJournal]:
    journal = SqliteJournal(place, now)
    yield journal
    journal.close()


def replacing(path: str, before: bytes, after: bytes, undoes: tuple[str, ...] = ()) -> ChangeSet:
    return ChangeSet("edit_note", (Entry(Op.REPLACE, P(path), checksum(before), after),), f"Edit {path}", "why", undoes)


def record(
    journal: Journal,
    path: str = "a.md",
    before: bytes = b"old",
    after: bytes = b"new",
    author: Author = CLAUDE,
    undoes: tuple[str, ...] = (),
    state: ChangeState = ChangeState.DONE,
) -> RecordedChange:
    begun = journal.begin(replacing(path, before, after, undoes), author, {P(path): before})
    return journal.finish(begun.id, state)


def test_begin_keeps_everything_that_was_said(journal: SqliteJournal, now: Now) -> None:
    change = ChangeSet(
        "move_note",
        (
            Entry(Op.MOVE, P("a.md"), checksum(b"A"), b"A2", P("New/a.md")),
            Entry(Op.CREATE, P("é.md"), None, b"\r\n"),
            Entry(Op.TRASH, P("b.md"), checksum(b"B"), None, P(".trash/b.md")),
        ),
        "Move a.md",
        None,
        (),
        (P("New"), P(".trash")),
    )
    begun = journal.begin(change, CLAUDE, {P("a.md"): b"A", P("b.md"): b"B"})
    assert begun == RecordedChange(
        begun.id,
        now.at,
        CLAUDE,
        "move_note",
        "Move a.md",
        None,
        ChangeState.OPEN,
        (
            EntryRecord(Op.MOVE, P("a.md"), P("New/a.md"), checksum(b"A"), checksum(b"A2")),
            EntryRecord(Op.CREATE, P("é.md"), None, None, checksum(b"\r\n")),
            EntryRecord(Op.TRASH, P("b.md"), P(".trash/b.md"), checksum(b"B"), None),
        ),
        folders=(P("New"), P(".trash")),
    )
    for data in (b"A", b"A2", b"B", b"\r\n"):
        assert journal.blob(checksum(data)) == data


def test_open_changes_are_those_that_were_not_finished(journal: SqliteJournal) -> None:
    first = journal.begin(replacing("a.md", b"1", b"2"), CLAUDE, {P("a.md"): b"1"})
    record(journal)
    second = journal.begin(replacing("b.md", b"1", b"2"), CLAUDE, {P("b.md"): b"1"})
    assert journal.open_changes() == (first, second)
    assert journal.finish(first.id, ChangeState.ROLLED_BACK).state is ChangeState.ROLLED_BACK
    assert journal.open_changes() == (second,)


def test_everything_survives_reopening(journal: SqliteJournal, place: Path, now: Now) -> None:
    done = record(journal)
    left_open = journal.begin(replacing("b.md", b"1", b"2"), CLAUDE, {})
    journal.close()
    again = SqliteJournal(place, now)
    try:
        assert again.changes() == (left_open, done)
        assert again.blob(checksum(b"old")) == b"old"
    finally:
        again.close()


def test_begin_survives_a_power_failure(journal: SqliteJournal) -> None:
    with journal._database.reading() as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,), "FULL: each commit reaches the disk"


def test_history_can_be_narrowed(journal: SqliteJournal, now: Now) -> None:
    first = record(journal, "a.md")
    now.at += DAY
    second = record(journal, "b.md", author=OTHER)
    moved = journal.begin(
        ChangeSet("move", (Entry(Op.MOVE, P("c.md"), checksum(b"C"), None, P("a.md")),), "Move"), CLAUDE, {}
    )
    assert journal.changes() == (moved, second, first)
    assert journal.changes(limit=2) == (moved, second)
    assert journal.changes(path=P("a.md")) == (moved, first)
    assert journal.changes(path=P("a.md"), limit=1) == (moved,)
    assert journal.changes(client="other") == (second,)
    assert journal.changes(session="s1") == (moved, first)
    assert journal.changes(since_ns=now.at) == (moved, second)
    assert journal.changes(path=P("a.md"), client="other") == ()
    assert journal.changes(before=moved.id) == (second, first)
    assert journal.changes(before=moved.id, client="other") == (second,)
    assert journal.changes(before=first.id) == ()


def test_undone_by_follows_undoing_of_undoing(journal: SqliteJournal) -> None:
    change = record(journal)
    failed = record(journal, undoes=(change.id,), state=ChangeState.ROLLED_BACK)
    assert journal.change(change.id).undone_by is None
    undo = record(journal, undoes=(change.id,))
    assert undo.undoes == (change.id,)
    assert journal.change(change.id).undone_by == undo.id
    redo = record(journal, undoes=(undo.id,))
    assert journal.change(undo.id).undone_by == redo.id
    assert journal.change(change.id).undone_by is None, "it is in force again"
    again = record(journal, undoes=(change.id,))
    assert journal.change(change.id).undone_by == again.id
    assert journal.change(failed.id).undone_by is None


def test_change_by_the_beginning_of_its_id(journal: SqliteJournal, now: Now) -> None:
    first = record(journal)
    now.at += 400 * DAY
    second = record(journal)
    assert journal.change(first.id) == first
    assert journal.change(f" {first.id.upper()} ") == first
    assert journal.change(first.id[:6]) == first
    with pytest.raises(Ambiguous) as several:
        journal.change(first.id[0])
    assert several.value.candidates == (second.id, first.id)
    typo = first.id[:-1] + ("0" if first.id[-1] != "0" else "1")
    with pytest.raises(NotFound) as missing:
        journal.change(typo)
    assert missing.value.candidates[0] == first.id
    for nonsense in ("", "  ", "%", "nothing like it"):
        with pytest.raises(NotFound) as missing:
            journal.change(nonsense)
        assert missing.value.candidates == (second.id, first.id)


def test_same_bytes_are_kept_once(journal: SqliteJournal) -> None:
    big = b"0123456789abcdef" * 50_000
    for number in range(5):
        record(journal, before=big, after=b"%d" % number)
    with journal._database.reading() as connection:
        assert connection.execute("SELECT count(*) FROM blobs").fetchone() == (6,)
    assert journal.size() < len(big), "and compressed"


def test_unknown_bytes_are_not_found(journal: SqliteJournal) -> None:
    with pytest.raises(NotFound):
        journal.blob(checksum(b"never kept"))


def noise(seed: int, size: int = 100_000) -> bytes:
    return hashlib.shake_128(bytes([seed])).digest(size)


def test_prune_forgets_the_oldest_beyond_the_size(journal: SqliteJournal, place: Path) -> None:
    changes = [record(journal, before=noise(n), after=noise(n + 1)) for n in range(10)]
    full = journal.size()
    assert journal.prune(max_bytes=full) == 0
    forgotten = journal.prune(max_bytes=full // 2)
    assert 0 < forgotten < 10
    assert journal.size() <= full // 2
    assert journal.changes() == tuple(reversed(changes[forgotten:]))
    with pytest.raises(NotFound):
        journal.blob(checksum(noise(0)))
    assert journal.blob(checksum(noise(forgotten))) == noise(forgotten), "a later change still needs it"
    journal.close()
    assert place.stat().st_size < full * 0.7, "the file shrinks too"


def test_prune_forgets_what_is_too_old_but_never_an_open_change(journal: SqliteJournal, now: Now) -> None:
    left_open = journal.begin(replacing("o.md", b"1", b"2"), CLAUDE, {P("o.md"): b"1"})
    record(journal)
    now.at += 366 * DAY
    young = record(journal, "b.md", b"x", b"y")
    assert journal.prune() == 1
    assert journal.changes() == (young, left_open)
    assert journal.prune(max_bytes=0) == 1
    assert journal.changes() == (left_open,)
    assert journal.blob(checksum(b"1")) == b"1"
    with pytest.raises(NotFound):
        journal.blob(checksum(b"old"))


def test_only_the_owner_may_read_it(journal: SqliteJournal, place: Path) -> None:
    record(journal)
    assert stat.S_IMODE(place.parent.stat().st_mode) == 0o700
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in place.parent.iterdir()}
    assert set(modes.values()) == {0o600}
    assert "journal.sqlite3-wal" in modes


def test_readers_on_other_threads(journal: SqliteJournal) -> None:
    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(lambda: [len(journal.changes(limit=100)) for _ in range(50)]) for _ in range(4)]
        for number in range(20):
            record(journal, f"{number}.md")
        counts = [reader.result() for reader in readers]
    assert all(seen == sorted(seen) for seen in counts)
    assert len(journal.changes(limit=100)) == 20


def test_text_that_sqlite_cannot_hold_is_made_storable(journal: SqliteJournal) -> None:
    begun = journal.begin(ChangeSet("t", (), "bad \ud800 text", "\udfff"), CLAUDE, {})
    assert (begun.summary, begun.reason) == ("bad ? text", "?")


def test_a_failed_begin_keeps_nothing(journal: SqliteJournal, monkeypatch: pytest.MonkeyPatch) -> None:
    import zlib

    def full(_: bytes) -> bytes:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(zlib, "compress", full)
    with pytest.raises(Unavailable, match="disk is full"):
        journal.begin(replacing("a.md", b"1", b"2"), CLAUDE, {P("a.md"): b"1"})
    monkeypatch.undo()
    assert journal.changes() == ()
    record(journal)


def test_a_newer_journal_is_left_alone(journal: SqliteJournal, place: Path, now: Now) -> None:
    journal.close()
    with closing(sqlite3.connect(place)) as connection, connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(Unavailable, match="newer version"):
        SqliteJournal(place, now)


def test_a_file_that_is_no_journal_is_left_alone(place: Path, now: Now) -> None:
    place.parent.mkdir(parents=True)
    place.write_bytes(b"this is no database, but somebody's text" * 50)
    with pytest.raises(Unavailable, match="not a database"):
        SqliteJournal(place, now)
    assert place.read_bytes().startswith(b"this is no database")
