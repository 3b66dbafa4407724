"""Canvases are planned off the writer thread, which has no time for layouts, and written if nobody was faster."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from sidecar.errors import NotFound, Stale
from sidecar.model.change import ChangeSet, Entry, Op
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath
from sidecar.services.caller import Caller
from sidecar.services.canvas_reading import CanvasFiles
from sidecar.services.commit import Committer, Plan
from sidecar.services.relink import RelinkedFile, Relinker, Relinking
from sidecar.services.threads import Threads
from sidecar.services.versions import Versions
from sidecar.services.views import View, Views
from sidecar.vault.files import VaultFiles

__all__ = ["CanvasPlan", "CanvasWriter", "CanvasWritten", "exists_in"]

T = TypeVar("T")
_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class CanvasPlan(Generic[T]):
    """New bytes for a canvas, those it was decided on (``None``: there was none), and what to tell of it."""

    path: VaultPath
    before: bytes | None
    after: bytes
    summary: str
    about: T


@dataclass(frozen=True, slots=True)
class CanvasWritten:
    """What every change of a canvas tells."""

    path: VaultPath
    checksum: str
    action: Literal["created", "updated", "unchanged"]
    change: str | None
    """Id of the change for undo; ``None`` when nothing had to change."""
    is_open: bool
    """Whether Obsidian shows it; it has loaded the new version then."""
    relinked: tuple[RelinkedFile, ...] = ()
    """Files with links that a new canvas of this name would have led astray (M8); they lead where they led."""


class CanvasWriter:
    """Writes canvases, each in one change."""

    def __init__(
        self,
        found: CanvasFiles,
        committer: Committer,
        views: Views,
        files: VaultFiles,
        threads: Threads,
        relinker: Relinker,
        versions: Versions,
    ) -> None:
        self.found = found
        self.versions = versions
        self._committer = committer
        self._views = views
        self._files = files
        self._threads = threads
        self._relinker = relinker

    def newest(self, caller: Caller) -> View:
        """Return what the caller may see now; callable from any thread."""
        return self._views.newest(caller.audience)

    async def read(self, caller: Caller, work: Callable[[View], T]) -> T:
        """Look at what the caller may see, on a reader thread."""
        return await self._threads.read(lambda: work(self.newest(caller)))

    async def write(
        self, caller: Caller, plan: Callable[[View], CanvasPlan[T]], *, tool: str, reason: str | None
    ) -> tuple[CanvasWritten, T]:
        """Plan on a reader thread and write; plan again when the file changed in between.

        Raises:
            Refused: when the user's rules forbid it.
            Stale: when the file keeps changing.
            ChangePending: when the user wants to be asked before.

        """
        for attempt in range(_ATTEMPTS):
            planned = await self._threads.read(lambda: plan(self.newest(caller)))
            try:
                written = await self._committed(caller, planned, tool, reason)
            except Stale:
                if attempt == _ATTEMPTS - 1:
                    raise
                continue
            return written, planned.about
        raise AssertionError("unreachable")

    async def _committed(self, caller: Caller, planned: CanvasPlan[T], tool: str, reason: str | None) -> CanvasWritten:
        path, before, after = planned.path, planned.before, planned.after

        def change(view: View) -> Plan[Relinking]:
            if self._now(path) != before:
                raise Stale(f"'{path}' keeps changing.", hint="Try again.", data={"path": path})
            links = Relinking()
            if before == after:
                return Plan(ChangeSet(tool, (), planned.summary, reason), links)
            if before is None:
                links = self._relinker.plan(view, added=(path,))
                entry = Entry(Op.CREATE, path, None, after)
            else:
                entry = Entry(Op.REPLACE, path, checksum(before), after)
            entries = (entry, *links.entries)
            return Plan(ChangeSet(tool, entries, planned.summary, reason, mended=links.mended), links)

        done = await self._committer.apply(change, caller)
        return CanvasWritten(
            path,
            self.versions.served(after),
            "created" if before is None else "updated" if done.recorded else "unchanged",
            done.recorded.id if done.recorded else None,
            self.found.is_open(path),
            done.about.files,
        )

    def _now(self, path: VaultPath) -> bytes | None:
        try:
            return self._files.read(path)
        except NotFound:
            return None


def exists_in(view: View) -> Callable[[str], bool]:
    """Return what tells whether the audience knows a file of this path."""
    return lambda file: view.state(VaultPath(file)) is not None
