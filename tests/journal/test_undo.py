from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.errors import Refused
from sidecar.journal.undo import NothingToUndo, UndoConflict
from sidecar.model.change import Author, ChangeSet, ChangeState, Entry, Op, RecordedChange
from sidecar.model.path import VaultPath as P
from tests.journal.builders import ODD, Bench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.journal.close()


def test_replaced_bytes_come_back_exactly(bench: Bench) -> None:
    bench.put("a.md", ODD)
    change = bench.replace("a.md", b"other")
    undo = bench.undo(change)
    assert bench.tree() == {"a.md": ODD}
    assert (undo.tool, undo.summary, undo.reason) == ("undo", "Undo: a test", "mistake")
    assert undo.undoes == (change.id,)
    assert bench.journal.change(change.id).undone_by == undo.id


def test_created_file_goes(bench: Bench) -> None:
    change = bench.create("New/a.md", b"x")
    bench.undo(change)
    assert bench.tree() == {}


def test_moved_and_edited_file_comes_back(bench: Bench) -> None:
    bench.put("a.md", ODD)
    change = bench.move("a.md", "New/b.md", b"edited")
    (entry,) = bench.plan(change).entries
    assert (entry.op, entry.path, entry.to, entry.after) == (Op.MOVE, "New/b.md", "a.md", ODD)
    bench.undo(change)
    assert bench.tree() == {"a.md": ODD}


def test_moved_file_that_was_edited_since_takes_its_edits_along(bench: Bench) -> None:
    bench.put("a.md", ODD)
    change = bench.move("a.md", "b.md")
    bench.put("b.md", ODD + b"!")
    bench.undo(change)
    assert bench.tree() == {"a.md": ODD + b"!"}


@pytest.mark.parametrize("to", [None, ".trash/a.md"])
def test_deleted_file_comes_back(bench: Bench, to: str | None) -> None:
    bench.put("a.md", ODD)
    changed = (bench.root / "a.md").stat().st_mtime_ns
    deletion = bench.trash("a.md", to)
    undo = bench.undo(deletion)
    assert bench.tree() == {"a.md": ODD}
    assert not (bench.root / ".trash").exists()
    assert to is None or (bench.root / "a.md").stat().st_mtime_ns == changed
    bench.undo(undo)
    assert bench.tree() == {}
    assert to is None or (bench.root / to).read_bytes() == ODD


def test_a_deleted_file_comes_back_when_the_trash_was_emptied(bench: Bench) -> None:
    bench.put("a.md", ODD)
    deletion = bench.trash("a.md", ".trash/a.md")
    bench.put(".trash/a.md", b"another")
    bench.undo(deletion)
    assert bench.tree() == {"a.md": ODD}
    assert (bench.root / ".trash/a.md").read_bytes() == b"another"


def test_undoing_an_undo_brings_the_change_back(bench: Bench) -> None:
    bench.put("a.md", ODD)
    change = bench.replace("a.md", b"other")
    undo = bench.undo(change)
    redo = bench.undo(undo)
    assert bench.tree() == {"a.md": b"other"}
    assert bench.journal.change(undo.id).undone_by == redo.id
    bench.undo(change)
    assert bench.tree() == {"a.md": ODD}


def test_later_edits_are_kept_where_lines_allow(bench: Bench) -> None:
    bench.put("a.md", b"one\r\ntwo\r\nthree\r\n")
    change = bench.replace("a.md", b"one\r\ntwo\r\nthree\r\nagent\r\n")
    bench.put("a.md", b"person\r\none\r\ntwo\r\nthree\r\nagent\r\n")
    bench.undo(change)
    assert bench.tree() == {"a.md": b"person\r\none\r\ntwo\r\nthree\r\n"}


def test_an_earlier_change_can_be_undone_alone(bench: Bench) -> None:
    bench.put("a.md", b"1\n2\n3\n")
    first = bench.replace("a.md", b"1x\n2\n3\n")
    bench.replace("a.md", b"1x\n2\n3y\n")
    bench.undo(first)
    assert bench.tree() == {"a.md": b"1\n2\n3y\n"}


