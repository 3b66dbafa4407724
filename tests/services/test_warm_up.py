import asyncio
import threading
import time

from sidecar.errors import Invalid
from sidecar.model.path import VaultPath
from sidecar.services.threads import Threads
from sidecar.services.warm_up import WarmUp
from tests.conftest import Served


def test_the_work_is_done_once_and_when_all_is_settled() -> None:
    settled, quiet = iter([False, False, True]), iter([0.0, 9.0, 9.0, 9.0])
    done: list[str] = []
    finished = threading.Event()

    def fails() -> None:
        done.append("fails")
        raise Invalid("no")

    works = (fails, lambda: done.append("works"), finished.set)
    warm_up = WarmUp(works, lambda: next(settled), lambda: next(quiet), pause=0.001)
    warm_up.start()
    assert finished.wait(5)
    warm_up.close()
    assert done == ["fails", "works"]
    assert next(settled, None) is next(quiet, None) is None


def test_nothing_is_done_when_it_is_given_up_before() -> None:
    done: list[int] = []
    warm_up = WarmUp((lambda: done.append(1),), lambda: True, lambda: 99, pause=60)
    warm_up.start()
    warm_up.close()
    assert done == []


def test_one_that_never_began_can_be_given_up() -> None:
    WarmUp((), lambda: True, lambda: 99).close()


def test_whoever_asks_ends_the_quiet() -> None:
    threads = Threads()
    time.sleep(0.01)
    before = threads.quiet_seconds
    assert before >= 0.01
    asyncio.run(threads.read(int))
    assert threads.quiet_seconds < before
    threads.close()


def test_what_is_prepared_is_what_the_question_needs(served: Served) -> None:
    served.write("A.md", "[[B]]")
    served.write("B.md", "x")
    links = served.open().services.links
    links.prepare()
    (_, graph), *others = links._graph._kept.values()
    assert not others
    assert graph.incoming == {VaultPath("B.md"): ["A.md"]}
    served.ok("links", direction="hubs")
    assert [kept for _, kept in links._graph._kept.values()] == [graph]
