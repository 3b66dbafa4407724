"""What every HTTP request has to pass: Host, Origin, and the secret of its route."""

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
    """An application, and what tells whether a bearer token opens it."""

    app: App
    opens: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Guard:
    """Passes on to the route of a path what comes from a program of this machine that knows the route's secret.

    A web page that reaches us, by whatever trick, has another Host (its name was pointed at us) or an Origin.
    """

    routes: Mapping[str, Route]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one ASGI request."""
        if scope["type"] != "http":
            return
        headers: dict[bytes, bytes] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name, value)
        if _host(headers.get(b"host", b"")) not in _HOSTS:
            await _refuse(send, 421, "This Host is not served here.")
        elif b"origin" in headers:
            await _refuse(send, 403, "Web pages are not served here.")
        elif (route := self.routes.get(scope["path"])) is None:
            await _refuse(send, 404, "There is nothing here.")
        elif not route.opens(_bearer(headers)):
            await _refuse(send, 401, "A bearer token is needed: vault-sidecar token show.")
        else:
            await route.app(scope, receive, send)


def _host(header: bytes) -> bytes:
    """Return the Host without its port, which may be that of a tunnel."""
    name, colon, port = header.lower().rpartition(b":")
    return name if colon and port.isdigit() else header.lower()


def _bearer(headers: Mapping[bytes, bytes]) -> str:
    scheme, _, token = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


async def _refuse(send: Send, status: int, reason: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    if status == 401:  # noqa: PLR2004 - HTTP's own number
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": f"{reason}\n".encode()})
