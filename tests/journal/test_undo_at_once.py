from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.journal.undo import NothingToUndo
from sidecar.model.change import ChangeSet, Entry, Op, RecordedChange
from sidecar.model.path import VaultPath as P
from sidecar.vault.changes import NameTaken
from tests.journal.builders import ODD, Bench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.journal.close()


def check_there_and_back(bench: Bench, before: dict[str, bytes | None], *changes: RecordedChange) -> ChangeSet:
    """Undo the changes at once, undo that, and undo them again."""
    after = bench.everything()
    plan = bench.plan(*changes)
    undo = bench.undo(*changes)
    assert bench.everything() == before
    bench.undo(undo)
    assert bench.everything() == after
    bench.undo(*changes)
    assert bench.everything() == before
    return plan


def test_a_file_that_was_made_and_deleted_leaves_the_trash_too(bench: Bench) -> None:
    before = bench.everything()
    plan = check_there_and_back(bench, before, bench.create("c.md", ODD), bench.delete("c.md"))
    assert [(entry.op, entry.path) for entry in plan.entries] == [(Op.TRASH, ".trash/c.md")]


def test_what_lay_in_the_trash_before_stays(bench: Bench) -> None:
    bench.put(".trash/c.md", b"old")
    before = bench.everything()
    changes = [bench.create("c.md", ODD), bench.delete("c.md")]
    assert bench.everything()[".trash/c 2.md"] == ODD
    check_there_and_back(bench, before, *changes)


def test_a_file_that_was_edited_and_deleted(bench: Bench) -> None:
    bench.put("a.md", b"1")
    before = bench.everything()
    (entry,) = check_there_and_back(bench, before, bench.replace("a.md", b"2"), bench.delete("a.md")).entries
    assert (entry.op, entry.path, entry.to, entry.after) == (Op.MOVE, ".trash/a.md", "a.md", b"1")


def test_a_file_that_was_deleted_and_made_anew_and_deleted(bench: Bench) -> None:
    bench.put("a.md", b"1")
    before = bench.everything()
    changes = [bench.delete("a.md"), bench.create("a.md", b"2"), bench.move("a.md", "b.md"), bench.delete("b.md")]
    check_there_and_back(bench, before, *changes)


def test_f5_a_name_that_came_back_in_another_case(bench: Bench) -> None:
    bench.put("a.md", b"1")
    before = bench.everything()
    plan = check_there_and_back(bench, before, bench.trash("a.md"), bench.create("A.md", b"2"))
    assert [(entry.op, entry.path, entry.to, entry.after) for entry in plan.entries] == [
        (Op.MOVE, "A.md", "a.md", b"1")
    ]


def test_f5_a_name_that_came_back_in_another_case_from_elsewhere(bench: Bench) -> None:
    bench.put("a.md", b"1")
    bench.put("x.md", b"2")
    before = bench.everything()
    check_there_and_back(bench, before, bench.delete("a.md"), bench.move("x.md", "A.md"))


def test_a_folder_that_was_made_and_deleted_does_not_come_back(bench: Bench) -> None:
    bench.put("a.md", b"1")
    before = bench.everything()
    made = bench.create("New/b.md", b"2")
    entry = Entry(Op.TRASH, P("New/b.md"), bench.hash("New/b.md"), None, P(".trash/New/b.md"))
    deleted = bench.change(ChangeSet("test", (entry,), "a test", emptied=(P("New"),)))
    assert not (bench.root / "New").exists()
    check_there_and_back(bench, before, made, deleted)


def test_a_folder_made_for_a_file_that_is_gone_goes(bench: Bench) -> None:
    before = bench.everything()
    check_there_and_back(bench, before, bench.create("New/b.md", b"2"), bench.trash("New/b.md"))


def test_a_folder_that_was_there_and_went_comes_back_though_it_was_made_anew_between(bench: Bench) -> None:
    (bench.root / "Old").mkdir()
    before = bench.everything()
    gone = bench.change(ChangeSet("test", (), "a test", emptied=(P("Old"),)))
    made = bench.create("Old/b.md", b"2")
    bench.undo(gone, made)
    assert bench.everything() == before


def test_a_folder_that_was_made_and_taken_away_leaves_nothing_to_undo(bench: Bench) -> None:
    made = bench.create("New/b.md", b"2")
    entry = Entry(Op.TRASH, P("New/b.md"), bench.hash("New/b.md"))
    deleted = bench.change(ChangeSet("test", (entry,), "a test", emptied=(P("New"),)))
    with pytest.raises(NothingToUndo):
        bench.plan(made, deleted)


def test_what_someone_else_put_into_the_trash_is_not_overwritten(bench: Bench) -> None:
    changes = [bench.create("c.md", b"1"), bench.delete("c.md")]
    undo = bench.undo(*changes)
    plan = bench.plan(undo)
    bench.put(".trash/c.md", b"theirs")
    with pytest.raises(NameTaken):
        bench.change(plan)
    assert bench.everything() == {".trash": None, ".trash/c.md": b"theirs"}


PATHS = ["a.md", "A.md", "b.md", "Sub/c.md", "New/Deep/d.canvas"]
DATA = st.sampled_from([b"", ODD, b"one\ntwo\n", b"one\r\ntwo\r\nthree", b"\xff\x00"])
WAYS = st.sampled_from(["create", "replace", "move", "delete", "trash"])
STEPS = st.lists(st.tuples(WAYS, st.sampled_from(PATHS), st.sampled_from(PATHS), DATA), min_size=1, max_size=8)


def carry_out(bench: Bench, way: str, path: str, to: str, data: bytes) -> RecordedChange | None:
    """Make the step where the files allow it."""
    tree = bench.tree()
    taken = {name.lower() for name in tree}
    if way == "create":
        return None if path.lower() in taken else bench.create(path, data)
    if path not in tree:
        return None
    match way:
        case "replace":
            return bench.replace(path, data)
        case "delete":
            return bench.delete(path)
        case "trash":
            return bench.trash(path)
    free = to.lower() not in taken - {path.lower()} and to != path
    return bench.move(path, to, data if data != ODD else None) if free else None


@given(STEPS)
@settings(max_examples=60, deadline=None)
def test_undone_at_once_all_is_as_it_was_and_undone_again_all_is_back(steps: list[tuple[str, str, str, bytes]]) -> None:
    with TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        try:
            bench.put("a.md", b"first")
            bench.put("Sub/c.md", ODD)
            bench.put(".trash/a.md", b"deleted by the user")
            before = bench.everything()
            changes = [change for step in steps if (change := carry_out(bench, *step)) is not None]
            try:
                bench.plan(*changes)
            except NothingToUndo:
                assert bench.everything() == before
            else:
                check_there_and_back(bench, before, *changes)
        finally:
            bench.journal.close()
