"""What the serving process holds: open vaults, the connections to them, and who is there."""

import gc
import logging
import secrets
import threading
import time
from pathlib import Path
from typing import Any

import anyio

from sidecar.app import OpenVault, known_projects, open_vault
from sidecar.config import Settings, StateFolder
from sidecar.daemon.endpoint import Published, vault_key
from sidecar.daemon.presence import Presence
from sidecar.daemon.sessions import HttpSessions
from sidecar.registry import Project
from sidecar.services.caller import Audience
from sidecar.services.services import Services
from sidecar.tools.desk import Desk
from sidecar.tools.families import tools_of
from sidecar.tools.server import Connection, Report, VaultServer
from sidecar.tools.status_view import status_json

__all__ = ["Host"]

_PATIENCE = 1.0
"""Seconds in which calls wait for a vault just opened: one of a few hundred notes is complete at the first question."""
_STEP = 0.05
_log = logging.getLogger(__name__)


class Host:
    """Opens each vault once, on demand; ``autostarted`` when no person started this process."""

    def __init__(self, state: StateFolder, settings: Settings, *, autostarted: bool = False) -> None:
        self.state = state
        self.autostarted = autostarted
        self.token = secrets.token_urlsafe(32)
        self.presence = Presence()
        self.server = VaultServer(_status_of, self._ready)
        self.ending = anyio.Event()
        self._settings = settings
        self._projects = known_projects(state, settings)
        self._vaults: dict[Path, OpenVault] = {}
        self._fresh: dict[str, tuple[OpenVault, float]] = {}
        self._opening = threading.Lock()
        self._publishing = threading.Lock()
        self._published: Published | None = None

    def open(self, root: Path) -> OpenVault:
        """Return the vault, opened and watched; any thread may call.

        Raises:
            Invalid: when it is no folder, or its settings cannot be understood.

        """
        key = root.expanduser().resolve()
        with self._opening:
            if key in self._vaults:
                return self._vaults[key]
            vault = open_vault(root, self.state, self._settings, self._projects)
            vault.start()
            self._vaults[key] = vault
            self._fresh[vault.services.project_id] = (vault, time.monotonic() + _PATIENCE)
            self._tell()
            _log.info("Opened a vault.")
            # What is loaded now lives as long as the process; the collector need not look at it again.
            gc.collect()
            gc.freeze()
            return vault

    def connection(
        self, vault: Path | None, project: str | None = None, tools: str = "full", *, person: bool = False
    ) -> Connection:
        """Return a new connection, tied to a vault or a project if one was asked for; that is opened.

        Raises:
            SidecarError: when the vault, the project or the tools cannot be had.

        """
        chosen = tools_of(name.strip() for name in tools.split(",") if name.strip())
        root = Path(self._projects.meant(project, None).path) if project is not None else vault
        desk = self.untied_desk() if root is None else Desk.tied_to(self.open(root).services)
        session = secrets.token_hex(6)
        audience = Audience.PERSON if person else Audience.AGENT
        return Connection(desk, chosen, lambda _client, _http: session, audience)

    def untied_desk(self) -> Desk:
        """Return the desk of connections where each call says which project it means."""

        async def services(project: Project) -> Services:
            return (await anyio.to_thread.run_sync(self.open, Path(project.path))).services

        return Desk(self._projects, None, services)

    def visitors(self) -> Connection:
        """Return what all clients over HTTP share."""
        return Connection(self.untied_desk(), tools_of(), HttpSessions().of)

    def publish(self, published: Published) -> None:
        """Let clients find this process."""
        self._published = published
        self._tell()

    def withdraw(self) -> None:
        """Let no further client find this process; any number of times."""
        with self._publishing:
            if self._published is not None:
                self._published.withdraw()
            self._published = None

    @property
    def port(self) -> int | None:
        """The port on which HTTP is served."""
        return self._published.endpoint.port if self._published is not None else None

    def end(self, reason: str) -> None:
        """Begin to end; on the loop thread."""
        if not self.ending.is_set():
            _log.info("Ending: %s.", reason)
            self.ending.set()

    def close(self) -> None:
        """Finish running changes and close all vaults."""
        with self._opening:
            for vault in self._vaults.values():
                vault.close()

    def _tell(self) -> None:
        ids = {vault_key(root): vault.services.project_id for root, vault in tuple(self._vaults.items())}
        with self._publishing:
            if self._published is not None:
                self._published.tell(ids)

    async def _ready(self, services: Services, report: Report) -> None:
        """Wait a moment for the first index of a vault that was just opened."""
        vault, until = self._fresh.get(services.project_id, (None, 0.0))
        while vault is not None and not vault.pipeline.settle(0) and time.monotonic() < until:
            look = vault.pipeline.progress
            await report(look.total - look.pending, look.total, "Indexing")
            await anyio.sleep(_STEP)
        self._fresh.pop(services.project_id, None)


def _status_of(services: Services) -> dict[str, Any]:
    return status_json(services.status.look())
