"""Turning what happens in a vault into events."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any

import anyio

from sidecar.bridge.vault import BridgeVault
from sidecar.model.change import RecordedChange
from sidecar.model.ports import Changed
from sidecar.model.proposal import ProposalNews
from sidecar.services.upkeep import WorkingState, WorkState

__all__ = ["StatusNews", "publish_changes"]

_MOST_PATHS = 200
"""With more files than this, an event says only that many changed."""
_SHORTEST_WORK = 0.15
"""Seconds: what is done sooner is not told as work."""
_STEP = 0.5
"""Seconds between two words on how far the work is."""
_BUSY = (WorkState.STARTING, WorkState.INDEXING)


def publish_changes(vault: BridgeVault) -> None:
    """Publish from now on which files changed, and what agents did."""
    events, services = vault.events, vault.services

    def tell_changed(changed: Changed) -> None:
        events.publish("changed", _changed(changed))

    def tell_activity(change: RecordedChange) -> None:
        events.publish("activity", _activity(change))

    def tell_proposal(news: ProposalNews) -> None:
        events.publish("proposal", {"id": news.id, "state": news.state.value})

    services.proposals.subscribe(tell_proposal)
    services.watched.subscribe(tell_changed)
    services.change_log.subscribe(tell_activity)


def _changed(changed: Changed) -> Mapping[str, Any]:
    are_many = len(changed.paths) > _MOST_PATHS
    return {"paths": [] if are_many else list(changed.paths), "all": are_many, "generation": changed.generation}


def _activity(change: RecordedChange) -> Mapping[str, Any]:
    paths = [str(e.to if e.to is not None and not e.to.startswith(".") else e.path) for e in change.entries]
    return {
        "id": change.id,
        "client": change.author.client,
        "session": change.author.session,
        "summary": change.summary,
        "paths": paths[:_MOST_PATHS],
    }


class StatusNews:
    """Tells of each vault's work while there is some; sleeps when there is none."""

    def __init__(self) -> None:
        self._vaults: dict[str, BridgeVault] = {}
        self._told: dict[str, WorkingState] = {}
        self._news = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    def watch(self, vault: BridgeVault) -> None:
        """Tell of a vault from now on; any thread may call."""
        self._vaults[vault.services.project_id] = vault
        vault.services.upkeep.subscribe(self._heard)
        self._heard()

    def forget(self, project_id: str) -> None:
        """Tell of a vault no more; any thread may call, before it closes."""
        vault = self._vaults.pop(project_id, None)
        if vault is not None:
            vault.events.close()

    def close(self) -> None:
        """Let no client wait any more."""
        for vault in tuple(self._vaults.values()):
            vault.events.close()

    async def run(self) -> None:
        """Publish how far the work is, until cancelled."""
        self._loop = asyncio.get_running_loop()
        while True:
            self._news.clear()
            states = [self._tell(vault) for vault in tuple(self._vaults.values())]
            if any(state in _BUSY for state in states):
                with anyio.move_on_after(_STEP):
                    await self._news.wait()
            else:
                await self._news.wait()
            await anyio.sleep(_SHORTEST_WORK)

    def _tell(self, vault: BridgeVault) -> WorkState:
        now = vault.services.upkeep.now
        owed = vault.word.owed and now.state not in _BUSY
        if owed or self._told.get(vault.services.project_id) != now:
            vault.word.owed = False
            self._told[vault.services.project_id] = now
            vault.events.publish("status", asdict(now))
        return now.state

    def _heard(self, _event: None = None) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._news.set)
