"""``/v1/requests``: a client takes on what the daemon asks of the app, and tells what came of it."""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from sidecar.bridge.requests import Answer, Outcome
from sidecar.bridge.route import Asked, BridgeCall, post

__all__ = ["ROUTES"]

_Id = Annotated[str, Field(min_length=1, max_length=100)]
_Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class ClaimBody(Asked):
    """Who takes it on."""

    client_id: _Id


class ResultBody(Asked):
    """What came of it. ``conflict``: nothing was done; without a claim before, any outcome means so."""

    client_id: _Id
    outcome: Literal["done", "conflict", "failed"]
    sha256: _Sha256 | None = None
    message: Annotated[str | None, Field(max_length=1_000)] = None


@dataclass(frozen=True, slots=True)
class Taken:
    """It was taken in; there is nothing to say."""


@post("requests/{id}/claim", ClaimBody, Taken, fails=("gone",))
async def claim(call: BridgeCall, body: ClaimBody) -> Taken:
    """Take a request on, before anything is done about it; 410: it is over, or another client's."""
    call.vault.requests.claim(call.path["id"], body.client_id)
    return Taken()


@post("requests/{id}/result", ResultBody, Taken, fails=("gone",))
async def result(call: BridgeCall, body: ResultBody) -> Taken:
    """Tell what came of a request, with the SHA-256 of what was saved."""
    call.vault.requests.end(call.path["id"], body.client_id, Answer(Outcome(body.outcome), body.sha256, body.message))
    return Taken()


ROUTES = (claim, result)
