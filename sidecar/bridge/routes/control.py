"""What the person governs from Obsidian: resting, reading everything anew, ending, and serving one more vault."""

from dataclasses import replace
from typing import Annotated

from pydantic import Field

from sidecar.bridge.route import Asked, BridgeCall, Nothing, post
from sidecar.bridge.routes.status import StatusTold, status_of_vault

__all__ = ["ROUTES"]


class PauseBody(Asked):
    """Whether changes from outside are left unindexed."""

    paused: bool


class VaultBody(Asked):
    """The folder of a vault, as an absolute path."""

    path: Annotated[str, Field(min_length=1, max_length=4096)]


@post("pause", PauseBody, StatusTold)
async def pause(call: BridgeCall, body: PauseBody) -> StatusTold:
    """Pause indexing, or go on; what agents write is indexed in any case."""
    call.services.upkeep.pause(paused=body.paused)
    return await status_of_vault(call)


@post("rebuild", Nothing, StatusTold)
async def rebuild(call: BridgeCall, _body: Nothing) -> StatusTold:
    """Read and index every file anew, in the background."""
    await call.services.upkeep.rebuild()
    return await status_of_vault(call)


@post("stop", Nothing, StatusTold)
async def stop(call: BridgeCall, _body: Nothing) -> StatusTold:
    """End the daemon for all its vaults and clients; running changes are finished first."""
    told = await status_of_vault(call)
    call.daemon.end("the person asked in Obsidian")
    return told


@post("vaults", VaultBody, StatusTold, about_vault=False)
async def vaults(call: BridgeCall, body: VaultBody) -> StatusTold:
    """Serve a vault that this daemon did not serve so far."""
    opened = await call.daemon.open_for_person(body.path)
    return await status_of_vault(replace(call, named=opened))


ROUTES = (pause, rebuild, stop, vaults)
