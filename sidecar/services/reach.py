"""How a vault can be reached from other programs and other machines, and what of that is on."""

import json
from dataclasses import dataclass
from pathlib import Path

from sidecar.config import StateFolder
from sidecar.services.threads import Threads
from sidecar.vault.obsidian_settings import CurrentSettings
from sidecar.vault.sync_ways import SyncWay, sync_ways

__all__ = ["Reach", "ReachReport"]


@dataclass(frozen=True, slots=True)
class ReachReport:
    """What is on. ``endpoint`` is where HTTP is served on this machine; the secret in ``token_file`` is not in here."""

    vault: Path
    endpoint: str | None
    token_file: Path
    ways: tuple[SyncWay, ...]


class Reach:
    """Tells how a vault is reached."""

    def __init__(self, root: Path, state: StateFolder, settings: CurrentSettings, threads: Threads) -> None:
        self._root = root
        self._state = state
        self._settings = settings
        self._threads = threads

    @property
    def vault_name(self) -> str:
        """The name by which Obsidian knows the vault: that of its folder, whatever the project is called."""
        return self._root.name

    async def report(self) -> ReachReport:
        """Return what is on now."""
        return await self._threads.read(self._report)

    def _report(self) -> ReachReport:
        return ReachReport(
            self._root,
            self._endpoint(),
            self._state.run / "http-token",
            sync_ways(self._root, self._settings.now().config_dir),
        )

    def _endpoint(self) -> str | None:
        """Return the address that the serving process has published, if it serves HTTP."""
        try:
            port = json.loads((self._state.run / "endpoint.json").read_text("utf-8"))["port"]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return f"http://127.0.0.1:{port}/mcp" if port else None
