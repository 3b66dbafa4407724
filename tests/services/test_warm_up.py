import threading

from sidecar.errors import Invalid
from sidecar.model.path import VaultPath
from sidecar.services.warm_up import WarmUp
from tests.conftest import Served


def test_the_work_is_done_once_and_when_all_is_settled() -> None:
    settled = iter([False, False, True])
    done: list[str] = []
    finished = threading.Event()

    def fails() -> None:
        done.append("fails")
        raise Invalid("no")

    warm_up = WarmUp((fails, lambda: done.append("works"), finished.set), lambda: next(settled), pause=0.001)
    warm_up.start()
    assert finished.wait(5)
    warm_up.close()
    assert done == ["fails", "works"]
    assert next(settled, None) is None


def test_nothing_is_done_when_it_is_given_up_before() -> None:
    done: list[int] = []
    warm_up = WarmUp((lambda: done.append(1),), lambda: True, pause=60)
    warm_up.start()
    warm_up.close()
    assert done == []


def test_one_that_never_began_can_be_given_up() -> None:
    WarmUp((), lambda: True).close()


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
