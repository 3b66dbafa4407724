import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from sidecar.errors import Invalid, Refused, SidecarError, Stale, Unavailable
from sidecar.journal.intents import SqliteJournal
from sidecar.model.change import Author, ChangeSet, ChangeState, Entry, Op, RecordedChange
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath as P
from sidecar.vault import writer
from sidecar.vault.changes import DiskSink, NameTaken, recover
from sidecar.vault.files import VaultFiles
from sidecar.vault.writer import ChangedOnDisk

AUTHOR = Author("tester", "s1")
CRLF = b"\xef\xbb\xbf# T\r\n\r\nno final newline"


class Bench:
    """A vault with its journal and sink."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "vault"
        self.root.mkdir()
        self.journal = SqliteJournal(folder / "state/journal.sqlite3", lambda: 1_700_000_000_000_000_000)
        self.files = VaultFiles(self.root)
        self.told: list[tuple[tuple[P, ...], tuple[P, ...]]] = []
        self.sink = DiskSink(self.files, self.journal, lambda *told: self.told.append(told))
        for path, data in {"a.md": b"A", "b.md": b"B", "Notes/c.md": CRLF}.items():
            (self.root / path).parent.mkdir(exist_ok=True)
            (self.root / path).write_bytes(data)

    def apply(self, *entries: Entry, undoes: tuple[str, ...] = ()) -> RecordedChange:
        return self.sink.apply(ChangeSet("test", entries, "a test", None, undoes), AUTHOR)

    def tree(self) -> dict[str, bytes | None]:
        return {
            str(place.relative_to(self.root)): place.read_bytes() if place.is_file() else None
            for place in sorted(self.root.rglob("*"))
        }

    def states(self) -> list[ChangeState]:
        return [change.state for change in self.journal.changes()]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.journal.close()


def create(path: str, data: bytes = b"new") -> Entry:
    return Entry(Op.CREATE, P(path), None, data)


def replace(path: str, before: bytes, after: bytes) -> Entry:
    return Entry(Op.REPLACE, P(path), checksum(before), after)


def move(path: str, to: str, before: bytes, after: bytes | None = None) -> Entry:
    return Entry(Op.MOVE, P(path), checksum(before), after, P(to))


def trash(path: str, before: bytes, to: str | None = None) -> Entry:
    return Entry(Op.TRASH, P(path), checksum(before), None, None if to is None else P(to))


def test_all_operations_in_one_change(bench: Bench) -> None:
    done = bench.apply(
        create("New/Deep/n.md", b"n\r\n"),
        replace("Notes/c.md", CRLF, CRLF + b"!"),
        move("a.md", "Moved/a.md", b"A", b"A2"),
        trash("b.md", b"B", ".trash/b.md"),
    )
    assert bench.tree() == {
        ".trash": None,
        ".trash/b.md": b"B",
        "Moved": None,
        "Moved/a.md": b"A2",
        "New": None,
        "New/Deep": None,
        "New/Deep/n.md": b"n\r\n",
        "Notes": None,
        "Notes/c.md": CRLF + b"!",
    }
    assert done.state is ChangeState.DONE
    assert done.author == AUTHOR
    assert set(done.folders) == {"New", "New/Deep", "Moved", ".trash"}
    assert bench.told == [(("New/Deep/n.md", "Notes/c.md", "a.md", "Moved/a.md", "b.md"), ())]
    assert bench.journal.blob(checksum(CRLF)) == CRLF
    assert bench.journal.blob(checksum(b"A2")) == b"A2"


def test_moved_bytes_that_stay_the_same_are_not_copied_into_the_journal(bench: Bench) -> None:
    bench.apply(move("a.md", "z.md", b"A"))
    with pytest.raises(SidecarError):
        bench.journal.blob(checksum(b"A"))


def test_hard_delete_keeps_the_bytes_in_the_journal(bench: Bench) -> None:
    bench.apply(trash("Notes/c.md", CRLF))
    assert not (bench.root / "Notes/c.md").exists()
    assert bench.journal.blob(checksum(CRLF)) == CRLF


REFUSED_BEFORE: Mapping[str, tuple[tuple[Entry, ...], type[SidecarError]]] = {
    "C24 stale replace": ((replace("a.md", b"old", b"x"),), ChangedOnDisk),
    "C24 replace of a missing file": ((replace("gone.md", b"old", b"x"),), ChangedOnDisk),
    "C24 stale move": ((move("a.md", "z.md", b"old"),), ChangedOnDisk),
    "C24 stale trash": ((trash("a.md", b"old"),), ChangedOnDisk),
    "one stale among good": ((create("n.md"), replace("a.md", b"old", b"x")), ChangedOnDisk),
    "create where a file is": ((create("a.md"),), NameTaken),
    "create where a folder is": ((create("Notes"),), NameTaken),
    "F5 create beside another case": ((create("A.md"),), NameTaken),
    "F5 folder beside another case": ((create("notes/new.md"),), NameTaken),
    "move onto a file": ((move("a.md", "b.md", b"A"),), NameTaken),
    "F5 move beside another case": ((move("a.md", "B.md", b"A"),), NameTaken),
    "below a file": ((create("a.md/x.md"),), Invalid),
    "F1 bad name": ((create("what?.md"),), Invalid),
    "F2 name that breaks links": ((create("a#b.md"),), Invalid),
    "F3 device": ((create("con.md"),), Invalid),
    "F3 bad move target": ((move("a.md", "x:y.md", b"A"),), Invalid),
    "F4 long name": ((create("é" * 200 + ".md"),), Invalid),
    "same path twice": ((create("n.md"), create("n.md")), Invalid),
    "F5 same path in another case": ((create("n.md"), create("N.md")), Invalid),
    "move target twice": ((move("a.md", "n.md", b"A"), move("b.md", "n.md", b"B")), Invalid),
    "move onto a path that is trashed": ((trash("b.md", b"B"), move("a.md", "b.md", b"A")), Invalid),
    "C27 dot-folder": ((create(".obsidian/app.json"),), SidecarError),
    "C27 dotfile": ((replace(".mcpignore", b"x", b""),), Refused),
    "C27 move into a dot-folder": ((move("a.md", ".trash/a.md", b"A"),), SidecarError),
    "C26 escape": ((create("../out.md"),), SidecarError),
    "trash elsewhere": ((trash("a.md", b"A", "Notes/a.md"),), Refused),
    "trash out of the vault": ((trash("a.md", b"A", ".trash/../../a.md"),), Refused),
    "no entries": ((), Invalid),
    "create without bytes": ((Entry(Op.CREATE, P("n.md")),), Invalid),
    "create with a hash": ((Entry(Op.CREATE, P("n.md"), checksum(b""), b""),), Invalid),
    "replace without a hash": ((Entry(Op.REPLACE, P("a.md"), None, b""),), Invalid),
    "move to nowhere": ((Entry(Op.MOVE, P("a.md"), checksum(b"A")),), Invalid),
    "trash with bytes": ((Entry(Op.TRASH, P("a.md"), checksum(b"A"), b""),), Invalid),
}


@pytest.mark.parametrize(("entries", "category"), REFUSED_BEFORE.values(), ids=REFUSED_BEFORE)
def test_refused_before_anything_is_written_or_journaled(
    bench: Bench, entries: tuple[Entry, ...], category: type[SidecarError]
) -> None:
    before = bench.tree()
    with pytest.raises(category):
        bench.apply(*entries)
    assert bench.tree() == before
    assert bench.states() == []
    assert bench.told == []


def test_a7_trash_never_overwrites(bench: Bench) -> None:
    (bench.root / ".trash").mkdir()
    (bench.root / ".trash/a.md").write_bytes(b"older")
    with pytest.raises(NameTaken):
        bench.apply(trash("a.md", b"A", ".trash/a.md"))
    assert (bench.root / ".trash/a.md").read_bytes() == b"older"


def test_c26_nothing_is_written_through_a_link(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (bench.root / "link").symlink_to(tmp_path / "outside")
    (bench.root / "alias.md").symlink_to("a.md")
    for entry in (create("link/x.md"), replace("alias.md", b"A", b"x"), trash("alias.md", b"A"), create("alias.md")):
        with pytest.raises(SidecarError):
            bench.apply(entry)
    assert list((tmp_path / "outside").iterdir()) == []
    assert (bench.root / "a.md").read_bytes() == b"A"
    assert (bench.root / "alias.md").is_symlink()


def test_c16_nfd_spelling_is_kept_by_edits_and_new_names_are_nfc(bench: Bench) -> None:
    (bench.root / "Cafe\u0301").mkdir()
    (bench.root / "Cafe\u0301/no\u0308.md").write_bytes(b"old")
    bench.apply(replace("Caf\u00e9/n\u00f6.md", b"old", b"new"), create("Caf\u00e9/Sub/\u00e9.md", b"x"))
    assert sorted(bench.tree()) == sorted([
        "a.md", "b.md", "Notes", "Notes/c.md",
        "Cafe\u0301", "Cafe\u0301/no\u0308.md", "Cafe\u0301/Sub", "Cafe\u0301/Sub/\u00e9.md",
    ])  # fmt: skip
    assert bench.tree()["Cafe\u0301/no\u0308.md"] == b"new"


def test_f5_rename_that_changes_only_case(bench: Bench) -> None:
    bench.apply(move("a.md", "A.md", b"A"))
    assert set(bench.tree()) == {"A.md", "Notes", "Notes/c.md", "b.md"}


def test_undo_may_restore_a_name_that_new_files_may_not_have(bench: Bench) -> None:
    with pytest.raises(Invalid):
        bench.apply(create("C#.md"))
    bench.apply(create("C#.md"), undoes=("0",))
    assert (bench.root / "C#.md").exists()


def four_entries() -> tuple[Entry, ...]:
    return (
        create("New/Deep/n.md"),
        move("a.md", "Moved/a.md", b"A", b"A2"),
        trash("b.md", b"B", ".trash/b.md"),
        replace("Notes/c.md", CRLF, b"changed"),
    )


@pytest.mark.parametrize("failing", range(1, 14))
def test_failing_disk_in_the_middle_leaves_all_as_it_was(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    before, calls = bench.tree(), 0
    fsync = os.fsync

    def fail_once(handle: int) -> None:
        nonlocal calls
        calls += 1
        if calls == failing:
            raise OSError(28, "No space left on device")
        fsync(handle)

    monkeypatch.setattr(os, "fsync", fail_once)
    with pytest.raises(Unavailable, match=r"No space left on device\. Nothing was changed"):
        bench.apply(*four_entries())
    assert bench.tree() == before
    assert bench.states() == [ChangeState.ROLLED_BACK]
    assert bench.told == []


def test_someone_else_writing_in_the_middle_wins(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    before = bench.tree()
    write_new = writer.write_new

    def meanwhile(place: Path, data: bytes) -> None:
        write_new(place, data)
        (bench.root / "Notes/c.md").write_bytes(b"theirs")

    monkeypatch.setattr(writer, "write_new", meanwhile)
    with pytest.raises(ChangedOnDisk):
        bench.apply(*four_entries())
    assert bench.tree() == before | {"Notes/c.md": b"theirs"}
    assert bench.states() == [ChangeState.ROLLED_BACK]


def test_someone_else_creating_the_same_file_in_the_middle_keeps_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_new = writer.write_new

    def beaten(place: Path, data: bytes) -> None:
        place.write_bytes(data)
        write_new(place, data)

    monkeypatch.setattr(writer, "write_new", beaten)
    with pytest.raises(Stale):
        bench.apply(create("n.md", b"same bytes"))
    assert (bench.root / "n.md").read_bytes() == b"same bytes"


def test_recover_ends_what_was_left_open(bench: Bench) -> None:
    """The states between steps that no crash test reaches: someone wrote between crash and start."""
    change = ChangeSet("test", (create("n.md"), replace("a.md", b"A", b"A2"), trash("b.md", b"B")), "x")
    bench.journal.begin(change, AUTHOR, {P("a.md"): b"A", P("b.md"): b"B"})
    (bench.root / "n.md").write_bytes(b"new")
    (bench.root / "a.md").write_bytes(b"theirs")
    (bench.root / "b.md").unlink()
    (bench.root / ".a.md.01234567.sidecar.tmp").write_bytes(b"half")
    (recovery,) = recover(bench.files, bench.journal)
    assert recovery.change.state is ChangeState.ROLLED_BACK
    assert recovery.left == ("a.md",)
    assert bench.tree() == {"Notes": None, "Notes/c.md": CRLF, "a.md": b"theirs", "b.md": b"B"}
    assert recover(bench.files, bench.journal) == ()


def test_recover_takes_a_file_that_has_the_change_in_it_as_done(bench: Bench) -> None:
    change = ChangeSet("test", (replace("a.md", b"A", b"A2"),), "x")
    for found, state in ((b"A2 and more", ChangeState.DONE), (b"theirs", ChangeState.ROLLED_BACK)):
        (bench.root / "a.md").write_bytes(b"A")
        bench.journal.begin(change, AUTHOR, {P("a.md"): b"A"})
        (bench.root / "a.md").write_bytes(found)
        (recovery,) = recover(bench.files, bench.journal, lambda _before, after, now: now.startswith(after))
        assert (recovery.change.state, (bench.root / "a.md").read_bytes()) == (state, found)


def test_recover_keeps_folders_that_hold_something_by_now(bench: Bench) -> None:
    change = ChangeSet("test", (create("New/n.md"), create("m.md")), "x", folders=(P("New"),))
    bench.journal.begin(change, AUTHOR, {})
    (bench.root / "New").mkdir()
    (bench.root / "New/theirs.md").write_bytes(b"theirs")
    recover(bench.files, bench.journal)
    assert bench.tree()["New/theirs.md"] == b"theirs"


def test_recover_judges_nothing_while_the_vault_is_away(bench: Bench) -> None:
    bench.journal.begin(ChangeSet("test", (create("n.md"),), "x"), AUTHOR, {})
    bench.root.rename(bench.root.parent / "elsewhere")
    with pytest.raises(Unavailable):
        recover(bench.files, bench.journal)
    assert bench.states() == [ChangeState.OPEN]
