"""The search index on disk, as the rest of the program knows it.

Only the writer thread puts, removes, adopts, commits and tidies. A search may run at the same time on another thread:
it has readers of its own for the generation that was last published.
"""

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import rmtree
from threading import Lock

from sidecar.errors import Unavailable
from sidecar.index.cache import PostingsCache
from sidecar.index.errors import IndexDamaged, IndexNotWritten
from sidecar.index.evaluate import leaves
from sidecar.index.generation import Generation, Part, SegmentRecord
from sidecar.index.merge import Merge
from sidecar.index.pool import Pool
from sidecar.index.ranking import ALL_FIELDS, BODY_FIELDS, TITLE_FIELDS, page_of
from sidecar.index.searcher import Searcher
from sidecar.index.segment_file import UNFINISHED, SegmentReader, file_of, new_segment
from sidecar.index.stamp import Stamp, sync_folder
from sidecar.index.toc import TableOfContents
from sidecar.model.note import ParsedFile
from sidecar.model.path import VaultPath
from sidecar.model.ports import Scope
from sidecar.model.search import Hits, SearchRequest

__all__ = ["BUILD", "BuiltSegment", "WhooshIndex"]

_FORM = "2"
"""Raise it whenever the words, the fields or the files of an index change: older ones are then built anew."""
_POOL_SIZE = 60_000_000
_TIDY_SECONDS = 0.02
BUILD = "build-"
"""So begin the names of folders in which other processes write segments."""


@dataclass(frozen=True, slots=True)
class BuiltSegment:
    """A finished segment in a folder of its own, with the paths of its files by number."""

    folder: Path
    record: SegmentRecord
    paths: tuple[VaultPath, ...]


