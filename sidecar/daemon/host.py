"""What the serving process holds: open vaults, the connections to them, and who is there."""

import gc
import logging
import secrets
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any
from uuid import uuid4

import anyio

from sidecar.app import OpenVault, known_projects, open_vault
from sidecar.bridge.daemon import Client
from sidecar.bridge.publishing import StatusNews
from sidecar.config import Settings, StateFolder
from sidecar.daemon.clients import HttpVisitors, Visitor
from sidecar.daemon.endpoint import Published, vault_key
from sidecar.daemon.presence import Presence
from sidecar.daemon.sessions import HttpSessions
from sidecar.errors import Refused
from sidecar.given_folder import given_folder
from sidecar.registry import Project
from sidecar.services.caller import Audience
from sidecar.services.services import Services
from sidecar.services.shelf import delete_derived
from sidecar.tools.desk import Desk
from sidecar.tools.families import tools_of
from sidecar.tools.server import Connection, Report, VaultServer
from sidecar.tools.status_view import status_json

__all__ = ["Host"]

_PATIENCE = 1.0
"""Seconds in which calls wait for a vault just opened: one of a few hundred notes is complete at the first question."""
_STEP = 0.05
_SWITCH_INTERVAL = 0.0005
"""Seconds for which a thread in the background may keep a call from going on, each time the call waited for a disk."""
_log = logging.getLogger(__name__)


class Host:
    """Opens each vault once, on demand; ``autostarted`` when no person started this process."""

    def __init__(self, state: StateFolder, settings: Settings, *, autostarted: bool = False) -> None:
        self.state = state
        self.autostarted = autostarted
        self.token = secrets.token_urlsafe(32)
        self.instance_id = uuid4().hex
        self.news = StatusNews()
        self.presence = Presence()
        self.server = VaultServer(_status_of, self._ready)
        self.ending = anyio.Event()
        self._settings = settings
        self._projects = known_projects(state, settings, self)
        self._vaults: dict[Path, OpenVault] = {}
        self._keys: dict[str, OpenVault] = {}
        self._fresh: dict[str, tuple[OpenVault, float]] = {}
        self._opening = threading.RLock()
        self._tied: Counter[str] = Counter()
        self._visitors: set[Visitor] = set()
        self._over_http = HttpVisitors(HttpSessions())
        self._counting = threading.Lock()
        self._publishing = threading.Lock()
        self._published: Published | None = None
        sys.setswitchinterval(_SWITCH_INTERVAL)

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
            self._keys[vault_key(key)] = vault
            self.server.watch(vault.services)
            self.news.watch(vault.bridge)
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
        root = Path(self._projects.meant(project, None).path) if project is not None else vault and given_folder(vault)
        desk = self.untied_desk() if root is None else self._tied_desk(root)
        visitor = Visitor(secrets.token_hex(6), desk.tied.project_id if desk.tied is not None else None)
        if not person:
            with self._counting:
                self._visitors.add(visitor)
        return Connection(desk, chosen, visitor, Audience.PERSON if person else Audience.AGENT)

    def _tied_desk(self, root: Path) -> Desk:
        with self._opening:
            services = self.open(root).services
            with self._counting:
                self._tied[services.project_id] += 1
            return Desk.tied_to(services)

    def let_go(self, connection: Connection) -> None:
        """Take note that a connection ended."""
        with self._counting:
            self._visitors = {v for v in self._visitors if v is not connection.session}
        if connection.desk.tied is not None:
            with self._counting:  # not the other lock: a vault that is being opened must not stop the loop
                self._tied[connection.desk.tied.project_id] -= 1

    @property
    def home(self) -> Path:
        """The state folder."""
        return self.state.root

    def open_project(self, project: Project) -> None:
        """Index a project and watch it from now on."""
        self.open(Path(project.path))

    def check_unused(self, project: Project) -> None:
        """Check that no connection is tied to a project.

        Raises:
            Refused: when one is.

        """
        if self._tied[project.id] > 0:
            raise Refused(
                f"A client is connected to '{project.name}' and to nothing else.",
                hint="Disconnect it first, or change its configuration.",
            )

    def forget(self, project: Project) -> None:
        """Close a project that is not in the list any more, and delete what was derived from its files."""
        with self._opening:
            if self._tied[project.id] > 0:
                return  # a client came meanwhile, by the folder's path
            vault = self._vaults.pop(Path(project.path), None)
            self._keys.pop(vault_key(Path(project.path)), None)
            self.server.forget(project.id)
            self.news.forget(project.id)
            self._fresh.pop(project.id, None)
            if vault is not None:
                vault.close()
                self._tell()
                _log.info("Closed a vault.")
            delete_derived(self.state.of_project(project.id))

    def untied_desk(self) -> Desk:
        """Return the desk of connections where each call says which project it means."""

        async def services(project: Project) -> Services:
            return (await anyio.to_thread.run_sync(self.open, Path(project.path))).services

        return Desk(self._projects, None, services)

    def visitors(self) -> Connection:
        """Return what all clients over HTTP share."""
        return Connection(self.untied_desk(), tools_of(), self._over_http.of)

    def opened(self, key: str) -> OpenVault | None:
        """Return the open vault of this :func:`vault_key`; any thread may call."""
        return self._keys.get(key)

    def clients(self, project_id: str) -> tuple[Client, ...]:
        """Return the AI clients that may reach a project."""
        with self._counting:
            visitors = [v for v in self._visitors if v.project_id in (None, project_id)]
        return (*sorted((v.told for v in visitors), key=lambda client: client.since), *self._over_http.now)

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
