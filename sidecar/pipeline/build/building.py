"""A build under way: what the workers find goes to catalog and index."""

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sidecar.index.built import BuiltSegment
from sidecar.model.path import VaultPath
from sidecar.pipeline.build.crew import Crew, Job, Left
from sidecar.pipeline.build.wire import ReadFile

__all__ = ["Building", "BuiltIndex", "Step"]

_SECONDS = 0.01
"""How long the writer thread waits for a finding; an agent's write waits no longer for that."""
_log = logging.getLogger(__name__)


class BuiltIndex(Protocol):
    """What a build needs of the search index."""

    @property
    def folder(self) -> Path: ...

    def expect(self, paths: Iterable[VaultPath]) -> None: ...

    def expect_no_more(self, paths: Iterable[VaultPath]) -> None: ...

    def expects(self, path: VaultPath) -> bool: ...

    def adopt(self, built: BuiltSegment) -> None: ...

    def remove(self, path: VaultPath) -> None: ...


@dataclass(frozen=True, slots=True)
class Step:
    """What one step of a build brought: files that are done, and files to look at in this process."""

    done: tuple[VaultPath, ...] = ()
    left: tuple[VaultPath, ...] = ()
    is_publishable: bool = False
    """A segment came, so that files can be found that could not before."""


class Building:
    """Has files read and indexed by worker processes; only on the writer thread, but for ``close``."""

    def __init__(self, root: Path, index: BuiltIndex, take: Callable[[ReadFile], None]) -> None:
        """``take`` is called with each file that was read, to bring the catalog up to date."""
        self._root = root
        self._index = index
        self._take = take
        self._crew: Crew | None = None
        self._paths: set[VaultPath] = set()
        self.is_possible = True
        """Workers can be had; once they failed, they are not asked again."""

    @property
    def is_running(self) -> bool:
        """Whether files are out at the workers."""
        return bool(self._paths)

    def begin(self, jobs: Sequence[Job]) -> None:
        """Start workers for these files, of which those come first that are to be found first."""
        self._paths = {path for path, _ in jobs}
        self._index.expect(path for path, may_be_found in jobs if may_be_found)
        try:
            self._crew = Crew(self._root, self._index.folder, jobs)
        except OSError as error:
            _log.warning("No process could be started to build the index: %s.", type(error).__name__)

    def step(self) -> Step:
        """Bring what the workers found next into catalog and index, after waiting a moment for it.

        Raises:
            Unavailable: when the index cannot take a segment.

        """
        crew = self._crew
        findings = crew.take(_SECONDS) if crew else None
        self.is_possible = crew is not None and not crew.has_failed
        if findings is None:
            unfinished = tuple(self._paths)
            self.close()
            return Step(left=unfinished)
        done: list[VaultPath] = []
        left: list[VaultPath] = []
        for finding in findings:
            match finding:
                case ReadFile():
                    self._take_file(finding)
                    if not finding.is_indexed:
                        done.append(finding.stat.path)
                case BuiltSegment():
                    self._index.adopt(finding)
                    done += finding.paths
                case Left(paths):
                    left += paths
        self._index.expect_no_more(left)
        self._paths.difference_update(done, left)
        if not self._paths:
            self.close()
        has_segment = any(isinstance(finding, BuiltSegment) for finding in findings)
        return Step(tuple(done), tuple(left), has_segment)

    def supersede(self, paths: Iterable[VaultPath]) -> None:
        """Look no more at what workers say of these files: someone looked at them later."""
        self._paths.difference_update(paths)

    def close(self) -> None:
        """End the workers; what they had not finished is expected no more. Any thread may call."""
        crew, self._crew = self._crew, None
        if crew is not None:
            crew.close()
        self._index.expect_no_more(self._paths)
        self._paths = set()

    def _take_file(self, file: ReadFile) -> None:
        path = file.stat.path
        if path not in self._paths:
            return
        if not file.is_indexed:
            self._index.remove(path)
        self._take(file)
