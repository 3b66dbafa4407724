from sidecar.model.path import VaultPath as P
from sidecar.pipeline.pending import CHANGED, GONE, Look, Pending


def filled(*names: str) -> Pending:
    pending = Pending()
    assert pending.add({P(name): CHANGED for name in names})
    return pending


def test_only_many_are_lent_and_only_those_wanted() -> None:
    pending = filled("a", "b", "c")
    assert pending.lend(lambda *_: True, 4) == ()
    assert pending.lend(lambda path, _: path != "b", 3) == ()
    assert pending.lend(lambda path, look: path != "b" and look == CHANGED, 2) == ("a", "c")
    assert pending.counts == (3, 3)
    assert pending.take() == ("b", CHANGED)
    assert pending.take() is None


def test_the_work_is_done_when_all_are_given_back() -> None:
    pending = filled("a", "b")
    pending.lend(lambda *_: True, 2)
    assert not pending.finish()
    pending.give_back([P("a")])
    assert (pending.counts, pending.finish(), pending.settle(0)) == ((1, 2), False, False)
    pending.give_back([P("b"), P("never lent")])
    assert (pending.counts, pending.finish(), pending.settle(0)) == ((0, 2), True, True)


def test_what_is_added_again_waits_until_it_is_given_back() -> None:
    pending = filled("a", "b")
    pending.lend(lambda *_: True, 2)
    again = Look(is_unindexed=True)
    assert not pending.add({P("a"): GONE, P("c"): CHANGED})
    pending.add({P("a"): again})
    assert [pending.take(), pending.take()] == [("c", CHANGED), None]
    pending.give_back([P("b"), P("a")])
    assert [pending.take(), pending.take()] == [("a", again), None]


def test_who_looks_at_once_needs_not_wait() -> None:
    pending = filled("a", "b")
    pending.lend(lambda *_: True, 2)
    pending.add({P("a"): CHANGED})
    pending.take_these([P("a")])
    assert pending.counts == (1, 2)
    pending.give_back([P("a"), P("b")])
    assert pending.take() is None


def test_dropping_forgets_what_is_lent() -> None:
    pending = filled("a", "b")
    pending.lend(lambda *_: True, 2)
    pending.add({P("a"): CHANGED})
    pending.drop()
    assert (pending.counts[0], pending.finish()) == (0, True)
