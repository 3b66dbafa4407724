"""How the sidecar itself is doing."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sidecar.journal.intents import SqliteJournal
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.pipeline.holding import Held
from sidecar.pipeline.missed import MissedFiles
from sidecar.pipeline.pipeline import Pipeline
from sidecar.semantic.meaning import MeaningProgress
from sidecar.services.caller import Audience
from sidecar.services.views import Views
from sidecar.vault.watcher import Watching

__all__ = ["Status", "VaultStatus"]


@dataclass(frozen=True, slots=True)
class VaultStatus:
    """One look at a vault's index. Times are nanoseconds since the epoch."""

    project: str
    vault: str
    files: Mapping[str, int]
    """Number of files by kind."""
    generation: int
    pending: int
    """Files that wait to be indexed; searches do not find their newest text yet."""
    total: int
    watching: Watching
    last_event_ns: int | None
    last_reconcile_ns: int | None
    missed: MissedFiles
    """Changes of which no event told."""
    held: Held | None
    """Files that vanished so suddenly that their deletion is not believed yet."""
    fault: str | None
    """Why catalog or index could not be written; tried again by itself."""
    problems: Mapping[VaultPath, str]
    journal_bytes: int
    meaning: MeaningProgress


class Status:
    """Answers how far the index is."""

    def __init__(
        self,
        project: str,
        root: Path,
        pipeline: Pipeline,
        views: Views,
        journal: SqliteJournal,
        watching: Callable[[], Watching],
        meaning: Callable[[], MeaningProgress],
    ) -> None:
        self._project = project
        self._root = root
        self._pipeline = pipeline
        self._views = views
        self._journal = journal
        self._watching = watching
        self._meaning = meaning

    @property
    def root(self) -> Path:
        """The vault's folder."""
        return self._root

    @property
    def pending(self) -> int:
        """Number of files that wait to be indexed, without those for which a search waits."""
        progress = self._pipeline.progress
        return max(0, progress.pending - progress.awaited)

    def look(self) -> VaultStatus:
        """Take one look; callable from any thread."""
        progress = self._pipeline.progress
        snapshot = self._views.newest(Audience.PERSON).snapshot
        kinds = Counter(kind_of(path) for path in snapshot.files)
        return VaultStatus(
            project=self._project,
            vault=str(self._root),
            files={kind.value: kinds[kind] for kind in FileKind},
            generation=snapshot.generation,
            pending=progress.pending,
            total=progress.total,
            watching=self._watching(),
            last_event_ns=progress.last_event_ns,
            last_reconcile_ns=progress.last_reconcile_ns,
            missed=progress.missed,
            held=progress.held,
            fault=progress.fault,
            problems=progress.problems,
            journal_bytes=self._journal.size(),
            meaning=self._meaning(),
        )
