"""Where all links lead at one moment, file by file; what a change does not touch is not asked for again."""

import json
import sqlite3
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

from sidecar.catalog.reader import State
from sidecar.catalog.records import LinkEnd
from sidecar.catalog.resolve import link_keys_of
from sidecar.catalog.snapshot import Snapshot
from sidecar.catalog.targets import Targets
from sidecar.model.note import LinkKind
from sidecar.model.path import VaultPath

__all__ = ["KnownLinks"]

_KINDS = {kind.value: kind for kind in LinkKind}
_ALL = "SELECT file, n, kind, linkpath FROM link ORDER BY file, n"
_OF_FILE = "SELECT file, n, kind, linkpath FROM link WHERE file = ? ORDER BY n"
_NAMING = "SELECT DISTINCT file FROM link WHERE name_key IN (SELECT value FROM json_each(?))"
_MANY = 500
"""So many touched files are asked for together with all others."""


@dataclass(frozen=True, slots=True)
class KnownLinks:
    """The links of all files of one generation, each file's the very same object as before unless it was touched."""

    generation: int = -1
    by_file: Mapping[VaultPath, tuple[LinkEnd, ...]] = field(default_factory=dict)
    """Files without links are not among them; in no certain order."""
    _snapshot: Snapshot | None = None

    def at(self, now: State) -> "KnownLinks":
        """Return the links of that moment.

        Only those are asked for that stand in files which changed since, or bear the name of one that came or went.
        """
        snapshot = now.snapshot
        if snapshot.generation == self.generation:
            return self
        if self._snapshot is None:
            return KnownLinks(snapshot.generation, _all(now.db, snapshot), snapshot)
        before, files = self._snapshot.files, snapshot.files
        # Whatever is written of a file gives it a new state, so one that is the same object has the same links.
        touched = {path for path, state in files.items() if before.get(path) is not state}
        named = [path for path in touched if path not in before]
        gone = [path for path in before if path not in files]
        if len(touched) + len(gone) <= _MANY:
            ids = {state.id: path for path, state in files.items()} if named or gone else {}
            keys = sorted({key for path in (*named, *gone) for key in link_keys_of(path)})
            touched |= {ids[file] for (file,) in now.db.execute(_NAMING, (json.dumps(keys),))} if keys else set()
        if len(touched) + len(gone) > _MANY:
            return KnownLinks(snapshot.generation, _all(now.db, snapshot), snapshot)
        by_file = {path: ends for path, ends in self.by_file.items() if path in files}
        by_file |= _of_files(now.db, snapshot, touched)
        return KnownLinks(snapshot.generation, {path: ends for path, ends in by_file.items() if ends}, snapshot)


def _all(db: sqlite3.Connection, snapshot: Snapshot) -> dict[VaultPath, tuple[LinkEnd, ...]]:
    paths = {state.id: path for path, state in snapshot.files.items()}
    targets = Targets(snapshot)
    found = {}
    for file, rows in groupby(db.execute(_ALL), key=itemgetter(0)):
        found[paths[file]] = _ends(rows, paths[file], targets)
    return found


def _of_files(
    db: sqlite3.Connection, snapshot: Snapshot, paths: Collection[VaultPath]
) -> dict[VaultPath, tuple[LinkEnd, ...]]:
    targets = Targets(snapshot)
    return {path: _ends(db.execute(_OF_FILE, (snapshot.files[path].id,)), path, targets) for path in paths}


def _ends(rows: Iterable[tuple[int, int, str, str]], source: VaultPath, targets: Targets) -> tuple[LinkEnd, ...]:
    return tuple(LinkEnd(source, n, _KINDS[kind], targets.of(kind, linkpath, source)) for _, n, kind, linkpath in rows)
