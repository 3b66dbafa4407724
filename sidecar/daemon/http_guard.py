"""What every HTTP request has to pass: Host, Origin, and the secret of its route."""

import json
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any

__all__ = ["App", "Guard", "Receive", "Route", "Scope", "Send"]

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

_HOSTS = frozenset({b"127.0.0.1", b"localhost", b"[::1]"})


@dataclass(frozen=True, slots=True)
class Route:
    """An application, and what tells whether a bearer token opens it.

    ``own_origin`` lets in what names us as its Origin, as some clients of MCP do; no web page has that one. Where it is
    not let in, no Referer is either.
    """

    app: App
    opens: Callable[[str], bool]
    own_origin: bool = False
    hint: str = "It is shown by: vault-sidecar token show."
    """Where a client finds the secret."""


@dataclass(frozen=True, slots=True)
class Guard:
    """Passes on to the route of a path what comes from a program of this machine that knows the route's secret.

    A web page that reaches us, by whatever trick, has another Host (its name was pointed at us) or an Origin.
    """

    routes: Mapping[str, Route]
    """By path; a key that ends with a slash stands for all paths below its one folder."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one ASGI request."""
        if scope["type"] != "http":
            return
        headers: dict[bytes, bytes] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name, value)
        if _host(headers.get(b"host", b"")) not in _HOSTS:
            await _refuse(send, 421, "misdirected", "This Host is not served here.")
        elif (route := self._route(scope["path"])) is None and b"origin" not in headers:
            await _refuse(send, 404, "not_found", "There is nothing here.")
        elif route is None or not _is_no_web_page(headers, route):
            await _refuse(send, 403, "refused", "Web pages are not served here.")
        elif not route.opens(_bearer(headers)):
            await _refuse(send, 401, "unauthorized", "A bearer token is needed.", route.hint)
        else:
            await route.app(scope, receive, send)

    def _route(self, path: str) -> Route | None:
        folder, slash, _ = path[1:].partition("/")
        return self.routes.get(path) or self.routes.get(f"/{folder}{slash}")


def _host(header: bytes) -> bytes:
    """Return the Host without its port, which may be that of a tunnel."""
    name, colon, port = header.lower().rpartition(b":")
    return name if colon and port.isdigit() else header.lower()


def _is_no_web_page(headers: Mapping[bytes, bytes], route: Route) -> bool:
    if b"origin" not in headers:
        return route.own_origin or b"referer" not in headers
    return route.own_origin and headers[b"origin"].lower() == b"http://" + headers[b"host"].lower()


def _bearer(headers: Mapping[bytes, bytes]) -> str:
    scheme, _, token = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


async def _refuse(send: Send, status: int, error: str, message: str, hint: str | None = None) -> None:
    headers = [(b"content-type", b"application/json")]
    if status == 401:  # noqa: PLR2004 - HTTP's own number
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    told: dict[str, object] = {"error": error, "message": message, "hint": hint, "candidates": [], "data": {}}
    await send({"type": "http.response.body", "body": json.dumps(told).encode()})
