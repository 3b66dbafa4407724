"""Searches that miss nothing while the index is behind: they scan the files that it does not show as they are.

What was scanned is kept in a small index beside the large one until that has caught up.
"""

import logging
import tempfile
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import rmtree
from time import monotonic

from sidecar.catalog.store import Catalog
from sidecar.errors import SidecarError
from sidecar.index.built import BUILD
from sidecar.index.errors import IndexDamaged
from sidecar.index.whoosh_index import WhooshIndex
from sidecar.model.file import FileStat
from sidecar.model.note import ParsedFile
from sidecar.model.path import VaultPath
from sidecar.model.ports import Scope, SearchIndex, Texts
from sidecar.model.search import Hits, Leaf, SearchFilter, SearchRequest
from sidecar.parse.file import parse_file, parse_name
from sidecar.pipeline.comparing import PRIVATE
from sidecar.pipeline.differences import has_text
from sidecar.vault.files import VaultFiles
from sidecar.vault.glance import Glance
from sidecar.vault.ignore import Access, CurrentRules

__all__ = ["CoveringIndex"]

_SECONDS = 0.3
"""For the scan of one search; the next one goes on where it ended."""
_CATCHING_UP = 2.0
"""What an agent has just changed is indexed in this time, unless it is thousands of files."""
_MOST = 5000
"""Files kept beside the index, so that the memory they take has a bound."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Part:
    """A scope without some files (``is_all_but``), or with no others than these."""

    scope: Scope
    known: Callable[[], AbstractSet[VaultPath]]
    paths: AbstractSet[VaultPath]
    is_all_but: bool

    def matching(self, leaf: Leaf) -> frozenset[VaultPath]:
        return self.scope.matching(leaf)

    def allowed(self, conditions: SearchFilter) -> frozenset[VaultPath]:
        allowed = self.scope.allowed(conditions)
        if self.is_all_but:
            return frozenset(self.known() if allowed is None else allowed) - self.paths
        return frozenset(self.paths if allowed is None else self.paths & allowed)


class CoveringIndex(SearchIndex):
    """The search index as services see it; only the search thread may call ``search`` and ``vocabulary``.

    A damaged index is no error here: ``rebuild`` is called, and the files are scanned meanwhile, newest first, for a
    moment in each search. ``Hits.unchecked`` counts those there was no time for.
    """

    def __init__(
        self,
        index: WhooshIndex,
        files: VaultFiles,
        catalog: Catalog,
        rules: CurrentRules,
        waiting: Callable[[], tuple[VaultPath, ...]],
        rebuild: Callable[[], object],
        seconds: float = _SECONDS,
        catch_up: Callable[[float], object] = lambda _: None,
    ) -> None:
        """Take what a search reads; ``waiting`` tells which files are to be indexed anew, the most urgent first.

        ``catch_up`` waits a moment for the index to have what an agent has just changed: a scan would be the same work.
        """
        self._index = index
        self._files = files
        self._catalog = catalog
        self._rules = rules
        self._waiting = waiting
        self._rebuild = rebuild
        self._seconds = seconds
        self._catch_up = catch_up
        self._beside: WhooshIndex | None = None
        self._scanned: dict[VaultPath, FileStat | None] = {}

    def put(self, file: ParsedFile) -> None:
        """Add or replace one file in the index."""
        self._index.put(file)

    def remove(self, path: VaultPath) -> None:
        """Forget one file in the index."""
        self._index.remove(path)

    def commit(self) -> None:
        """Make all changes of the index visible."""
        self._index.commit()

    def search(self, request: SearchRequest, scope: Scope) -> Hits:
        """Rank the files that match, in the index or, where it is behind, in their text."""
        self._catch_up(_CATCHING_UP)
        if not self._index.is_damaged and not (behind := self._behind()):
            self._drop()
            try:
                return self._index.search(request, scope)
            except IndexDamaged:
                pass
        if self._index.is_damaged:
            self._rebuild()
            behind = self._behind()
        unchecked = self._scan(behind)
        first = replace(request, offset=0, limit=request.offset + request.limit)
        current = self._scanned.keys() & behind
        both = []
        if self._beside is not None:
            both.append(self._beside.search(first, self._part(scope, current, is_all_but=False)))
        with self._unless_damaged() as index:
            if index is not None:
                both.append(index.search(first, self._part(scope, current, is_all_but=True)))
        found = sorted((hit for hits in both for hit in hits.hits), key=lambda hit: (-hit.score, hit.path))
        page = found[request.offset : request.offset + request.limit]
        return Hits(tuple(page), sum(hits.total for hits in both), unchecked)

    def vocabulary(self, beginning: str) -> frozenset[str]:
        """Return the words that begin so, among them some that stand in no file any more."""
        words = self._beside.vocabulary(beginning) if self._beside is not None else frozenset()
        with self._unless_damaged() as index:
            if index is not None:
                words |= index.vocabulary(beginning)
        return words

    def texts(self) -> Texts:
        """Return the texts of notes as the index has them; of files that it does not show as they are there is none."""
        return self._index.texts(self._behind())

    def close(self) -> None:
        """Give up what is kept beside the index."""
        self._drop()

    def _behind(self) -> dict[VaultPath, None]:
        """Return the files that the index does not show as they are, in the order in which to scan them."""
        known = self._catalog.known()
        behind = dict.fromkeys(path for path in self._waiting() if path in known)
        if not self._index.is_partial:
            return behind
        denied = self._rules.latest().denied_among(known) | self._catalog.reader().matching(PRIVATE)
        lacking = sorted(self._index.lacking(known.keys() - denied), key=lambda path: -known[path].mtime_ns)
        return {**behind, **dict.fromkeys(lacking)}

    def _scan(self, behind: Iterable[VaultPath]) -> int:
        """Read files that are not as they were scanned last, as long as there is time; return how many are left."""
        end, files, left = monotonic() + self._seconds, self._files.glance(), 0
        for path in sorted(behind, key=self._scanned.__contains__):  # first those never scanned, in their order
            if monotonic() > end or (len(self._scanned) >= _MOST and path not in self._scanned):
                left += path not in self._scanned
                continue
            stat = files.stat(path)
            if path in self._scanned and self._scanned[path] == stat:
                continue
            if stat and not stat.here and not self._index.is_partial:
                continue  # the index keeps what it said before a cloud service took it away
            parsed = _read(stat, files) if stat else None
            if parsed and self._rules.access(path, parsed.properties) is Access.DENIED:
                parsed = None
            self._keep(path, stat, parsed)
        if self._beside is not None:
            self._beside.commit()
        return left

    def _keep(self, path: VaultPath, stat: FileStat | None, parsed: ParsedFile | None) -> None:
        self._scanned[path] = stat
        if self._beside is None:
            self._beside = WhooshIndex(Path(tempfile.mkdtemp(prefix=BUILD, dir=self._index.folder)))
        if parsed:
            self._beside.put(parsed)
        else:
            self._beside.remove(path)

    def _part(self, scope: Scope, paths: AbstractSet[VaultPath], *, is_all_but: bool) -> _Part:
        return _Part(scope, lambda: self._catalog.known().keys(), paths, is_all_but)

    @contextmanager
    def _unless_damaged(self) -> Iterator[WhooshIndex | None]:
        """Give the index, unless it is damaged; when that turns out now, have it built anew and go on without it."""
        try:
            yield None if self._index.is_damaged else self._index
        except IndexDamaged:
            self._rebuild()

    def _drop(self) -> None:
        beside, self._beside = self._beside, None
        self._scanned.clear()
        if beside is not None:
            beside.close()
            rmtree(beside.folder, ignore_errors=True)


def _read(stat: FileStat, files: Glance) -> ParsedFile:
    if stat.here and has_text(stat.path):
        try:
            return parse_file(stat.path, files.read(stat.path))
        except SidecarError:
            pass  # locked, or gone again: its name is there to be found
        except Exception as error:  # noqa: BLE001 - one file must never cost its neighbours
            _log.error("A file could not be scanned: %s.", type(error).__name__)
    return parse_name(stat.path)
