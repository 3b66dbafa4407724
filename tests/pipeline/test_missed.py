from sidecar.model.path import VaultPath as P
from sidecar.pipeline.missed import Missed, MissedFiles


def test_what_no_event_named_was_missed() -> None:
    missed = Missed()
    missed.found([P("a"), P("b")], now=0)
    assert missed.files(14) == MissedFiles()
    assert missed.files(16) == MissedFiles(2, (P("a"), P("b")))


def test_an_event_may_still_come() -> None:
    missed = Missed()
    missed.found([P("a"), P("b")], now=0)
    missed.told([P("a"), P("other")], now=1)
    assert missed.files(16) == MissedFiles(1, (P("b"),))


def test_an_event_for_everything_names_all() -> None:
    missed = Missed()
    missed.found([P("a")], now=0)
    missed.told(None, now=1)
    assert missed.files(16) == MissedFiles()


def test_a_late_event_changes_nothing() -> None:
    missed = Missed()
    missed.found([P("a")], now=0)
    missed.told([P("a")], now=20)
    assert missed.files(20).count == 1


def test_the_last_five_are_named() -> None:
    missed = Missed()
    for n in range(7):
        missed.found([P(str(n))], now=20 * n)
    assert missed.files(200) == MissedFiles(7, tuple(P(str(n)) for n in range(2, 7)))
