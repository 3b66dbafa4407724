"""Every request meets the guard, whatever its path."""

from collections.abc import MutableMapping
from typing import Any

import anyio
import pytest

from sidecar.daemon.http_guard import Guard, Receive, Route, Scope, Send


async def _served(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


GUARD = Guard({"/mcp": Route(_served, "right".__eq__), "/v1": Route(_served, "other".__eq__)})
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
