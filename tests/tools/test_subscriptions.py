"""Clients hear of what changed: in the handshake era by subscribing, in the modern one by listening."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio
import pytest
from mcp import Client
from mcp.client.subscriptions import ResourcesListChanged, ResourceUpdated

from sidecar.services.caller import Audience
from tests.conftest import Served
from tests.tools.talks import ERAS, Era, Heard, refused, run, server_of, talking, until

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")

QUIET = 0.5
"""Longer than changes are gathered."""


class Ear:
    """What a client hears, the same for both eras."""

    def __init__(self) -> None:
        self.updated: list[str] = []
        self.lists = 0

    def clear(self) -> None:
        self.updated.clear()
        self.lists = 0


@asynccontextmanager
async def listening(
    served: Served, era: Era, *uris: str, audience: Audience = Audience.AGENT
) -> AsyncIterator[tuple[Client, Ear]]:
    """Connect, and hear of these addresses and of the list."""
    heard, ear = Heard(), Ear()
    async with talking(served, era, audience=audience, heard=heard) as client, anyio.create_task_group() as tasks:
        if era == "legacy":
            for uri in uris:
                await client.subscribe_resource(uri)

            async def take() -> None:
                while True:
                    while heard.messages:
                        ear.updated += heard.updated
                        ear.lists += heard.lists
                        heard.messages.clear()
                    await anyio.sleep(0.01)

            tasks.start_soon(take)
            yield client, ear
        else:
            async with client.listen(resources_list_changed=True, resource_subscriptions=uris) as events:

                async def take() -> None:
                    async for event in events:
                        if isinstance(event, ResourceUpdated):
                            ear.updated.append(event.uri)
                        ear.lists += isinstance(event, ResourcesListChanged)

                tasks.start_soon(take)
                yield client, ear
                tasks.cancel_scope.cancel()
        tasks.cancel_scope.cancel()


@pytest.mark.parametrize("era", ERAS)
def test_capabilities_say_what_is_true(served: Served, era: Era) -> None:
    async def play() -> None:
        async with talking(served, era) as client:
            can = client.server_capabilities
            assert can.resources is not None
            assert can.prompts is not None
            assert can.tools is not None
            assert (can.resources.subscribe, can.resources.list_changed) == (True, True)
            assert (can.prompts.list_changed, can.tools.list_changed) == (False, False)
            assert can.completions is not None
            assert can.logging is None

    run(play)


def _new(served: Served) -> None:
    served.write("New.md", "x")


def _edit(served: Served) -> None:
    served.write("A/Note.md", "changed")


def _delete(served: Served) -> None:
    (served.root / "A/Note.md").unlink()


def _touch(served: Served) -> None:
    served.write("A/Note.md", "alpha #x")


def _attach(served: Served) -> None:
    served.write("A/picture.png", b"\x89PNG")


NOTE, FOLDER, TAG, SEARCH = "note://Vault/A/Note.md", "folder://Vault/A", "tag://vault/x", "search://Vault/alpha"
ALL = (NOTE, FOLDER, TAG, SEARCH)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    ("change", "updated", "list_changed"),
    [
        (_new, set(), True),
        (_edit, {NOTE, FOLDER, TAG, SEARCH}, False),
        (_delete, {NOTE, FOLDER, TAG, SEARCH}, True),
        (_touch, set(), False),
        (_attach, {FOLDER}, False),
    ],
)
def test_a_change_is_told_to_those_whose_answer_it_changes(
    served: Served, era: Era, change: Callable[[Served], None], updated: set[str], list_changed: bool
) -> None:
    served.write("A/Note.md", "alpha #x")
    served.write("B/Other.md", "beta")

    async def play() -> None:
        async with listening(served, era, *ALL, "note://Vault/B/Other.md", "guide://vault-sidecar") as (_, ear):
            change(served)
            await anyio.to_thread.run_sync(served.reindex)
            if updated or list_changed:
                await until(lambda: set(ear.updated) == updated and bool(ear.lists) is list_changed)
            await anyio.sleep(QUIET)
            assert sorted(ear.updated) == sorted(updated)
            assert ear.lists == list_changed

    run(play)


@pytest.mark.parametrize("era", ERAS)
def test_a_write_of_an_agent_is_told_too_and_many_at_once_but_once(served: Served, era: Era) -> None:
    served.write("A/Note.md", "alpha")

    async def play() -> None:
        async with listening(served, era, NOTE) as (client, ear):
            for number in range(5):
                edit = {"identifier": "A/Note", "operation": "append", "content": f"{number}"}
                assert not (await client.call_tool("edit_note", edit)).is_error
            await until(lambda: ear.updated)
            await anyio.sleep(QUIET)
            assert len(ear.updated) < 5
            assert ear.lists == 0

    run(play)


@pytest.mark.parametrize("era", ERAS)
def test_what_is_not_there_yet_can_be_awaited(served: Served, era: Era) -> None:
    async def play() -> None:
        async with listening(served, era, "note://Vault/Later", "search://Vault/omega") as (_, ear):
            served.write("Later.md", "omega")
            await anyio.to_thread.run_sync(served.reindex)
            await until(lambda: sorted(ear.updated) == ["note://Vault/Later", "search://Vault/omega"])

    run(play)


@pytest.mark.parametrize("era", ERAS)
def test_c27_nothing_is_heard_of_denied_notes(guarded: Served, era: Era) -> None:
    guarded.write("Secret/Note.md", "alpha")
    guarded.write("Seen.md", "alpha")
    uris = ("note://Vault/Secret/Note.md", "folder://Vault/Secret", "folder://Vault/", "search://Vault/alpha")

    async def play() -> None:
        async with listening(guarded, era, *uris) as (_, ear):
            guarded.write("Secret/Note.md", "alpha beta")
            guarded.write("Secret/New.md", "alpha")
            await anyio.to_thread.run_sync(guarded.reindex)
            await anyio.sleep(QUIET)
            assert (ear.updated, ear.lists) == ([], 0)
            guarded.write("Seen.md", "---\nprivate: true\n---\nalpha")
            await anyio.to_thread.run_sync(guarded.reindex)
            await until(lambda: sorted(ear.updated) == ["folder://Vault/", "search://Vault/alpha"] and ear.lists)
        async with listening(guarded, era, uris[0], audience=Audience.PERSON) as (_, ear):
            guarded.write("Secret/Note.md", "alpha beta gamma")
            await anyio.to_thread.run_sync(guarded.reindex)
            await until(lambda: ear.updated == [uris[0]])

    run(play)


def test_who_unsubscribes_hears_no_more(served: Served) -> None:
    served.write("A/Note.md", "alpha")

    async def play() -> None:
        async with listening(served, "legacy", NOTE, FOLDER) as (client, ear):
            await client.unsubscribe_resource(NOTE)
            await client.unsubscribe_resource("note://Vault/Never.md")
            _edit(served)
            await anyio.to_thread.run_sync(served.reindex)
            await until(lambda: ear.updated)
            await anyio.sleep(QUIET)
            assert ear.updated == [FOLDER]
            for uri in ("other://Vault/x", "note://Other/x.md"):
                error = await refused(client.subscribe_resource(uri))
                assert error.error.data == {"uri": uri}

    run(play)


def test_listening_ends_in_order_when_the_server_does(served: Served) -> None:
    async def play() -> None:
        server = server_of(served)
        async with (
            talking(served, "auto", server=server) as client,
            client.listen(resources_list_changed=True) as events,
        ):
            await server.finish(1)
            with anyio.fail_after(5):
                assert [event async for event in events] == []

    run(play)
