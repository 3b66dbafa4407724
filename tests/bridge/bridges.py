"""A bridge over a served vault, asked as the plugin would ask it, without a network."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import anyio
import httpx2
from starlette.applications import Starlette

from sidecar.bridge.app import bridge_app
from sidecar.bridge.auth import BridgeSecret
from sidecar.bridge.daemon import Client, ConnectionSettings
from sidecar.bridge.vault import BridgeVault
from sidecar.errors import Invalid
from tests.conftest import Served

KEY = "ab" * 32


@dataclass
class StandIn:
    """The serving process of one vault; it only remembers that it was told to end."""

    served: Served
    secret: BridgeSecret = field(default_factory=BridgeSecret)
    instance_id: str = "instance"
    ended: list[str] = field(default_factory=list)

    def vault(self, key: str) -> BridgeVault | None:
        return self.served.open().bridge if key == KEY else None

    async def open_for_person(self, path: str) -> BridgeVault:
        if path != str(self.served.root):
            raise Invalid(f"'{path}' is not the folder of a vault.")
        return self.served.open().bridge

    def clients(self, vault: BridgeVault) -> Sequence[Client]:  # noqa: ARG002 - the bridge's protocol
        return [Client("claude", "s1", 1)]

    def connection(self, vault: BridgeVault) -> ConnectionSettings:  # noqa: ARG002
        return ConnectionSettings("python", ["shim.py"], "http://127.0.0.1:1/mcp", "/run/http-token")

    def log_tail(self, lines: int) -> Sequence[str]:
        return ["one", "two", "three"][-lines:]

    def end(self, reason: str) -> None:
        self.ended.append(reason)


@dataclass
class Bridge:
    served: Served
    daemon: StandIn
    app: Starlette

    @classmethod
    def over(cls, served: Served) -> "Bridge":
        daemon = StandIn(served)
        return cls(served, daemon, bridge_app(daemon))

    @property
    def vault(self) -> BridgeVault:
        return self.served.open().bridge

    def ask(self, method: str, route: str, *, vault: str = KEY, **given: Any) -> httpx2.Response:
        """Send one request; ``params`` of the caller join the vault's key."""
        params = {**({"vault": vault} if vault else {}), **given.pop("params", {})}

        async def send() -> httpx2.Response:
            transport = httpx2.ASGITransport(app=self.app)
            async with httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1/v1/") as client:
                return await client.request(method, route, params=params, **given)

        return anyio.run(send)

    def get(self, route: str, **params: Any) -> Any:
        response = self.ask("GET", route, params=params)
        assert response.status_code == 200, response.text
        return response.json()

    def post(self, route: str, **body: Any) -> Any:
        response = self.ask("POST", route, json=body)
        assert response.status_code == 200, response.text
        return response.json()

    def fails(self, method: str, route: str, status: int, category: str, **given: Any) -> dict[str, Any]:
        """Send what must be refused in this way, in the one form that errors have."""
        response = self.ask(method, route, **given)
        told = json.loads(response.text)
        assert (response.status_code, told["error"]) == (status, category), told
        assert set(told) == {"error", "message", "hint", "candidates", "data"}
        assert isinstance(told, dict)
        return told
