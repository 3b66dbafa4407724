"""The worker: ``python -m sidecar.pipeline.build VAULT FOLDER`` reads, parses and indexes the files it is told.

Frames come on standard input: ``{"files": [[path, may be found], …]}``, and at last ``{"finish": true}``. To each of
the first it answers ``{"files": …, "left": paths it could not read}``, and with a segment whenever one is full. It ends
when standard input does, so it never outlives the process that started it.
"""

import gc
import os
import signal
import sys
import time
from pathlib import Path
from typing import IO, Any

from sidecar.index.pool import Pool
from sidecar.index.segment_file import new_segment
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath
from sidecar.parse.file import parse_file, parse_name
from sidecar.pipeline.build.wire import ReadFile, json_of, read_frame, write_frame
from sidecar.pipeline.differences import has_text
from sidecar.vault.files import VaultFiles
from sidecar.vault.glance import Glance
from sidecar.vault.ignore import Access, AccessRules

__all__ = ["Worker"]

_FIRST_SEGMENT = 1000
"""Files: the newest are found early."""
_POOL_SIZE = 55_000_000
_NICENESS = 5
_ONLY_PRIVATE = AccessRules()


class Worker:
    """Reads files and writes segments of them."""

    def __init__(self, root: Path, folder: Path, answer: IO[bytes]) -> None:
        self._files = VaultFiles(root)
        self._folder = folder
        self._answer = answer
        self._pool = Pool()
        self._is_first = True

    def look(self, jobs: list[tuple[str, bool]]) -> None:
        """Read the files, and index those that may be found."""
        found: list[Any] = []
        left: list[str] = []
        files = self._files.glance()
        for path, may_be_found in jobs:
            file = self._read(VaultPath(path), files, may_be_found=may_be_found)
            if file is None:
                left.append(path)
                continue
            found.append(json_of(file))
            if file.is_indexed:
                self._pool.add(file.parsed)
        write_frame(self._answer, {"files": found, "left": left})
        if self._pool.size > _POOL_SIZE or (self._is_first and len(self._pool.paths) >= _FIRST_SEGMENT):
            self.finish()

    def finish(self) -> None:
        """Write the segment of all that was read since the last one."""
        if self._pool.paths:
            name = new_segment()
            self._pool.write(self._folder, name)
            totals = self._pool.totals
            write_frame(self._answer, {"segment": name, "paths": self._pool.paths, "totals": totals})
        self._pool = Pool()
        self._is_first = False

    @staticmethod
    def _read(path: VaultPath, files: Glance, *, may_be_found: bool) -> ReadFile | None:
        found = files.stat(path)
        if found is None:
            return None
        read_ns = time.time_ns()
        digest, parsed = "", parse_name(path)
        if found.here and has_text(path):
            try:
                data = files.read(path)
                digest, parsed = checksum(data), parse_file(path, data)
            except Exception:  # noqa: BLE001 - the process that asked reads it itself, and says what is wrong
                return None
        is_indexed = may_be_found and _ONLY_PRIVATE.access(path, parsed.properties) is not Access.DENIED
        return ReadFile(found, digest, read_ns, is_indexed, parsed)


def main() -> None:
    """Work until told to finish."""
    gc.disable()  # what is read is freed without it, and it would look at all that waits for a segment
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    worker = Worker(Path(sys.argv[1]), Path(sys.argv[2]), sys.stdout.buffer)
    while message := read_frame(sys.stdin.buffer):
        if "finish" in message:
            worker.finish()
            return
        worker.look(message["files"])


if __name__ == "__main__":
    main()
