"""What happens in a vault becomes events."""

from typing import Any

import anyio

from sidecar.bridge.publishing import StatusNews
from tests.bridge.bridges import Bridge


def told(bridge: Bridge, after: int) -> list[tuple[str, Any]]:
    found = anyio.run(bridge.vault.events.after, after, 0)
    return [(event.type, dict(event.data)) for event in found.events]


def test_an_agents_write_is_told_with_its_files(bridge: Bridge) -> None:
    cursor = bridge.vault.events.cursor
    change = bridge.served.ok("write_note", title="C", directory="", content="x")["change"]
    kinds = dict(told(bridge, cursor))
    assert kinds["activity"] == {
        "id": change, "client": "test", "session": "s1", "summary": kinds["activity"]["summary"], "paths": ["C.md"],
    }  # fmt: skip
    assert kinds["changed"]["paths"] == ["C.md"]
    assert (kinds["changed"]["all"], kinds["changed"]["generation"]) == (False, bridge.get("status")["generation"])


def test_what_fails_or_is_only_tried_is_not_told(bridge: Bridge) -> None:
    bridge.served.open()
    cursor = bridge.vault.events.cursor
    bridge.served.fails("edit_note", "not_found", identifier="Nope", operation="append", content="x")
    change = bridge.served.ok("write_note", title="C", directory="", content="x")["change"]
    middle = bridge.vault.events.cursor
    bridge.served.ok("undo", change=change, dry_run=True)
    assert {kind for kind, _ in told(bridge, cursor)} == {"activity", "changed"}
    assert bridge.vault.events.cursor == middle


def test_a_change_from_outside_is_told(bridge: Bridge) -> None:
    bridge.served.open()
    cursor = bridge.vault.events.cursor
    bridge.served.write("B.md", "new")
    bridge.served.reindex()
    assert [(kind, data["paths"]) for kind, data in told(bridge, cursor) if kind == "changed"] == [
        ("changed", ["B.md"])
    ]


def test_very_many_changes_are_told_without_their_names(bridge: Bridge) -> None:
    bridge.served.open()
    cursor = bridge.vault.events.cursor
    for number in range(450):
        bridge.served.write(f"Many/{number}.md", "x")
    bridge.served.reindex()
    changes = [data for kind, data in told(bridge, cursor) if kind == "changed"]
    assert all(bool(data["paths"]) is not data["all"] for data in changes)
    assert all(len(data["paths"]) <= 200 for data in changes)


def test_work_is_told_when_it_begins_and_when_it_ends(bridge: Bridge) -> None:
    vault = bridge.vault
    news = StatusNews()
    news.watch(vault)

    async def next_state(cursor: int) -> tuple[int, str]:
        with anyio.fail_after(10):
            while True:
                found = await vault.events.after(cursor, 10)
                cursor = found.cursor
                for event in found.events:
                    if event.type == "status":
                        return event.id, event.data["state"]

    async def play() -> list[str]:
        async with anyio.create_task_group() as tasks:
            cursor = vault.events.cursor
            tasks.start_soon(news.run)
            states = list[str]()
            cursor, state = await next_state(cursor)
            states.append(state)
            await anyio.to_thread.run_sync(lambda: vault.services.upkeep.pause(paused=True))
            cursor, state = await next_state(cursor)
            states.append(state)
            bridge.served.write("B.md", "changed while nobody looked")
            await anyio.to_thread.run_sync(bridge.served.open().pipeline.reconcile)
            await anyio.to_thread.run_sync(lambda: vault.services.upkeep.pause(paused=False))
            while states[-1] != "ready" or len(states) < 3:
                cursor, state = await next_state(cursor)
                states.append(state)
            tasks.cancel_scope.cancel()
        return states

    states = anyio.run(play)
    assert states[:2] == ["ready", "paused"]
    assert states[-1] == "ready"
    assert bridge.served.found("nobody looked") == ["B.md"]


def test_when_a_vault_closes_nobody_waits_for_it(bridge: Bridge) -> None:
    news = StatusNews()
    news.watch(bridge.vault)
    news.forget(bridge.vault.services.project_id)

    async def play() -> None:
        with anyio.fail_after(5):
            await bridge.vault.events.after(bridge.vault.events.cursor, 25)

    anyio.run(play)


def test_who_was_told_of_short_work_is_told_that_it_ended(bridge: Bridge) -> None:
    vault = bridge.vault
    news = StatusNews()
    news.watch(vault)

    async def play() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(news.run)
            with anyio.fail_after(10):
                first = await vault.events.after(vault.events.cursor, 10)
                vault.word.owed = True  # as a look at the status does that falls into the work
                bridge.served.write("C.md", "short work")
                await anyio.to_thread.run_sync(bridge.served.reindex)
                states = list[str]()
                cursor = first.cursor
                while not states:
                    found = await vault.events.after(cursor, 10)
                    cursor = found.cursor
                    states = [event.data["state"] for event in found.events if event.type == "status"]
            tasks.cancel_scope.cancel()
        assert states[-1] == "ready"

    anyio.run(play)
    assert not vault.word.owed
