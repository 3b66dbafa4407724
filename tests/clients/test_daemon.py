"""Resources and news through the daemon as clients have it: over the shim and over HTTP, in both eras and before them."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Literal

import anyio
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import ResourcesListChanged, ResourceUpdated

from sidecar.daemon import shim
from sidecar.daemon.http_token import HttpToken
from tests.daemon.daemons import Home, message, said
from tests.tools.talks import ERAS, Era, Heard, until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning"),
]
Way = Literal["shim", "http"]
NOTE = "note://My%20Vault/Note.md"


@asynccontextmanager
async def connected(home: Home, way: Way, era: Era, heard: Heard) -> AsyncIterator[Client]:
    async with AsyncExitStack() as stack:
        server: Any = StdioServerParameters(
            command=sys.executable,
            args=["-I", "-S", shim.__file__, "--vault", str(home.vault)],
            env=home.environment,
        )
        if way == "http":
            token = HttpToken(home.root / "run/http-token").show()
            http = await stack.enter_async_context(
                httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60)
            )
            assert home.endpoint is not None
            server = streamable_http_client(f"http://127.0.0.1:{home.endpoint.port}/mcp", http_client=http)
        yield await stack.enter_async_context(
            Client(server, mode=era, read_timeout_seconds=60, message_handler=heard.hear)
        )


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("way", ["shim", "http"])
def test_a_change_from_outside_is_heard(home: Home, way: Way, era: Era) -> None:
    home.serve(str(home.vault))

    async def play() -> None:
        heard, events = Heard(), []
        async with connected(home, way, era, heard) as client, anyio.create_task_group() as tasks:
            assert NOTE in [str(r.uri) for r in (await client.list_resources()).resources]
            (contents,) = (await client.read_resource(NOTE)).contents
            assert contents.text == "# Note\n\nalpha\n"  # type: ignore[union-attr]
            assert (await said(client, "list_directory"))["total"] == 1

            async def listen() -> None:
                async with client.listen(resources_list_changed=True, resource_subscriptions=[NOTE]) as subscription:
                    async for event in subscription:
                        events.append(event)  # noqa: PERF401 - the list is looked at meanwhile

            if era == "legacy":
                await client.subscribe_resource(NOTE)
            else:
                tasks.start_soon(listen)
            await anyio.sleep(0.5)
            (home.vault / "Note.md").write_text("changed", encoding="utf-8")
            (home.vault / "New.md").write_text("new", encoding="utf-8")
            if era == "legacy":
                await until(lambda: heard.updated and heard.lists)
                assert set(heard.updated) == {NOTE}
            else:
                await until(lambda: {ResourcesListChanged(), ResourceUpdated(uri=NOTE)} <= set(events))
            tasks.cancel_scope.cancel()

    anyio.run(play)


def test_a_client_of_2024_gets_no_resource_links(home: Home) -> None:
    (home.vault / "picture.png").write_bytes(b"\x89PNG")
    command = [sys.executable, "-I", "-S", shim.__file__, "--vault", str(home.vault)]
    hello = {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": {"name": "old", "version": "1"}}
    calls: list[tuple[str, dict[str, Any]]] = [
        ("search_notes", {"query": "alpha"}),
        ("read_note", {"identifier": "Note"}),
        ("list_directory", {}),
        ("recent_activity", {}),
        ("build_context", {"url": "Note"}),
    ]
    lines = [
        message("initialize", 0, **hello),
        message("notifications/initialized"),
        *(
            message("tools/call", number, name=name, arguments=arguments)
            for number, (name, arguments) in enumerate(calls, 1)
        ),
        message("resources/list", 50),
        message("resources/read", 51, uri="note://My%20Vault/Nope.md"),
    ]
    done = subprocess.run(
        command, input=b"".join(lines), env=home.environment, capture_output=True, check=True, timeout=60
    )
    answers = {a["id"]: a for a in map(json.loads, done.stdout.splitlines()) if "id" in a}
    assert answers[0]["result"]["protocolVersion"] == "2024-11-05"
    assert answers[0]["result"]["capabilities"]["resources"] == {"subscribe": True, "listChanged": True}
    kinds = {item["type"] for number in range(1, 6) for item in answers[number]["result"]["content"]}
    assert kinds == {"text"}
    assert [r["uri"] for r in answers[50]["result"]["resources"]][-1] == NOTE
    assert answers[51]["error"]["code"] == -32_002


def test_a_daemon_that_ends_leaves_a_subscription_to_the_next(home: Home) -> None:
    home.serve(str(home.vault))

    async def play() -> None:
        heard = Heard()
        async with connected(home, "shim", "legacy", heard) as client:
            await client.subscribe_resource(NOTE)
            home.started[0].terminate()
            await anyio.to_thread.run_sync(home.started[0].wait)
            await anyio.to_thread.run_sync(home.serve, str(home.vault))
            await anyio.sleep(2)
            (home.vault / "Note.md").write_text("changed", encoding="utf-8")
            await until(lambda: heard.updated == [NOTE])

    anyio.run(play)
