"""The worker processes of one build, as the process that started them sees them."""

import logging
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, Queue
from shutil import rmtree
from threading import Lock, Thread
from typing import Any, TypeAlias

import sidecar
from sidecar.index.built import BUILD, BuiltSegment
from sidecar.index.generation import SegmentRecord
from sidecar.model.path import VaultPath
from sidecar.pipeline.build.wire import ReadFile, file_of, read_frame, write_frame

__all__ = ["Crew", "Finding", "Job", "Left"]

Job: TypeAlias = tuple[VaultPath, bool]
"""A file to read, and whether it may be found."""

_WORKERS = 2
_BATCH = 32
_AHEAD = 2
"""Batches that a worker has in hand, so that it never waits for the next."""
_PATIENCE = 60.0
"""Seconds after which a worker that says nothing is hanging; it reads for about one second between two words."""
_MOST_WAITING = 16
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Left:
    """Files that no worker brought to an end; whoever asked has to look at them."""

    paths: tuple[VaultPath, ...]


Finding: TypeAlias = ReadFile | BuiltSegment | Left


@dataclass(slots=True)
class _Member:
    """One worker process and what it has in hand."""

    process: "subprocess.Popen[bytes]"
    folder: Path
    heard: float = field(default_factory=time.monotonic)
    in_hand: "deque[list[Job]]" = field(default_factory=deque)
    unsaved: list[VaultPath] = field(default_factory=list)
    """Files it has read and not yet written a segment of."""


class Crew:
    """Has the files read and indexed, the first first; what comes of it is fetched with ``take``."""

    def __init__(self, root: Path, index_folder: Path, jobs: Iterable[Job], workers: int = _WORKERS) -> None:
        """Start the processes.

        Raises:
            OSError: when that cannot be done.

        """
        self._jobs = deque(jobs)
        self._lock = Lock()
        self._findings: Queue[list[Finding]] = Queue(_MOST_WAITING)
        self._closing = False
        self.has_failed = False
        """A process ended before its work did."""
        self._members: list[_Member] = []
        self._threads: list[Thread] = []
        try:
            for _ in range(workers):
                self._members.append(_start(root, index_folder))
        except OSError:
            self.close()
            raise
        self._threads += [Thread(target=self._attend, args=(member,), daemon=True) for member in self._members]
        for thread in self._threads:
            thread.start()

    def take(self, seconds: float) -> list[Finding] | None:
        """Return what was found next, after waiting so long nothing; ``None`` when there will be no more."""
        self._kill_hanging()
        alive = any(thread.is_alive() for thread in self._threads)
        try:
            return self._findings.get(timeout=seconds) if alive else self._findings.get_nowait()
        except Empty:
            pass
        left = () if alive else self._jobs_left()
        return [] if alive else [Left(left)] if left else None

    def close(self) -> None:
        """End the processes, whatever they are doing, and remove what they wrote."""
        self._closing = True
        self._jobs.clear()
        for member in self._members:
            member.process.kill()
        for thread in self._threads:
            while thread.is_alive():
                self._drain()
                thread.join(0.05)
        for member in self._members:
            _end(member)

    def _attend(self, member: _Member) -> None:
        """Give a worker its jobs and take what it answers; runs on a thread of its own."""
        try:
            for _ in range(_AHEAD):
                self._hand_out(member)
            while member.in_hand and (answer := self._hear(member)) is not None:
                if "files" in answer:
                    member.in_hand.popleft()
                    self._hand_out(member)
                self._tell(member, answer)
            if not member.in_hand and member.process.stdin:
                write_frame(member.process.stdin, {"finish": True})
                while (answer := self._hear(member)) is not None:
                    self._tell(member, answer)
        except OSError:
            pass  # it died; what it had in hand is left
        left = [*member.unsaved, *(path for batch in member.in_hand for path, _ in batch)]
        if left and not self._closing:
            _log.warning("A process that builds the index ended early.")
            self.has_failed = True
            self._findings.put([Left(tuple(left))])

    def _hand_out(self, member: _Member) -> None:
        with self._lock:
            batch = [self._jobs.popleft() for _ in range(min(_BATCH, len(self._jobs)))]
        if batch and member.process.stdin:
            member.in_hand.append(batch)
            write_frame(member.process.stdin, {"files": batch})

    @staticmethod
    def _hear(member: _Member) -> Any:  # noqa: ANN401 - JSON
        answer = read_frame(member.process.stdout) if member.process.stdout else None
        member.heard = time.monotonic()
        return answer

    def _tell(self, member: _Member, answer: Any) -> None:  # noqa: ANN401 - JSON
        found: list[Finding] = []
        if "files" in answer:
            found += map(file_of, answer["files"])
            member.unsaved += (file.stat.path for file in found if isinstance(file, ReadFile) and file.is_indexed)
            if answer["left"]:
                found.append(Left(tuple(map(VaultPath, answer["left"]))))
        else:
            paths = tuple(map(VaultPath, answer["paths"]))
            record = SegmentRecord(answer["segment"], len(paths), answer["totals"])
            found.append(BuiltSegment(member.folder, record, paths))
            member.unsaved.clear()
        if not self._closing:
            self._findings.put(found)

    def _jobs_left(self) -> tuple[VaultPath, ...]:
        with self._lock:
            left = tuple(path for path, _ in self._jobs)
            self._jobs.clear()
        return left

    def _kill_hanging(self) -> None:
        limit = time.monotonic() - _PATIENCE
        for member in self._members:
            if member.in_hand and member.heard < limit and self._findings.empty():
                member.process.kill()

    def _drain(self) -> None:
        with suppress(Empty):
            while True:
                self._findings.get_nowait()


def _start(root: Path, index_folder: Path) -> _Member:
    folder = Path(tempfile.mkdtemp(prefix=BUILD, dir=index_folder))
    try:
        process = subprocess.Popen(  # noqa: S603 - our own interpreter
            [sys.executable, "-m", "sidecar.pipeline.build", str(root.absolute()), str(folder.absolute())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # a traceback may quote a note
            cwd=Path(sidecar.__file__).parents[1],  # where it finds this very package
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except OSError:
        folder.rmdir()
        raise
    return _Member(process, folder)


def _end(member: _Member) -> None:
    with suppress(OSError), member.process as process:
        process.kill()
    rmtree(member.folder, ignore_errors=True)
