import threading
import time
from collections.abc import Callable, Iterator

import pytest

from sidecar.pipeline.reconciler import Reconciler

CEILING = 5


class Comparisons:
    def __init__(self) -> None:
        self.asked: list[bool] = []
        self.gate = threading.Event()
        self.gate.set()
        self.errors: list[Exception] = []
        self.hold_due: float | None = None

    def __call__(self, is_asked: bool) -> None:
        self.asked.append(is_asked)
        assert self.gate.wait(CEILING)
        if self.errors:
            raise self.errors.pop()


@pytest.fixture
def comparisons() -> Comparisons:
    return Comparisons()


@pytest.fixture
def reconciler(comparisons: Comparisons) -> Iterator[Reconciler]:
    reconciler = Reconciler(comparisons, lambda: comparisons.hold_due)
    yield reconciler
    comparisons.gate.set()
    reconciler.close()


def wait(until: Callable[[], bool]) -> None:
    end = time.monotonic() + CEILING
    while not until():
        assert time.monotonic() < end
        time.sleep(0.005)


def test_it_compares_when_asked_on_its_own_thread(reconciler: Reconciler, comparisons: Comparisons) -> None:
    assert reconciler.settle(0), "nothing was asked"
    comparisons.gate.clear()
    reconciler.ask()
    assert not reconciler.settle(0)
    comparisons.gate.set()
    assert reconciler.settle(CEILING)
    assert comparisons.asked == [True]


def test_many_wishes_are_one_comparison_and_one_more(reconciler: Reconciler, comparisons: Comparisons) -> None:
    comparisons.gate.clear()
    reconciler.ask()
    wait(lambda: len(comparisons.asked) == 1)
    for _ in range(10):
        reconciler.ask()
    comparisons.gate.set()
    assert reconciler.settle(CEILING)
    assert comparisons.asked == [True, True]


def test_all_but_the_first_wait_for_agents_at_work_though_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    comparisons, busy = Comparisons(), True
    reconciler = Reconciler(comparisons, lambda: None, is_busy=lambda: busy)
    reconciler.ask()
    assert reconciler.settle(CEILING), "the first one waits for nobody"
    reconciler.ask()
    assert not reconciler.settle(0.3)
    assert comparisons.asked == [True]
    busy = False
    assert reconciler.settle(CEILING)
    busy = True
    monkeypatch.setattr("sidecar.pipeline.reconciler._LONGEST_COURTESY", 0.2)
    reconciler.ask()
    assert reconciler.settle(CEILING)
    assert comparisons.asked == [True, True, True]
    reconciler.close()


def test_a_failed_comparison_is_made_again(
    reconciler: Reconciler, comparisons: Comparisons, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reconciler._times, "retry_after", 0.01)
    comparisons.errors.append(ValueError("unexpected"))
    reconciler.ask()
    wait(lambda: len(comparisons.asked) == 2)
    assert comparisons.asked == [True, True]


def test_a_hold_is_looked_at_in_time(reconciler: Reconciler, comparisons: Comparisons) -> None:
    reconciler.ask()
    assert reconciler.settle(CEILING)
    comparisons.hold_due = time.monotonic()
    reconciler.start()
    reconciler.succeeded()
    with reconciler._changed:
        reconciler._changed.notify_all()
    wait(lambda: len(comparisons.asked) >= 2)
    comparisons.hold_due = None
    assert comparisons.asked[1] is True


def test_now_and_then_it_compares_by_itself(
    reconciler: Reconciler, comparisons: Comparisons, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sidecar.pipeline.timetable._SHORTEST_INTERVAL", 0.01)
    reconciler.start()
    wait(lambda: len(comparisons.asked) >= 2)
    assert not any(comparisons.asked)


def test_after_closing_nothing_is_compared(reconciler: Reconciler, comparisons: Comparisons) -> None:
    reconciler.close()
    reconciler.ask()
    assert reconciler.settle(0)
    assert comparisons.asked == []
