"""How far the background work is."""

from collections.abc import Mapping
from dataclasses import dataclass

from sidecar.model.path import VaultPath
from sidecar.pipeline.holding import Held
from sidecar.pipeline.missed import MissedFiles

__all__ = ["Progress"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the background work of one vault is."""

    pending: int
    total: int
    """Files the current run of work began with; 0 when nothing is pending."""
    last_event_ns: int | None
    last_reconcile_ns: int | None
    problems: Mapping[VaultPath, str]
    """Files that could not be read, or not wholly, and why."""
    missed: MissedFiles
    """What the watcher did not tell."""
    held: Held | None
    """Deletions that are not believed yet."""
    fault: str | None
    """Why catalog or index could not be written just now."""
    awaited: int = 0
    """Those pending for which a search waits, so that it lacks none of them."""
