"""The event log: nothing is heard twice, nothing is missed without a word."""

import threading
from collections.abc import Sequence

import anyio
from hypothesis import given
from hypothesis import strategies as st

from sidecar.bridge.events import EventLog, Heard


def heard(log: EventLog, cursor: int, seconds: float = 0, client: str | None = None) -> Heard:
    return anyio.run(log.after, cursor, seconds, client)


def types(found: Heard) -> list[str]:
    return [event.type for event in found.events]


def test_a_client_hears_what_came_after_its_cursor() -> None:
    log = EventLog()
    start = log.cursor
    log.publish("a", {})
    log.publish("b", {"n": 1})
    found = heard(log, start)
    assert (types(found), found.reset, found.cursor) == (["a", "b"], False, log.cursor)
    assert types(heard(log, start + 1)) == ["b"]
    assert heard(log, found.cursor) == Heard(log.cursor, reset=False, events=())


def test_a_cursor_of_another_process_or_of_the_future_resets() -> None:
    before = EventLog(lambda: 1000.0)
    before.publish("a", {})
    now = EventLog(lambda: 1001.0)
    for cursor in (0, before.cursor, now.cursor + 1):
        assert heard(now, cursor, 5) == Heard(now.cursor, reset=True, events=())


def test_who_missed_more_than_is_kept_is_told_so() -> None:
    log = EventLog()
    start = log.cursor
    for _ in range(501):
        log.publish("a", {})
    assert heard(log, start).reset
    assert len(heard(log, start + 1).events) == 500


def test_an_event_for_one_client_is_heard_by_no_other() -> None:
    log = EventLog()
    start = log.cursor
    log.publish("write_request", {}, to="new")
    assert types(heard(log, start, client="new")) == ["write_request"]
    for other in ("old", None):
        assert heard(log, start, client=other) == Heard(log.cursor, reset=False, events=())


def test_waiting_ends_with_an_event_from_any_thread() -> None:
    log = EventLog()

    async def play() -> Heard:
        threading.Timer(0.05, log.publish, ("late", {})).start()
        with anyio.fail_after(5):
            return await log.after(log.cursor, 25)

    assert types(anyio.run(play)) == ["late"]


def test_an_event_for_another_client_does_not_end_the_waiting() -> None:
    log = EventLog()
    start = log.cursor

    async def play() -> Heard:
        threading.Timer(0.05, log.publish, ("theirs", {}, "other")).start()
        threading.Timer(0.1, log.publish, ("mine", {}, "me")).start()
        with anyio.fail_after(5):
            return await log.after(start, 25, "me")

    assert types(anyio.run(play)) == ["mine"]


def test_waiting_ends_when_the_log_is_closed() -> None:
    log = EventLog()

    async def play() -> Heard:
        threading.Timer(0.05, log.close).start()
        with anyio.fail_after(5):
            return await log.after(log.cursor, 25)

    assert anyio.run(play) == Heard(log.cursor, reset=False, events=())


@given(st.lists(st.one_of(st.just("publish"), st.sampled_from(["poll", "skip"])), max_size=60))
def test_each_event_is_heard_once_and_in_order(steps: Sequence[str]) -> None:
    log = EventLog()

    async def play() -> list[int]:
        cursor, got = log.cursor, list[int]()
        for step in (*steps, "poll"):
            if step == "publish":
                log.publish("e", {})
            elif step == "poll":
                found = await log.after(cursor, 0)
                cursor = found.cursor
                got += [event.id for event in found.events]
        return got

    first = log.cursor + 1
    assert anyio.run(play) == list(range(first, first + steps.count("publish")))
