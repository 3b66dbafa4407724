"""What the person may ask of the sidecar itself: to rest, to read everything anew, and to say how far it is."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from sidecar.config import AccessSettings
from sidecar.pipeline.events import EventHub
from sidecar.pipeline.pipeline import Pipeline
from sidecar.pipeline.writer_thread import WriterThread
from sidecar.vault.ignore import RULES_FILE

__all__ = ["Upkeep", "WorkState", "WorkingState"]


class WorkState(StrEnum):
    """What a vault's index is doing."""

    STARTING = "starting"
    """The files were not compared with the index yet."""
    INDEXING = "indexing"
    PAUSED = "paused"
    READY = "ready"
    ERROR = "error"
    """Catalog or index cannot be written; it is tried again."""


@dataclass(frozen=True, slots=True)
class WorkingState:
    """How far the index is, in files."""

    state: WorkState
    done: int
    total: int


class Upkeep:
    """Governs the background work of one vault; callable from any thread."""

    def __init__(
        self, pipeline: Pipeline, writer: WriterThread, work: EventHub[None], root: Path, access: AccessSettings
    ) -> None:
        self._pipeline = pipeline
        self._writer = writer
        self._work = work
        self._root = root
        self.access = access
        """The access rules of ``config.toml``."""

    @property
    def now(self) -> WorkingState:
        """How far the index is."""
        progress = self._pipeline.progress
        state = WorkState.READY
        if self._writer.is_held:
            state = WorkState.PAUSED
        elif progress.fault is not None:
            state = WorkState.ERROR
        elif progress.last_reconcile_ns is None:
            state = WorkState.STARTING
        elif progress.pending:
            state = WorkState.INDEXING
        return WorkingState(state, max(0, progress.total - progress.pending), progress.total)

    def subscribe(self, listener: Callable[[None], object]) -> Callable[[], None]:
        """Call ``listener`` whenever background work begins, ends, fails or is paused; the result unsubscribes."""
        return self._work.subscribe(listener)

    def pause(self, *, paused: bool) -> None:
        """Leave changes from outside unindexed until this is taken back; agents' writes go on and are indexed."""
        self._writer.hold(held=paused)
        self._work.publish(None)

    async def rebuild(self) -> None:
        """Have every file read and indexed anew in the background."""
        await asyncio.to_thread(self._pipeline.rebuild)

    def patterns_of_vault(self) -> Sequence[str]:
        """Return the patterns of ``.mcpignore``; none when there is no such file or it cannot be read."""
        try:
            lines = (self._root / RULES_FILE).read_text("utf-8-sig", "replace").splitlines()
        except OSError:
            return ()
        return tuple(line for line in lines if line.strip() and not line.startswith("#"))
