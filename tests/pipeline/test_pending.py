from sidecar.model.path import VaultPath as P
from sidecar.pipeline.pending import CHANGED, GONE, Pending


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
