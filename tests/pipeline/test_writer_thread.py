import threading
from concurrent.futures import CancelledError

import pytest

from sidecar.pipeline.writer_thread import WriterThread


def test_agents_jobs_overtake_background_work_and_keep_their_order() -> None:
    writer, gate, order = WriterThread("w"), threading.Event(), list[int]()
    writer.submit(gate.wait)
    for n in (10, 11):
        writer.submit_background(lambda n=n: order.append(n))  # type: ignore[misc]
    last = [writer.submit(lambda n=n: order.append(n)) for n in (1, 2)]  # type: ignore[misc]
    gate.set()
    last[-1].result()
    writer.submit_background(lambda: None).result()
    assert order == [1, 2, 10, 11]
    writer.close()


def test_a_failing_job_is_its_callers_business_only() -> None:
    writer = WriterThread("w")

    def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        writer.submit(fail).result()
    assert writer.submit(writer.here).result() is True
    assert not writer.here()
    writer.close()


def test_closing_finishes_agents_jobs_and_drops_background_work() -> None:
    writer, gate, done = WriterThread("w"), threading.Event(), list[str]()
    writer.submit(gate.wait)
    dropped = writer.submit_background(lambda: done.append("background"))
    writer.submit(lambda: done.append("agent"))
    threading.Timer(0.05, gate.set).start()
    writer.close()
    assert done == ["agent"]
    with pytest.raises(CancelledError):
        dropped.result()


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_idle_jobs_wait_until_agents_have_paused_and_all_other_work_is_done() -> None:
    clock, order = Clock(), list[str]()
    writer = WriterThread("w", quiet=2, clock=clock)
    writer.submit(lambda: order.append("agent")).result(5)
    idle = writer.submit_idle(lambda: order.append("idle"))
    writer.submit_background(lambda: order.append("background")).result(5)
    assert order == ["agent", "background"]
    assert writer.quiet_seconds == 0
    clock.now = 2
    writer.submit_background(lambda: order.append("background")).result(5)
    idle.result(5)
    assert order == ["agent", "background", "background", "idle"]
    writer.close()


def test_without_agents_idle_jobs_run_at_once_and_closing_drops_those_that_wait() -> None:
    clock = Clock()
    writer = WriterThread("w", quiet=2, clock=clock)
    assert writer.quiet_seconds == float("inf")
    assert writer.submit_idle(lambda: 7).result(5) == 7
    writer.submit(lambda: None)
    dropped = writer.submit_idle(lambda: None)
    writer.close()
    with pytest.raises(CancelledError):
        dropped.result()


def test_held_background_work_waits_while_agents_go_on() -> None:
    writer = WriterThread("w", quiet=0)
    writer.hold(held=True)
    background, idle = writer.submit_background(lambda: 1), writer.submit_idle(lambda: 2)
    assert writer.submit(lambda: 3).result(5) == 3
    assert writer.is_held
    assert not background.done()
    writer.hold(held=False)
    assert (background.result(5), idle.result(5)) == (1, 2)
    writer.hold(held=True)
    dropped = writer.submit_background(lambda: 4)
    writer.close()
    with pytest.raises(CancelledError):
        dropped.result()
