"""Parts of a change: hunks of a note add up to it, and what belongs together is never taken apart."""

import re
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.errors import Invalid, Refused, Stale
from sidecar.model.change import ChangeSet, Entry, Op
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath as P
from sidecar.services.choosing import chosen_of, is_whole, offered
from sidecar.services.hunks import hunks_of, with_hunks

OLD = b"".join(b"%d\n" % n for n in range(30))
NEW = OLD.replace(b"5\n", b"five\n", 1).replace(b"\n20\n", b"\ntwenty\n").replace(b"29\n", b"29")
TEXTS = st.lists(st.sampled_from(["a\n", "b\r\n", "c", "\n", "ä\n"]), max_size=40).map("".join).map(str.encode)


def replacing(path: str, before: bytes, after: bytes) -> Entry:
    return Entry(Op.REPLACE, P(path), checksum(before), after)


def change_of(*entries: Entry, mended: tuple[P, ...] = (), undoes: tuple[str, ...] = ()) -> ChangeSet:
    return ChangeSet("t", entries, "s", undoes=undoes, mended=mended)


def files(**named: bytes) -> Mapping[P, bytes]:
    return {P(f"{name}.md"): data for name, data in named.items()}


@given(TEXTS, TEXTS, st.data())
def test_hunks_add_up_in_any_order(before: bytes, after: bytes, data: st.DataObject) -> None:
    hunks = hunks_of(before, after) or ()
    numbers = range(len(hunks))
    assert with_hunks(before, after, numbers) == after
    chosen = data.draw(st.sets(st.sampled_from(numbers))) if hunks else set()
    part = with_hunks(before, after, chosen)
    if not chosen:
        assert part == (before if hunks else after)
    shown: list[str] = []
    position = 0
    for number, hunk in enumerate(hunks):
        left_out = "-" if number in chosen else "+"
        shown += lines_of(before)[position : hunk.old_start - 1]
        shown += [line.text for line in hunk.lines if line.kind != left_out]
        position = hunk.old_start - 1 + sum(line.kind != "+" for line in hunk.lines)
    if hunks:
        assert lines_of(part) == shown + lines_of(before)[position:]


def lines_of(data: bytes) -> list[str]:
    return [line.removesuffix("\n").removesuffix("\r") for line in re.findall(r"[^\n]*\n|[^\n]+", data.decode())]


def test_ids_say_what_a_hunk_says_wherever_it_stands() -> None:
    entry = replacing("a.md", OLD, NEW)
    first = offered(change_of(entry), entry, OLD).hunks
    assert len(first) == len(set(first)) == 3
    shifted = replacing("a.md", b"top\n" * 9 + OLD, b"top\n" * 9 + NEW)
    assert offered(change_of(shifted), shifted, b"top\n" * 9 + OLD).hunks == first
    twice = replacing("a.md", b"x\n" * 40, b"y\n" + b"x\n" * 38 + b"y\n")
    assert len(set(offered(change_of(twice), twice, b"x\n" * 40).hunks)) == 2


def test_chosen_hunks_alone_are_made() -> None:
    entry = replacing("a.md", OLD, NEW)
    change, now = change_of(entry), files(a=OLD)
    ids = offered(change, entry, OLD).hunks
    part = chosen_of(change, {P("a.md"): [ids[1]]}, now.get)
    assert part.entries == (replacing("a.md", OLD, OLD.replace(b"\n20\n", b"\ntwenty\n")),)
    for everything in (None, ids, ids[::-1]):
        assert chosen_of(change, {P("a.md"): everything}, now.get) == change
    with pytest.raises(Stale):
        chosen_of(change, {P("a.md"): [ids[0], "gone-1"]}, now.get)
    with pytest.raises(Stale):
        chosen_of(change, {P("b.md"): None}, now.get)
    nothings: list[dict[P, list[str]]] = [{}, {P("a.md"): []}]
    for nothing in nothings:
        with pytest.raises(Invalid):
            chosen_of(change, nothing, now.get)


def test_files_can_be_chosen_and_mended_links_follow_what_is_new() -> None:
    made, mend = Entry(Op.CREATE, P("new.md"), None, b"n"), replacing("m.md", b"[[a]]", b"[[b]]")
    other = replacing("a.md", OLD, NEW)
    change, now = change_of(made, other, mend, mended=(P("m.md"),)), files(a=OLD, m=b"[[a]]")
    assert chosen_of(change, {P("new.md"): None}, now.get).entries == (made, mend)
    assert chosen_of(change, {P("a.md"): None, P("m.md"): None}, now.get).entries == (other,)
    assert offered(change, mend, b"[[a]]").is_whole


@pytest.mark.parametrize(
    "entry",
    [
        replacing("a.canvas", OLD, NEW),
        replacing("a.base", OLD, NEW),
        Entry(Op.TRASH, P("a.md"), checksum(OLD), None, P(".trash/a.md")),
    ],
)
def test_what_would_break_in_parts_is_taken_as_a_whole(entry: Entry) -> None:
    change, now = change_of(entry), {entry.path: OLD}
    file = offered(change, entry, OLD)
    assert file.is_whole
    assert chosen_of(change, {entry.path: file.hunks}, now.get) == change
    with pytest.raises(Invalid):
        chosen_of(change, {entry.path: []}, now.get)
    if len(file.hunks) > 1:
        with pytest.raises(Invalid):
            chosen_of(change, {entry.path: file.hunks[:1]}, now.get)


@pytest.mark.parametrize(
    "change",
    [
        change_of(Entry(Op.MOVE, P("a.md"), checksum(OLD), None, P("b.md")), replacing("c.md", OLD, NEW)),
        change_of(replacing("c.md", OLD, NEW), undoes=("id",)),
    ],
)
def test_a_move_and_an_undo_have_no_parts(change: ChangeSet) -> None:
    assert is_whole(change)
    with pytest.raises(Invalid):
        chosen_of(change, {P("c.md"): None}, files(c=OLD).get)


def test_hunks_that_would_break_the_properties_are_refused() -> None:
    filler = b"".join(b"k%d: 1\n" % n for n in range(20))
    old = b"---\na: 1\n" + filler + b"z: 1\n---\ntext\n"
    new = b"---\na: |\n" + filler.replace(b"k", b"  k") + b"z: 1\n---\ntext\n"
    entry = replacing("a.md", old, new)
    ids = offered(change_of(entry), entry, old).hunks
    assert len(ids) == 1  # one block of lines cannot be parted
    new = old.replace(b"a: 1", b'a: "x').replace(b"z: 1", b'  z"')
    entry = replacing("a.md", old, new)
    ids = offered(change_of(entry), entry, old).hunks
    with pytest.raises(Refused):
        chosen_of(change_of(entry), {P("a.md"): ids[:1]}, files(a=old).get)


def test_a_diff_that_is_not_shown_to_its_end_is_taken_as_a_whole() -> None:
    old = b"".join(b"%d\n" % n for n in range(5000))
    entry = replacing("a.md", old, old.replace(b"1", b"one"))
    file = offered(change_of(entry), entry, old)
    assert file.diff.more > 0
    assert file.is_whole
    assert len(file.hunks) == len(file.diff.hunks)
