import threading

import pytest

from sidecar.model.file import FileState
from sidecar.model.path import VaultPath as P
from sidecar.pipeline.pending import CHANGED, GONE, LATER, Look, Pending


def test_paths_come_out_once_in_their_order_with_the_newest_reason() -> None:
    pending = Pending()
    assert pending.add({P("a"): CHANGED, P("b"): CHANGED}) is True
    assert pending.add({P("c"): CHANGED, P("a"): GONE}) is False
    assert pending.counts == (3, 3)
    assert [pending.take() for _ in range(4)] == [(P("a"), GONE), (P("b"), CHANGED), (P("c"), CHANGED), None]


def test_work_ends_only_when_nothing_waits() -> None:
    pending = Pending()
    assert pending.settle(0)
    pending.add({P("a"): CHANGED})
    assert not pending.settle(0)
    assert not pending.finish()
    pending.take()
    assert not pending.settle(0), "it is being looked at"
    assert pending.finish()
    assert pending.settle(0)
    assert pending.counts == (0, 0)
    assert pending.add({P("b"): CHANGED}) is True


def test_nothing_to_add_starts_no_work() -> None:
    pending = Pending()
    assert pending.add({}) is False
    assert pending.settle(0)


def test_paths_looked_at_by_other_means_do_not_come() -> None:
    pending = Pending()
    pending.add({P("a"): CHANGED, P("b"): CHANGED})
    pending.take_these([P("a"), P("never there")])
    assert pending.take() == (P("b"), CHANGED)
    assert pending.taken == {P("a"), P("b"), P("never there")}
    pending.published()
    assert pending.taken == set()


def test_what_may_be_forgotten_is_leaving_until_it_is_published() -> None:
    pending = Pending()
    pending.add({P("a"): GONE, P("b"): CHANGED, P("c"): GONE})
    pending.take()
    assert pending.leaving == {P("a"), P("c")}
    pending.published()
    assert pending.leaving == {P("c")}


def test_after_a_failure_nothing_waits() -> None:
    pending = Pending()
    pending.add({P("a"): CHANGED, P("b"): CHANGED})
    pending.take()
    pending.drop()
    assert pending.take() is None
    assert pending.taken == set()
    assert pending.finish()


def lacking(*, urgent: bool = False) -> Look:
    return Look(is_unindexed=True, known=FileState(1, 2, 3, "hash"), is_urgent=urgent)


@pytest.mark.parametrize(
    ("comes", "waits", "is_to_be_done"),
    [
        (CHANGED, None, CHANGED),
        (CHANGED, GONE, CHANGED),
        (GONE, CHANGED, GONE),
        (CHANGED, lacking(), lacking()),
        (CHANGED, lacking(urgent=True), lacking(urgent=True)),
        (GONE, lacking(), Look(may_be_gone=True, is_unindexed=True, known=lacking().known)),
        (lacking(), lacking(urgent=True), lacking()),
    ],
)
def test_what_the_index_lacks_it_lacks_until_it_was_looked_at(
    comes: Look, waits: Look | None, is_to_be_done: Look
) -> None:
    path, pending = P("a"), Pending()
    pending.add({path: waits} if waits else {})
    pending.add({path: comes})
    assert pending.take() == (path, is_to_be_done)


def test_a_look_at_once_does_what_waited_too() -> None:
    pending = Pending()
    pending.add({P("a"): lacking(), P("b"): CHANGED})
    looks = pending.take_these([P("a"), P("b"), P("c")], later=frozenset({P("b")}))
    assert looks == {P("a"): GONE.after(lacking()), P("b"): LATER, P("c"): GONE}
    assert pending.take() is None


def test_what_is_lent_is_looked_at_with_its_reason_when_someone_else_does_it() -> None:
    pending = Pending()
    pending.add({P("a"): lacking(), P("b"): lacking()})
    assert pending.lend(lambda *_: True, 2) == (P("a"), P("b"))
    assert pending.take_these([P("a")]) == {P("a"): GONE.after(lacking())}
    assert pending.counts == (1, 2)


def test_urgent_ones_come_first_and_can_be_waited_for() -> None:
    pending = Pending()
    pending.add({P("a"): CHANGED, P("b"): CHANGED})
    assert pending.settle_urgent(0)
    pending.add({P("c"): lacking(urgent=True), P("b"): lacking(urgent=True)})
    assert (pending.waiting, pending.urgent) == ((P("c"), P("b"), P("a")), 2)
    pending.take()
    pending.take()
    assert not pending.settle_urgent(0), "they are not published yet"
    threading.Timer(0.02, pending.published).start()
    assert pending.settle_urgent(10)
    assert pending.waiting == (P("a"),)


def test_after_a_failure_nobody_waits() -> None:
    pending = Pending()
    pending.add({P("a"): lacking(urgent=True)})
    threading.Timer(0.02, pending.drop).start()
    assert pending.settle_urgent(10)
