"""``GET /v1/status``: how the sidecar is doing with one vault."""

from dataclasses import dataclass
from functools import partial

import anyio

from sidecar import __version__
from sidecar.bridge.daemon import Client
from sidecar.bridge.route import BridgeCall, Nothing, get
from sidecar.services.status import VaultStatus
from sidecar.services.upkeep import WorkState

__all__ = ["ROUTES", "StatusTold", "status_of_vault"]

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class ProblemTold:
    """A file that could not be read, or not wholly."""

    path: str
    message: str


@dataclass(frozen=True, slots=True)
class StatusTold:
    """How far the index is, and who is there.

    ``held`` files vanished so suddenly that it is not believed yet. ``change_cursor`` is the id of the newest recorded
    change; so many ``proposals`` wait for the person. Times are milliseconds since the epoch.
    """

    project: str
    project_id: str
    state: WorkState
    done: int
    total: int
    files: dict[str, int]
    generation: int
    watching: bool
    last_event: int | None
    last_reconcile: int | None
    clients: list[Client]
    held: int
    fault: str | None
    problems: list[ProblemTold]
    version: str
    instance_id: str
    change_cursor: str | None
    proposals: int


async def status_of_vault(call: BridgeCall) -> StatusTold:
    """Take one look at a vault."""
    services = call.services
    clients = list(call.daemon.clients(call.vault))
    told = partial(_told, call, clients)
    return await anyio.to_thread.run_sync(lambda: told(services.status.look()))


@get("status", Nothing, StatusTold)
async def status(call: BridgeCall, _query: Nothing) -> StatusTold:
    """Tell how far the index is, what is wrong, and which AI clients are connected."""
    return await status_of_vault(call)


def _told(call: BridgeCall, clients: list[Client], look: VaultStatus) -> StatusTold:
    services, now = call.services, call.services.upkeep.now
    if now.state in (WorkState.STARTING, WorkState.INDEXING):
        call.vault.word.owed = True
    return StatusTold(
        project=services.project,
        project_id=services.project_id,
        state=now.state,
        done=now.done,
        total=now.total,
        files=dict(look.files),
        generation=look.generation,
        watching=look.watching.mode != "off",
        last_event=_ms(look.last_event_ns),
        last_reconcile=_ms(look.last_reconcile_ns),
        clients=clients,
        held=look.held.files if look.held else 0,
        fault=look.fault,
        problems=[ProblemTold(path, message) for path, message in look.problems.items()],
        version=__version__,
        instance_id=call.daemon.instance_id,
        change_cursor=services.change_log.newest(),
        proposals=services.proposals.waiting(),
    )


def _ms(ns: int | None) -> int | None:
    return None if ns is None else ns // _MILLION


ROUTES = (status,)
