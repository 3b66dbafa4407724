import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sidecar.errors import NotFound, Refused
from sidecar.journal import proposals as module
from sidecar.journal.proposals import ProposalStore, is_proposal
from sidecar.model.change import Author, ChangeSet, Entry, Op
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath as P
from sidecar.model.proposal import ProposalNews, ProposalState

DAY = 24 * 3600 * 10**9
OLD = b"\xef\xbb\xbfold\r\n"
CHANGE = ChangeSet(
    "move_note",
    (
        Entry(Op.CREATE, P("a.md"), None, b"new"),
        Entry(Op.REPLACE, P("b.md"), checksum(OLD), b"other"),
        Entry(Op.MOVE, P("c.md"), checksum(b"c"), None, P("d.md")),
        Entry(Op.TRASH, P("e.md"), checksum(b"e"), None, P(".trash/e.md")),
    ),
    "a summary",
    "a reason",
    ("id1",),
    folders=(P("F"),),
    emptied=(P("G/H"), P("G")),
    mended=(P("b.md"),),
    system_trash=True,
)
AUTHOR = Author("client", "session")
BEFORE = {P("b.md"): OLD, P("c.md"): b"c", P("e.md"): b"e"}


class Bench:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "proposals" / "p.sqlite3"
        self.now = 1000 * DAY
        self.news: list[ProposalNews] = []
        self.store = self.opened()

    def opened(self) -> ProposalStore:
        return ProposalStore(self.path, lambda: self.now, self.news.append)


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.store.close()


def test_a_proposal_comes_back_whole_after_a_restart(bench: Bench) -> None:
    kept = bench.store.add(CHANGE, AUTHOR, BEFORE)
    bench.store.close()
    bench.store = bench.opened()
    found = bench.store.get(kept.id)
    assert found == kept
    assert (found.change, found.author, found.before) == (CHANGE, AUTHOR, {P("b.md"): OLD})
    assert (found.state, found.at, found.expires) == (ProposalState.WAITING, bench.now, bench.now + 30 * DAY)
    assert is_proposal(found.id)
    assert not is_proposal("0abc")


def test_only_the_owner_can_read_it(bench: Bench) -> None:
    bench.store.add(CHANGE, AUTHOR, BEFORE)
    for file in bench.path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(bench.path.parent.stat().st_mode) == 0o700


def test_the_same_plan_waits_once_but_may_be_proposed_again_when_it_was_rejected(bench: Bench) -> None:
    first = bench.store.add(CHANGE, AUTHOR, BEFORE)
    assert bench.store.add(CHANGE, AUTHOR, BEFORE) == first
    assert bench.store.add(CHANGE, Author("another", "s"), BEFORE) != first
    bench.store.finish(first.id, ProposalState.REJECTED, answer="no")
    again = bench.store.add(CHANGE, AUTHOR, BEFORE)
    assert again.id != first.id
    assert [(n.id, n.state) for n in bench.news if n.id == first.id] == [(first.id, "waiting"), (first.id, "rejected")]


def test_it_expires_after_thirty_days_and_its_outcome_is_forgotten_later(bench: Bench) -> None:
    kept = bench.store.add(CHANGE, AUTHOR, BEFORE)
    bench.now += 30 * DAY - 1
    bench.store.expire()
    assert bench.store.get(kept.id).state is ProposalState.WAITING
    bench.now += 1
    bench.store.expire()
    ended = bench.store.get(kept.id)
    assert (ended.state, ended.decided) == (ProposalState.EXPIRED, bench.now)
    assert bench.news[-1] == ProposalNews(kept.id, ProposalState.EXPIRED)
    bench.now += 90 * DAY
    bench.store.expire()
    with pytest.raises(NotFound):
        bench.store.get(kept.id)
    with closing(sqlite3.connect(bench.path)) as connection, connection:
        assert connection.execute("SELECT count(*) FROM blobs").fetchone() == (0,)


def test_one_that_is_being_carried_out_does_not_expire(bench: Bench) -> None:
    kept = bench.store.add(CHANGE, AUTHOR, BEFORE)
    bench.store.begin(kept.id, is_partial=True)
    bench.now += 40 * DAY
    bench.store.expire()
    assert [p.id for p in bench.store.begun()] == [kept.id]
    bench.store.release(kept.id)
    assert bench.store.begun() == ()
    assert not bench.store.get(kept.id).is_partial
    bench.store.expire()
    assert bench.store.get(kept.id).state is ProposalState.EXPIRED


def test_lists_are_newest_first_and_by_state(bench: Bench) -> None:
    ids = []
    for number in range(3):
        bench.now += 1
        ids.append(bench.store.add(CHANGE, Author(f"c{number}", "s"), BEFORE).id)
    bench.store.finish(ids[1], ProposalState.ACCEPTED, recorded="xyz")
    assert [p.id for p in bench.store.list(None, 10)] == ids[::-1]
    assert [p.id for p in bench.store.list(ProposalState.WAITING, 10)] == [ids[2], ids[0]]
    assert [p.recorded for p in bench.store.list(ProposalState.ACCEPTED, 10)] == ["xyz"]
    assert len(bench.store.list(None, 2)) == 2


def test_no_agent_can_fill_the_disk(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_WAITING", 2)
    first = bench.store.add(CHANGE, Author("a", "s"), BEFORE)
    bench.store.add(CHANGE, Author("b", "s"), BEFORE)
    with pytest.raises(Refused):
        bench.store.add(CHANGE, Author("c", "s"), BEFORE)
    assert bench.store.add(CHANGE, Author("a", "s"), BEFORE) == first
    bench.store.finish(first.id, ProposalState.REJECTED)
    bench.store.add(CHANGE, Author("c", "s"), BEFORE)
    monkeypatch.setattr(module, "_MOST_WAITING", 500)
    monkeypatch.setattr(module, "_MOST_BYTES", 10)
    with pytest.raises(Refused):
        bench.store.add(CHANGE, Author("d", "s"), BEFORE)


def test_odd_characters_of_an_agent_do_not_break_it(bench: Bench) -> None:
    change = ChangeSet("t", CHANGE.entries, "a \ud800 b", "\udfff", mended=CHANGE.mended)
    kept = bench.store.add(change, Author("\ud800", "s"), BEFORE)
    assert (kept.change.summary, kept.change.reason, kept.author.client) == ("a ? b", "?", "?")
    assert bench.store.finish(kept.id, ProposalState.REJECTED, answer="\ud800").answer == "?"