def test_conflicting_edits_are_refused_with_a_diff(bench: Bench) -> None:
    bench.put("a.md", b"1\n2\n3\n")
    change = bench.replace("a.md", b"1\nagent\n3\n")
    bench.put("a.md", b"1\nperson\n3\n")
    with pytest.raises(UndoConflict) as conflict:
        bench.plan(change)
    assert isinstance(conflict.value, Refused)
    assert conflict.value.data["path"] == "a.md"
    assert conflict.value.data["diff"] == (
        "--- as the change left it\n+++ as it is now\n@@ -1,3 +1,3 @@\n 1\n-agent\n+person\n 3"
    )


def test_a_long_diff_is_cut(bench: Bench) -> None:
    change = bench.create("a.md", b"agent\n" * 100)
    bench.put("a.md", b"person\n" * 100)
    with pytest.raises(UndoConflict) as conflict:
        bench.plan(change)
    diff = str(conflict.value.data["diff"]).splitlines()
    assert len(diff) == 41
    assert diff[-1] == "… 163 more lines"


def test_created_file_that_was_edited_since_is_kept(bench: Bench) -> None:
    change = bench.create("a.md", b"agent\n")
    bench.put("a.md", b"agent\nperson\n")
    with pytest.raises(UndoConflict, match="edited since") as conflict:
        bench.plan(change)
    assert "+person" in str(conflict.value.data["diff"])


def test_what_is_gone_since_is_said(bench: Bench) -> None:
    bench.put("a.md", b"1")
    changes = [bench.replace("a.md", b"2"), bench.create("b.md", b"b"), bench.move("a.md", "c.md")]
    for path in ("b.md", "c.md"):
        (bench.root / path).unlink()
    for change in changes:
        with pytest.raises(UndoConflict, match="moved or deleted since"):
            bench.plan(change)


def test_a_place_that_is_taken_since_is_said(bench: Bench) -> None:
    bench.put("a.md", b"1")
    bench.put("b.md", b"2")
    changes = [bench.move("a.md", "c.md"), bench.trash("b.md")]
    bench.put("a.md", b"person's")
    bench.put("b.md", b"person's")
    for change in changes:
        with pytest.raises(UndoConflict, match="another file has"):
            bench.plan(change)


def test_what_is_restored_by_hand_needs_no_undo(bench: Bench) -> None:
    bench.put("a.md", b"1")
    bench.put("b.md", b"2")
    changes = [bench.replace("a.md", b"new"), bench.trash("b.md")]
    bench.put("a.md", b"1")
    bench.put("b.md", b"2")
    for change in changes:
        with pytest.raises(NothingToUndo, match="already as it was"):
            bench.plan(change)


def test_only_what_took_effect_once_can_be_undone(bench: Bench) -> None:
    with pytest.raises(NothingToUndo, match="no change"):
        bench.plan()
    change = bench.create("a.md", b"x")
    undo = bench.undo(change)
    with pytest.raises(NothingToUndo, match=f"undone already, by {undo.id}") as done:
        bench.plan(change)
    assert done.value.data == {"undone_by": undo.id}
    failed = bench.journal.begin(ChangeSet("t", (Entry(Op.CREATE, P("b.md"), None, b""),), "x"), Author("c", "s"), {})
    with pytest.raises(NothingToUndo, match="never took effect"):
        bench.plan(bench.journal.finish(failed.id, ChangeState.ROLLED_BACK))


def test_bytes_that_are_no_text_are_never_merged(bench: Bench) -> None:
    bench.put("a.png", b"\0\n1\n2\n")
    change = bench.replace("a.png", b"\0\n1\n2\nagent\n")
    bench.put("a.png", b"\0\nperson\n1\n2\nagent\n")
    with pytest.raises(UndoConflict):
        bench.plan(change)


def test_j10_a_canvas_is_never_merged_into_a_broken_one(bench: Bench) -> None:
    def canvas(nodes: str, edges: str) -> bytes:
        return f'{{\n\t"nodes":[\n{nodes}\n\t],\n\t"edges":[\n{edges}\n\t]\n}}'.encode()

    old = '\t\t{"id":"a"},'
    new = '\t\t{"id":"n"},'
    last = '\t\t{"id":"z"}'
    bench.put("c.canvas", canvas(f"{old}\n{last}", ""))
    change = bench.replace("c.canvas", canvas(f"{new}\n{old}\n{last}", ""))
    bench.put("c.canvas", canvas(f"{new}\n{old}\n{last}", '\t\t{"id":"e","fromNode":"a","toNode":"z"}'))
    bench.plan(change)
    bench.put("c.canvas", canvas(f"{new}\n{old}\n{last}", '\t\t{"id":"e","fromNode":"a","toNode":"n"}'))
    with pytest.raises(UndoConflict):
        bench.plan(change)
    bench.put("c.canvas", canvas(f"{new}\n{old}\n{last}", "\t\t{broken"))
    with pytest.raises(UndoConflict):
        bench.plan(change)


