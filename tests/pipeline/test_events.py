import pytest

from sidecar.model.path import VaultPath
from sidecar.model.ports import Changed
from sidecar.pipeline.events import EventHub

EVENT = Changed((VaultPath("a.md"),), 1)


def test_all_listeners_hear_until_they_leave() -> None:
    hub, heard = EventHub[Changed](), list[str]()
    leave = hub.subscribe(lambda _: heard.append("first"))
    hub.subscribe(lambda _: heard.append("second"))
    hub.publish(EVENT)
    leave()
    leave()
    hub.publish(EVENT)
    assert heard == ["first", "second", "second"]


def test_a_listener_that_fails_keeps_nobody_from_hearing(caplog: pytest.LogCaptureFixture) -> None:
    hub, heard = EventHub[Changed](), list[Changed]()

    def fail(_: Changed) -> None:
        raise RuntimeError

    hub.subscribe(fail)
    hub.subscribe(heard.append)
    hub.publish(EVENT)
    assert heard == [EVENT]
    assert "listener" in caplog.text
