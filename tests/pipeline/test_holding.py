from collections.abc import Iterable

import pytest

from sidecar.model.path import VaultPath as P
from sidecar.pipeline.holding import DeletionHold


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def hold(clock: Clock) -> DeletionHold:
    return DeletionHold(clock)


def files(numbers: Iterable[int]) -> frozenset[P]:
    return frozenset(P(f"{n}.md") for n in numbers)


@pytest.mark.parametrize(
    ("vanished", "notes", "passes"),
    [
        (0, 0, True),
        (20, 20, True),
        (21, 21, False),
        (21, 69, False),
        (21, 70, True),
        (300, 1000, True),
        (301, 1000, False),
    ],
)
def test_more_than_20_and_more_than_30_percent_are_not_believed(
    hold: DeletionHold, vanished: int, notes: int, passes: bool
) -> None:
    assert hold.passes(vanished, lambda: notes) == passes
    gone = files(range(vanished))
    assert hold.judge(gone, vanished, lambda: notes) == (gone if passes else set())
    assert (hold.held is None) == passes


def test_what_is_still_gone_a_minute_later_is_believed(hold: DeletionHold, clock: Clock) -> None:
    gone = files(range(50))
    assert not hold.judge(gone, 50, lambda: 100)
    assert hold.held is not None
    assert (hold.held.files, hold.held.seconds, hold.held.reason) == (50, 60, "50 of 100 notes vanished at once")
    clock.now += 59
    assert not hold.judge(gone, 50, lambda: 100)
    assert hold.due == 1060
    clock.now += 1
    assert hold.judge(gone, 50, lambda: 100) == gone
    assert hold.held is None


def test_files_that_come_back_end_the_hold(hold: DeletionHold, clock: Clock) -> None:
    hold.judge(files(range(50)), 50, lambda: 100)
    clock.now += 10
    assert hold.judge(files(range(3)), 3, lambda: 100) == files(range(3))
    assert hold.held is None


def test_only_what_is_gone_both_times_is_believed(hold: DeletionHold, clock: Clock) -> None:
    hold.judge(files(range(50)), 50, lambda: 100)
    clock.now += 60
    assert hold.judge(files(range(10, 60)), 50, lambda: 100) == files(range(10, 50))


def test_while_something_is_held_no_event_deletes(hold: DeletionHold) -> None:
    hold.judge(files(range(50)), 50, lambda: 100)
    assert not hold.passes(1, lambda: 100)


def test_a_missing_root_is_held_and_then_an_empty_one_as_well(hold: DeletionHold, clock: Clock) -> None:
    hold.root_is_missing("not there")
    assert hold.held is not None
    assert (hold.held.reason, hold.due) == ("not there", 1060)
    clock.now += 60
    hold.root_is_missing("not there")
    assert hold.due == 1120
    clock.now += 60
    gone = files(range(50))
    assert not hold.judge(gone, 50, lambda: 50)
    assert hold.due == 1180
    clock.now += 60
    assert hold.judge(gone, 50, lambda: 50) == gone
