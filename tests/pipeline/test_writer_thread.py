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
