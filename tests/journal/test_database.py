import sqlite3
from pathlib import Path

from sidecar.journal import database
from sidecar.journal.intents import SqliteJournal
from sidecar.model.change import Author, ChangeSet, Entry, Op
from sidecar.model.path import VaultPath as P


def test_an_older_journal_is_brought_up_to_date_with_all_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    old = sqlite3.connect(path)
    old.executescript(f"{database._MIGRATIONS[0]} PRAGMA user_version = 1;")
    old.execute("INSERT INTO changes VALUES ('2026-a', 1, 'c', 's', 'write_note', 'Create a.md', NULL, 'done')")
    old.execute("INSERT INTO entries VALUES ('2026-a', 0, 'create', 'a.md', NULL, NULL, 'hash')")
    old.commit()
    old.close()
    journal = SqliteJournal(path, lambda: 2)
    try:
        (change,) = journal.changes()
        assert (change.id, change.entries[0].path, change.mended, change.emptied) == ("2026-a", "a.md", (), ())
    finally:
        journal.close()


def test_what_a_change_does_to_folders_and_links_is_kept(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path / "journal.sqlite3", lambda: 2)
    try:
        change = ChangeSet(
            "t", (Entry(Op.CREATE, P("n/a.md"), None, b"x"),), "s", folders=(P("n"),), emptied=(P("o/i"), P("o")),
            mended=(P("b.md"),),
        )  # fmt: skip
        kept = journal.begin(change, Author("c", "s"), {})
        assert (kept.folders, kept.emptied, kept.mended) == (("n",), ("o/i", "o"), ("b.md",))
        assert journal.change(kept.id) == kept
    finally:
        journal.close()
