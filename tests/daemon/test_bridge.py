"""The bridge of a real daemon over real HTTP: who gets in, presence, and how it ends."""

import json
import socket
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest

from sidecar.bridge.auth import BridgeSecret
from sidecar.daemon.endpoint import Endpoint, vault_key
from sidecar.daemon.http_token import HttpToken
from tests.daemon.daemons import Home, said, until

pytestmark = pytest.mark.slow
NONCE = "0f" * 16


@dataclass
class Plugin:
    """Asks as the plugin does: no Origin, the token of endpoint.json, the vault by its key."""

    home: Home
    endpoint: Endpoint

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.endpoint.port}/v1/"

    def ask(self, method: str, route: str, vault: Path | None = None, **given: Any) -> httpx2.Response:
        headers = {"Authorization": f"Bearer {self.endpoint.token}", **given.pop("headers", {})}
        params = {"vault": vault_key(vault or self.home.vault), **given.pop("params", {})}
        wanted = {name: value for name, value in headers.items() if value}
        return httpx2.request(method, self.url + route, params=params, headers=wanted, timeout=40, **given)

    def get(self, route: str, **params: Any) -> Any:
        response = self.ask("GET", route, params=params)
        assert response.status_code == 200, response.text
        return response.json()

    def poll(self, client: str, wait: int) -> socket.socket:
        """Open a poll by hand, so that the connection can be dropped."""
        cursor = self.get("events")["cursor"]
        connection = socket.create_connection(("127.0.0.1", int(self.endpoint.port or 0)))
        path = f"/v1/events?after={cursor}&wait={wait}&client={client}&vault={vault_key(self.home.vault)}"
        connection.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self.endpoint.token}\r\n\r\n".encode()
        )
        return connection


@pytest.fixture
def plugin(home: Home) -> Plugin:
    (home.vault / ".obsidian").mkdir()
    home.serve(str(home.vault))
    until(lambda: home.endpoint is not None and home.endpoint.vaults)
    assert home.endpoint is not None
    plugin = Plugin(home, home.endpoint)
    until(lambda: plugin.get("status")["state"] == "ready")
    until(lambda: not plugin.get("events", after=plugin.get("events")["cursor"], wait=1)["events"])
    return plugin


def test_what_must_not_get_in(plugin: Plugin) -> None:
    mcp_token = HttpToken(plugin.home.root / "run/http-token").show()

    def status(method: str = "GET", route: str = "status", **given: Any) -> int:
        response = plugin.ask(method, route, **given)
        if response.status_code >= 400:
            assert set(response.json()) == {"error", "message", "hint", "candidates", "data"}
        return response.status_code

    assert status() == 200
    for route in ("status", "hello", "events", "nothing"):
        for origin in ("https://evil.example", "null", "app://obsidian.md", plugin.url.removesuffix("/v1/")):
            assert status(route=route, headers={"Origin": origin}) == 403
        assert status(route=route, headers={"Referer": "https://evil.example/"}) == 403
        assert status(route=route, headers={"Host": "evil.example"}) == 421
        assert status(route=route, headers={"Host": f"127.0.0.1.evil.example:{plugin.endpoint.port}"}) == 421
    for route in ("status", "events", "openapi.json", "activity", "nothing", "connection"):
        assert status(route=route, headers={"Authorization": ""}) == 401
        assert status(route=route, headers={"Authorization": f"Bearer {mcp_token}"}) == 401, (
            "the secret of /mcp opens /v1"
        )
        assert status(route=route, params={"token": plugin.endpoint.token}, headers={"Authorization": ""}) == 401
    assert status(vault=plugin.home.root) == 404
    for route in ("stop", "pause", "rebuild", "activity/undo"):
        assert status(route=route, params={"paused": "true"}) == 405, "state changes by GET"
    assert status("POST", "stop", content=b"{}", headers={"Content-Type": "text/plain"}) == 415
    assert status("POST", "pause", json={"paused": True, "more": "x" * 1_100_000}) == 413
    for route in ("../mcp", "%2e%2e/mcp", "..%2fmcp", "activity/..%2f..%2fstatus/diff", "/status"):
        assert status(route=route) in (401, 404)
    assert status("POST", "vaults", json={"path": "/etc"}) == 400
    assert status("POST", "vaults", json={"path": f"{plugin.home.vault}/../state"}) == 400
    assert plugin.get("status")["state"] == "ready"
    for secret in (plugin.endpoint.token, mcp_token):
        assert secret not in plugin.home.log
        assert secret not in json.dumps([plugin.get("connection"), plugin.get("log"), plugin.get("status")])


def test_hello_needs_no_token_and_proves_it(plugin: Plugin) -> None:
    response = plugin.ask("GET", "hello", params={"nonce": NONCE}, headers={"Authorization": ""})
    assert response.json()["proof"] == BridgeSecret(plugin.endpoint.token).proof(NONCE)
    assert response.json()["instance_id"] == plugin.endpoint.instance_id
    assert plugin.endpoint.token not in response.text


def test_an_agents_write_reaches_a_poll_that_waits(plugin: Plugin) -> None:
    heard: list[Any] = []
    cursor = plugin.get("events")["cursor"]
    waiting = threading.Thread(target=lambda: heard.append(plugin.get("events", after=cursor, wait=25, client="me")))
    waiting.start()

    async def play() -> None:
        async with plugin.home.client() as client:
            await said(client, "write_note", title="A", directory="", content="beta")
            assert [c["name"] for c in plugin.get("status")["clients"]] == ["mcp"]

    anyio.run(play)
    waiting.join(30)
    types = [event["type"] for event in heard[0]["events"]]
    assert types[0] in ("activity", "changed")
    until(lambda: plugin.get("status")["clients"] == [])
    (change,) = plugin.get("activity")["changes"]
    assert (change["client"], change["entries"][0]["path"]) == ("mcp", "A.md")


def test_a_daemon_without_this_vault_serves_it_when_the_plugin_asks(plugin: Plugin, tmp_path: Path) -> None:
    other = tmp_path / "Other"
    (other / ".obsidian").mkdir(parents=True)
    (other / "N.md").write_text("x")
    assert plugin.ask("GET", "status", vault=other).json()["error"] == "unknown_vault"
    assert plugin.ask("POST", "vaults", json={"path": str(other)}).json()["project"] == "Other"
    until(lambda: plugin.ask("GET", "status", vault=other).json()["files"]["note"] == 1)
    assert plugin.home.endpoint is not None
    assert vault_key(other) in plugin.home.endpoint.vaults


def test_it_ends_at_once_though_polls_wait(plugin: Plugin) -> None:
    with plugin.poll("one", 25) as first, plugin.poll("two", 25):
        assert plugin.ask("POST", "stop", json={}).status_code == 200
        (process,) = plugin.home.started
        assert process.wait(10) == 0
        assert b'"events":[]' in first.recv(10_000)
    assert plugin.home.endpoint is None
    assert plugin.home.is_free()


def test_a_cursor_of_the_daemon_before_is_answered_by_a_reset(plugin: Plugin) -> None:
    cursor = plugin.get("events")["cursor"]
    plugin.ask("POST", "stop", json={})
    plugin.home.started[0].wait(10)
    plugin.endpoint = plugin.home.serve(str(plugin.home.vault))
    until(lambda: plugin.ask("GET", "events").status_code == 200)
    heard = plugin.get("events", after=cursor, wait=25)
    assert heard["reset"] is True
    assert heard["cursor"] > cursor