class TestSeveralAtOnce:
    def test_they_are_composed_to_one_entry_a_file(self, bench: Bench) -> None:
        bench.put("a.md", ODD)
        changes = [bench.replace("a.md", b"2"), bench.replace("a.md", b"3"), bench.create("b.md", b"b")]
        plan = bench.plan(*changes)
        assert [(entry.op, entry.path) for entry in plan.entries] == [(Op.TRASH, "b.md"), (Op.REPLACE, "a.md")]
        assert plan.undoes == tuple(change.id for change in reversed(changes))
        assert plan.summary == "Undo: 3 changes"
        bench.undo(*changes)
        assert bench.tree() == {"a.md": ODD}

    def test_a_chain_of_moves_is_one_move(self, bench: Bench) -> None:
        bench.put("a.md", ODD)
        changes = [bench.move("a.md", "b.md"), bench.replace("b.md", b"x"), bench.move("b.md", "c.md")]
        (entry,) = bench.plan(*changes).entries
        assert (entry.op, entry.path, entry.to) == (Op.MOVE, "c.md", "a.md")
        bench.undo(*changes)
        assert bench.tree() == {"a.md": ODD}

    def test_a_place_that_was_used_again(self, bench: Bench) -> None:
        bench.put("a.md", ODD)
        changes = [bench.move("a.md", "b.md"), bench.create("a.md", b"new")]
        bench.undo(*changes)
        assert bench.tree() == {"a.md": ODD}

    def test_created_and_deleted_again_is_nothing(self, bench: Bench) -> None:
        changes = [bench.create("a.md", b"x"), bench.trash("a.md")]
        with pytest.raises(NothingToUndo):
            bench.plan(*changes)

    def test_a_change_together_with_its_undo(self, bench: Bench) -> None:
        bench.put("a.md", ODD)
        change = bench.replace("a.md", b"x")
        undo = bench.undo(change)
        with pytest.raises(NothingToUndo):
            bench.plan(change, undo)


PATHS = ["a.md", "b.md", "Sub/c.md", "D.canvas"]
DATA = st.sampled_from([b"", ODD, b"one\ntwo\n", b"one\r\ntwo\r\nthree", b"\xff\x00", "é漢\n".encode()])
STEPS = st.lists(st.tuples(st.sampled_from(list(Op)), st.sampled_from(PATHS), st.sampled_from(PATHS), DATA), max_size=6)


def carry_out(bench: Bench, step: tuple[Op, str, str, bytes]) -> RecordedChange | None:
    """Make the step where the files allow it."""
    op, path, to, data = step
    tree = bench.tree()
    if op is Op.CREATE:
        return None if path in tree else bench.create(path, data)
    if path not in tree:
        return None
    if op is Op.REPLACE:
        return bench.replace(path, data)
    if op is Op.TRASH:
        return bench.trash(path)
    return None if to in tree else bench.move(path, to, data if data != ODD else None)


@given(STEPS)
@settings(max_examples=25, deadline=None)
def test_undoing_all_changes_newest_first_restores_every_byte(steps: list[tuple[Op, str, str, bytes]]) -> None:
    with TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        try:
            bench.put("a.md", ODD)
            trees, changes = [bench.tree()], []
            for step in steps:
                change = carry_out(bench, step)
                if change is not None:
                    changes.append(change)
                    trees.append(bench.tree())
            for change, before, after in zip(reversed(changes), trees[-2::-1], trees[:0:-1], strict=True):
                if before == after:
                    continue
                bench.undo(change)
                assert bench.tree() == before
        finally:
            bench.journal.close()


@given(STEPS)
@settings(max_examples=25, deadline=None)
def test_undoing_all_changes_at_once_restores_every_byte(steps: list[tuple[Op, str, str, bytes]]) -> None:
    with TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        try:
            bench.put("a.md", ODD)
            before = bench.tree()
            changes = [change for step in steps if (change := carry_out(bench, step)) is not None]
            if bench.tree() != before:
                bench.undo(*changes)
            assert bench.tree() == before
        finally:
            bench.journal.close()
