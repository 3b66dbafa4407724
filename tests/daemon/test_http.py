"""Streamable HTTP with the SDK's own client, in both eras, against a daemon started by hand."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from sidecar.daemon.http import bind
from sidecar.daemon.http_token import HttpToken
from tests.daemon.daemons import Era, Home, said

PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.fixture
def url(home: Home) -> str:
    return f"http://127.0.0.1:{home.serve(str(home.vault)).port}/mcp"


def bearer(home: Home) -> dict[str, str]:
    return {"Authorization": f"Bearer {HttpToken(home.root / 'run/http-token').show()}"}


@asynccontextmanager
async def connected(home: Home, url: str, era: Era) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers=bearer(home), timeout=60) as http,
        Client(streamable_http_client(url, http_client=http), mode=era) as client,
    ):
        yield client


def test_the_next_free_port_is_taken() -> None:
    with bind(27125) as first, bind(first.getsockname()[1]) as second:
        assert first.getsockname()[0] == second.getsockname()[0] == "127.0.0.1"
        assert first.getsockname()[1] != second.getsockname()[1]


@pytest.mark.slow
@pytest.mark.parametrize("era", ["auto", "legacy"])
def test_every_tool_is_there_and_a_client_is_one_session(home: Home, url: str, era: Era) -> None:
    async def play() -> None:
        async with connected(home, url, era) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            assert {"search_notes", "write_note", "undo"} <= set(names)
            assert (await said(client, "search_notes", query="alpha"))["project"] == "My Vault"
            for title in ("A", "B"):
                await said(client, "write_note", title=title, directory="", content="beta")
            changes = (await said(client, "history"))["changes"]
            assert len(changes) == 2
            assert len({change["session"] for change in changes}) == 1
        async with home.client() as other:
            assert (await said(other, "search_notes", query="beta"))["total"] == 2
            await said(other, "write_note", title="C", directory="", content="beta")
            assert len({change["session"] for change in (await said(other, "history"))["changes"]}) == 2

    anyio.run(play)


@pytest.mark.slow
def test_with_two_vaults_a_call_says_which_it_means(home: Home, url: str, tmp_path: Path) -> None:
    other = tmp_path / "Other"
    other.mkdir()
    (other / "Elsewhere.md").write_text("alpha")

    async def play() -> None:
        async with connected(home, url, "auto") as client, home.client("auto", "--vault", str(other)):
            unclear = await client.call_tool("search_notes", {"query": "alpha"})
            assert unclear.is_error
            assert "Other" in str(unclear.content)
            assert (await said(client, "search_notes", query="alpha", project="Other"))["project"] == "Other"

    anyio.run(play)


@pytest.mark.slow
def test_what_must_not_get_in(home: Home, url: str) -> None:
    right = {**bearer(home), "Accept": "application/json, text/event-stream"}

    def status(path: str = "/mcp", **headers: str) -> int:
        return httpx2.post(url.removesuffix("/mcp") + path, json=PING, headers={**right, **headers}).status_code

    assert status(Host="evil.example") == 421
    assert status("/v1/hello", Host="evil.example") == 421
    assert status(Origin="http://localhost:3000") == 403
    assert status("/v1/hello", Origin="null") == 403
    assert status(Authorization="Bearer guess") == 401
    assert home.endpoint is not None
    assert status(Authorization=f"Bearer {home.endpoint.token}") == 401, "the bridge's secret opens /mcp"
    assert status("/other") == 404
    assert status(Host="localhost") == 400, "let in; the SDK misses a session"
    rotated = home.command("token", "rotate").stdout.strip()
    assert status() == 401
    assert status(Authorization=f"Bearer {rotated}") == 400
    assert home.command("token", "show").stdout.strip() == rotated
    assert rotated not in home.log


@pytest.mark.slow
def test_it_ends_at_once_though_a_stream_is_open(home: Home, url: str) -> None:
    async def play() -> None:
        async with connected(home, url, "legacy") as client:
            await said(client, "list_directory")
            (process,) = home.started
            process.terminate()
            with anyio.fail_after(5):
                await anyio.to_thread.run_sync(process.wait, abandon_on_cancel=True)
            assert process.returncode == 0

    anyio.run(play)
    assert home.is_free()
