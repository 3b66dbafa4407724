"""Comparing the whole disk with catalog and index, and deciding which deletions to believe."""

import os
from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from sidecar.catalog.store import Catalog
from sidecar.errors import Unavailable
from sidecar.model.file import FileStat
from sidecar.model.path import VaultPath
from sidecar.model.search import PropertyIs
from sidecar.pipeline.differences import Differences, differences, has_text
from sidecar.pipeline.holding import DeletionHold
from sidecar.pipeline.indexing import FileIndex, Indexing
from sidecar.pipeline.pending import CHANGED, GONE, Look
from sidecar.vault.files import VaultFiles
from sidecar.vault.ignore import CurrentRules

__all__ = ["PRIVATE", "Compared", "Comparing"]

PRIVATE = PropertyIs("private", value=True)
"""Notes with it are denied to agents."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What a comparison found, and the looks that come of it, deletions first and then the newest files."""

    differences: Differences
    looks: Mapping[VaultPath, Look]


class Comparing:
    """Reads disk, catalog and index, and writes nothing. One comparison at a time, on any thread."""

    def __init__(
        self,
        files: VaultFiles,
        catalog: Catalog,
        index: FileIndex,
        rules: CurrentRules,
        indexing: Indexing,
        hold: DeletionHold,
    ) -> None:
        self._files = files
        self._catalog = catalog
        self._index = index
        self._rules = rules
        self._indexing = indexing
        self._hold = hold

    def compare(self, leaving: AbstractSet[VaultPath], stopping: Event) -> Compared | None:
        """List the whole vault and compare; ``None`` when ``stopping`` was set meanwhile.

        Files that are ``leaving`` already are not missed.

        Raises:
            Unavailable: when the vault's folder cannot be listed; all deletions are held then.

        """
        # What is known before the listing: a file that an agent writes meanwhile is found again, and then found equal.
        known, doubtful = self._catalog.known(), self._indexing.young | self._indexing.unreadable
        held = self._index.paths_held()
        on_disk: dict[VaultPath, FileStat] = {}
        try:
            for stat in self._files.scan():
                on_disk[stat.path] = stat
                if stopping.is_set():
                    return None
        except Unavailable as error:
            self._hold.root_is_missing(error.message)
            raise
        unreadable = self._unreadable()
        if leaving or unreadable:
            aside = {
                path for path in {*known, *held} if path in leaving or _is_within(path, unreadable)
            } - on_disk.keys()
            known = {path: state for path, state in known.items() if path not in aside}
            held = held - aside
        rules = self._rules.latest()
        denied = rules.denied_among(on_disk) | self._catalog.reader().matching(PRIVATE)
        found = differences(on_disk, known, held, denied)
        believed = self._hold.judge(found.gone, found.vanished, lambda: sum(map(has_text, known)))
        again = {path: Look(is_unindexed=True, known=known.get(path)) for path in found.unindexed}
        looks = {
            **{path: GONE if path in known else Look(may_be_gone=True, is_unindexed=True) for path in believed},
            **{path: again.pop(path, CHANGED) for path in found.changed},
            **dict.fromkeys(found.unread.union(doubtful & on_disk.keys()), CHANGED),
            **again,
        }
        return Compared(found, looks)

    def may_vanish(self, gone: Collection[VaultPath]) -> bool:
        """Tell whether files that an event named may be forgotten without comparing everything."""
        if not self._files.root.is_dir():
            return False
        vanished = sum(map(has_text, gone))
        return self._hold.passes(vanished, lambda: sum(map(has_text, self._catalog.known())))

    def _unreadable(self) -> tuple[str, ...]:
        """Return files and folders that cannot be looked at just now: neither they nor what they hold is gone."""
        return tuple(p.path for p in self._files.problems if _is_refused(self._files.root / p.path))


def _is_within(path: VaultPath, places: tuple[str, ...]) -> bool:
    return any(path == place or path.is_under(place) for place in places)


def _is_refused(place: Path) -> bool:
    try:
        with os.scandir(place):
            return False
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError:
        return True