class WhooshIndex:
    """A full-text index in a folder of its own, which must be outside the vault and any synced folder.

    ``rebuilt`` tells that it begins empty, so that every file must be put: it is new, has an older form or was damaged.
    """

    def __init__(self, folder: Path, cache: PostingsCache | None = None) -> None:
        self._folder = folder
        self._contents = TableOfContents(folder)
        self._stamp = Stamp(folder, _FORM)
        self._check: Iterator[bool] = iter(())
        self._merge: Merge | None = None
        self._begin_pool()
        self._expected: set[VaultPath] = set()
        self._damaged = False
        self._search_lock = Lock()
        self._searcher = Searcher(folder, cache or PostingsCache())
        self.rebuilt = False
        try:
            if not self._stamp.is_intact():
                raise IndexDamaged  # noqa: TRY301 - one way out for all that is wrong with a folder
            self._published = self._load()
            self._check = self._stamp.damaged()
        except Exception:  # noqa: BLE001 - a broken index raises almost anything
            self._damaged = True
        if self._damaged:
            # Not in the handler above: until it ends, half-opened files are open, which Windows minds.
            self._start_anew()

    def put(self, file: ParsedFile) -> None:
        """Add or replace one file; found after the next ``commit``, at the latest.

        Many large files are committed in parts, so that the memory they take has a bound.
        """
        self.remove(file.path)
        self._fresh[file.path] = self._pool.add(file)
        if self._pool.size > _POOL_SIZE:
            self.commit()

    def remove(self, path: VaultPath) -> None:
        """Forget one file."""
        self._changed.add(path)
        self._expected.discard(path)
        superseded = self._fresh.pop(path, None)
        if superseded is not None:
            self._superseded.add(superseded)

    def commit(self) -> None:
        """Make all changes since the last commit durable, and visible to new searches.

        Raises:
            IndexNotWritten: when the disk refuses or another process holds the index; the changes are kept.
            IndexDamaged: when the index cannot be read; the next commit starts it anew with the changes kept.

        """
        if self._damaged:
            self._start_anew()
        if not self._changed:
            return
        with self._writing():
            fresh = self._write_pool() if self._fresh else None
            self._publish(self._published.next(self._changed, fresh))
        self._begin_pool()

    def expect(self, paths: Iterable[VaultPath]) -> None:
        """Count these files as held from now on: other processes write segments of them, for ``adopt``.

        What is put or removed meanwhile is newer than what they saw.
        """
        self._expected.update(paths)

    def expect_no_more(self, paths: Iterable[VaultPath]) -> None:
        """Take back what was expected of these files."""
        self._expected.difference_update(paths)

    def expects(self, path: VaultPath) -> bool:
        """Tell whether a segment with this file is to come, and nothing newer came before."""
        return path in self._expected

    def adopt(self, built: BuiltSegment) -> None:
        """Make a finished segment a part of the index, found at once; of its files only those still expected.

        It takes the place of what the index held of them.

        Raises:
            IndexNotWritten: as ``commit``.
            IndexDamaged: when the index has to be built anew, of which the segment is only a part.

        """
        if self._damaged:
            raise IndexDamaged
        superseded = frozenset(n for n, path in enumerate(built.paths) if path not in self._expected)
        part = Part.of(replace(built.record, deleted=superseded), built.paths)
        with self._writing():
            file_of(built.folder, built.record.id).rename(file_of(self._folder, built.record.id))
            self._publish(self._published.next(part.numbers.keys(), part))
        self._expected.difference_update(built.paths)

    @property
    def folder(self) -> Path:
        """Where the index is; folders below it that begin with :data:`BUILD` may be made and are removed at the end."""
        return self._folder

    def merge_small(self) -> bool:
        """Do a small piece of what is left for idle time, 50 ms at most; tell whether it is worth calling again.

        After an index was opened its files are checked against their sums; small segments are merged when there are
        many.

        Raises:
            IndexNotWritten: as ``commit``.
            IndexDamaged: as ``commit``.

        """
        if self._damaged:
            return False
        checked = next(self._check, None)
        if checked:
            self._damaged = True
            raise IndexDamaged
        if checked is not None:
            return True
        with self._writing():
            return self._merge_some()

    def paths_held(self) -> frozenset[VaultPath]:
        """Return the files that are found, or will be after the next commit; none when the index is damaged."""
        if self._damaged:
            return frozenset()
        # Copies, since any thread may ask while the writer thread puts.
        changed, fresh, expected = self._changed.copy(), self._fresh.copy(), self._expected.copy()
        return frozenset(set(self._published.paths()) - changed | fresh.keys() | expected)

    def search(self, request: SearchRequest, scope: Scope) -> Hits:
        """Rank the files that match; equal scores stand in the order of their paths.

        Raises:
            IndexDamaged: when the index cannot be read.

        """
        conditions = [(leaf, scope.matching(leaf)) for leaf in leaves(request.query)]
        allowed = scope.allowed(request.filter)
        fields = TITLE_FIELDS if request.titles_only else BODY_FIELDS if request.body_only else ALL_FIELDS
        with self._searching() as searcher:
            matches = searcher.matches(lambda: self._published, request.query, fields, conditions, allowed)
        return page_of(matches, request.offset, request.limit)

    def vocabulary(self, beginning: str) -> frozenset[str]:
        """Return the words that begin so, among them some that stand in no file any more.

        Raises:
            IndexDamaged: when the index cannot be read.

        """
        with self._searching() as searcher:
            return searcher.words(lambda: self._published, beginning)

    def close(self) -> None:
        """Close all files; changes since the last commit are dropped."""
        self._give_up_merge()
        with self._search_lock:
            self._searcher.close()

    def _begin_pool(self) -> None:
        self._pool = Pool()
        self._changed: set[VaultPath] = set()
        self._fresh: dict[VaultPath, int] = {}
        self._superseded: set[int] = set()

    def _load(self) -> Generation:
        """Open what the folder holds, reading every path once."""
        number, segments = self._contents.read()
        generation = Generation(number, tuple(Part.of(s, self._stored_paths(s)) for s in segments))
        paths = list(generation.paths())
        if len(paths) != len(set(paths)):
            raise IndexDamaged
        for entry in self._folder.glob(f"{UNFINISHED}*"):
            entry.unlink()
        for entry in self._folder.glob(f"{BUILD}*"):
            rmtree(entry, ignore_errors=True)
        return generation

    def _stored_paths(self, segment: SegmentRecord) -> tuple[VaultPath, ...]:
        with closing(SegmentReader(self._folder, segment.id)) as reader:
            return tuple(map(VaultPath, reader.paths(segment.count)))

    def _start_anew(self) -> None:
        self._give_up_merge()
        self._expected.clear()
        self._check = iter(())
        try:
            with self._search_lock:
                self._searcher.close()
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                for name in self._contents.names:
                    (self._folder / name).unlink()
                self._contents.write(0, ())
                self._stamp = Stamp(self._folder, _FORM)
                self._stamp.write(self._contents.names)
                self._published = Generation(0, ())
                self._damaged = False
                self.rebuilt = True
        except OSError as error:
            raise _not_written(error) from error

    def _write_pool(self) -> Part:
        name = new_segment()
        self._pool.write(self._folder, name)
        record = SegmentRecord(name, len(self._pool.paths), dict(self._pool.totals), frozenset(self._superseded))
        return Part.of(record, self._pool.paths)

    def _merge_some(self) -> bool:
        if self._merge is None:
            parts = self._published.mergeable()
            if not parts:
                return False
            self._merge = Merge(self._folder, new_segment(), parts)
        if self._merge.step(_TIDY_SECONDS):
            merge, self._merge = self._merge, None
            fresh = merge.finish(self._published)
            self._publish(self._published.next(fresh=fresh, merged=merge.parts))
        return True

    def _give_up_merge(self) -> None:
        if self._merge is not None:
            self._merge.close()
            self._merge = None

    def _publish(self, generation: Generation) -> None:
        segments = [part.segment for part in generation.parts]
        self._contents.write(generation.number, segments)
        sync_folder(self._folder)
        self._published = generation
        self._contents.sweep(generation.number, segments)
        self._stamp.write(self._contents.names)

    @contextmanager
    def _searching(self) -> Iterator[Searcher]:
        with self._search_lock:
            try:
                yield self._searcher
            except Exception as error:
                self._damaged = True
                raise IndexDamaged from error

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Hold the index against other processes, and say what went wrong in our words."""
        try:
            with self._contents.locked() as free:
                self._check_ours(free=free)
                yield
        except IndexDamaged:
            self._damaged = True
            raise
        except Unavailable:
            raise
        except FileNotFoundError as error:
            self._damaged = True
            raise IndexDamaged from error
        except OSError as error:
            # What a failed commit leaves behind would keep a full disk full.
            self._give_up_merge()
            self._contents.sweep(self._published.number, [part.segment for part in self._published.parts])
            raise _not_written(error) from error
        except Exception as error:
            self._damaged = True
            raise IndexDamaged from error

    def _check_ours(self, *, free: bool) -> None:
        if not free:
            raise IndexNotWritten("another process is writing it")
        if self._contents.newest() != self._published.number:
            # Another process wrote it: what we know of its numbers is worth nothing.
            raise IndexDamaged


def _not_written(error: OSError) -> IndexNotWritten:
    return IndexNotWritten(error.strerror or type(error).__name__)
