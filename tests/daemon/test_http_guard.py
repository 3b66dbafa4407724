"""Every request meets the guard, whatever its path."""

from collections.abc import MutableMapping
from typing import Any

import anyio
import pytest

from sidecar.daemon.http_guard import Guard, Receive, Route, Scope, Send


async def _served(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


GUARD = Guard(
    {
        "/mcp": Route(_served, "right".__eq__, own_origin=True),
        "/v1": Route(_served, "other".__eq__),
        "/v2/": Route(_served, "other".__eq__),
        "/v2/hello": Route(_served, lambda _given: True),
    }
)
RIGHT = ("authorization", "Bearer right")
LOCAL = ("host", "127.0.0.1:27125")


def status(path: str, *headers: tuple[str, str]) -> int:
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        return {"type": "http.request", "body": b""}

    async def send(event: MutableMapping[str, Any]) -> None:
        sent.append(event)

    scope = {"type": "http", "path": path, "headers": [(n.encode(), v.encode()) for n, v in headers]}
    anyio.run(GUARD, scope, receive, send)
    return int(sent[0]["status"])


@pytest.mark.parametrize("path", ["/mcp", "/v1", "/", "/.well-known/oauth-protected-resource"])
def test_foreign_hosts_and_all_origins_are_refused_on_every_route(path: str) -> None:
    assert status(path, ("host", "evil.example"), RIGHT) == 421
    assert status(path, RIGHT) == 421
    assert status(path, LOCAL, RIGHT, ("origin", "https://evil.example")) == 403
    assert status(path, LOCAL, RIGHT, ("origin", "null")) == 403


@pytest.mark.parametrize(
    ("path", "token", "origin", "code"),
    [
        ("/mcp", "right", "http://127.0.0.1:27125", 200),
        ("/mcp", "right", "https://127.0.0.1:27125", 403),
        ("/mcp", "right", "http://127.0.0.1:3000", 403),
        ("/mcp", "right", "http://localhost:27125", 403),
        ("/mcp", "wrong", "http://127.0.0.1:27125", 401),
        ("/v1", "other", "http://127.0.0.1:27125", 403),
        ("/", "right", "http://127.0.0.1:27125", 403),
    ],
)
def test_our_own_origin_is_let_in_where_the_route_says_so(path: str, token: str, origin: str, code: int) -> None:
    assert status(path, LOCAL, ("authorization", f"Bearer {token}"), ("origin", origin)) == code


@pytest.mark.parametrize(
    ("host", "code"),
    [
        ("127.0.0.1:27125", 200),
        ("127.0.0.1", 200),
        ("localhost", 200),
        ("LOCALHOST:27125", 200),
        ("localhost:8080", 200),
        ("[::1]:27125", 200),
        ("[::1]", 200),
        ("localhost.evil.example:27125", 421),
        ("127.0.0.1.evil.example", 421),
        ("evil.example:127.0.0.1", 421),
        ("127.0.0.1:", 421),
        ("localhost:27125:evil", 421),
        ("", 421),
        ("0.0.0.0:27125", 421),
    ],
)
def test_hosts(host: str, code: int) -> None:
    assert status("/mcp", ("host", host), RIGHT) == code


@pytest.mark.parametrize(
    ("path", "authorization", "code"),
    [
        ("/mcp", "Bearer right", 200),
        ("/mcp", "bearer  right ", 200),
        ("/mcp", "Bearer wrong", 401),
        ("/mcp", "Bearer other", 401),
        ("/v1", "Bearer right", 401),
        ("/v1", "Bearer other", 200),
        ("/mcp", "Basic right", 401),
        ("/mcp", "right", 401),
        ("/mcp", "", 401),
        ("/mcp/", "Bearer right", 404),
        ("/", "Bearer right", 404),
    ],
)
def test_each_route_has_its_own_secret(path: str, authorization: str, code: int) -> None:
    assert status(path, LOCAL, ("authorization", authorization)) == code
    assert status(path, LOCAL) in (401, 404)


@pytest.mark.parametrize(
    ("path", "token", "code"),
    [
        ("/v2/status", "other", 200),
        ("/v2/activity/1/diff", "other", 200),
        ("/v2/", "other", 200),
        ("/v2/../mcp", "other", 200),  # the bridge's own routes decide, and they know no such path
        ("/v2/../mcp", "right", 401),
        ("/v2/status", "right", 401),
        ("/v2/status", "", 401),
        ("/v2/hello", "", 200),
        ("/v2/hello/", "", 401),
        ("/v2/hello/x", "", 401),
        ("/v2", "other", 404),
        ("//v2/status", "other", 404),
        ("/V2/status", "other", 404),
        ("/mcp/x", "right", 404),
    ],
)
def test_a_folder_of_routes_has_one_secret_and_one_open_door(path: str, token: str, code: int) -> None:
    assert status(path, LOCAL, ("authorization", f"Bearer {token}")) == code


@pytest.mark.parametrize("path", ["/v1", "/v2/status", "/v2/hello"])
@pytest.mark.parametrize("name", ["origin", "referer"])
def test_the_plugin_sends_neither_origin_nor_referer_so_neither_is_let_in(path: str, name: str) -> None:
    right = ("authorization", "Bearer other")
    assert status(path, LOCAL, right) == 200
    assert status(path, LOCAL, right, (name, "http://127.0.0.1:27125/")) == 403
