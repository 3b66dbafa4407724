"""``GET /v1/hello``: who is there, and the proof that it knows the token."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from sidecar import __version__
from sidecar.bridge.protocol import PROTOCOL, ProtocolRange
from sidecar.bridge.route import Asked, BridgeCall, BridgeRoute, get

__all__ = ["hello_among"]


class HelloQuery(Asked):
    """A number used once, and the vault that is looked for."""

    nonce: Annotated[str, Field(pattern=r"^[0-9a-fA-F]{32,128}$")]
    vault: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


@dataclass(frozen=True, slots=True)
class Hello:
    """``proof`` is HMAC-SHA256 with the token over ``vault-sidecar hello `` and the nonce, in hex."""

    protocol: ProtocolRange
    version: str
    instance_id: str
    proof: str
    vault: Literal["served", "unknown"]
    capabilities: list[str]


def hello_among(routes: tuple[BridgeRoute, ...]) -> BridgeRoute:
    """Return the route that tells which others there are."""
    capabilities = sorted({route.path.partition("/")[0] for route in routes})

    @get("hello", HelloQuery, Hello, about_vault=False, is_open=True)
    async def hello(call: BridgeCall, query: HelloQuery) -> Hello:
        """Prove that this process wrote endpoint.json, before a client sends the token."""
        return Hello(
            protocol=PROTOCOL,
            version=__version__,
            instance_id=call.daemon.instance_id,
            proof=call.daemon.secret.proof(query.nonce),
            vault="served" if call.daemon.vault(query.vault) else "unknown",
            capabilities=capabilities,
        )

    return hello
