"""The search index on disk, as the rest of the program knows it.

Only the writer thread puts, removes, adopts, commits and tidies. A search may run at the same time on another thread:
it has readers of its own for the generation that was last published.
"""

from collections.abc import Collection, Iterable, Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Lock

from sidecar.errors import Unavailable
from sidecar.index.built import BuiltSegment
from sidecar.index.cache import PostingsCache
from sidecar.index.errors import IndexDamaged, IndexNotWritten
from sidecar.index.evaluate import leaves
from sidecar.index.fresh import FreshFiles
from sidecar.index.generation import Generation, Part
from sidecar.index.loading import load
from sidecar.index.merge import Merge
from sidecar.index.ranking import ALL_FIELDS, BODY_FIELDS, TITLE_FIELDS, page_of
from sidecar.index.searcher import Searcher
from sidecar.index.segment_file import file_of, new_segment
from sidecar.index.stamp import Stamp, sync_folder
from sidecar.index.texts import IndexedTexts
from sidecar.index.toc import TableOfContents
from sidecar.model.note import ParsedFile
from sidecar.model.path import VaultPath
from sidecar.model.ports import Scope
from sidecar.model.search import Hits, SearchRequest

__all__ = ["WhooshIndex"]

_FORM = "4"
"""Raise it whenever the words, the fields or the files of an index change: older ones are then built anew."""
_TIDY_SECONDS = 0.005
"""So long an agent's write may have to wait for a piece of a merge."""
_SWEPT_AT_ONCE = 4


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
        self._fresh = FreshFiles()
        self._expected: set[VaultPath] = set()
        self._damaged = False
        self._is_partial = False
        self._is_swept = True
        self._search_lock = Lock()
        self._searcher = Searcher(folder, cache or PostingsCache())
        self.rebuilt = False
        try:
            if not self._stamp.is_intact():
                raise IndexDamaged  # noqa: TRY301 - one way out for all that is wrong with a folder
            self._published = load(folder, self._contents)
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
        self._expected.discard(file.path)
        self._fresh.put(file)
        if self._fresh.is_large:
            self.commit()

    def remove(self, path: VaultPath) -> None:
        """Forget one file."""
        self._expected.discard(path)
        self._fresh.remove(path)

    def commit(self) -> None:
        """Make all changes since the last commit durable, and visible to new searches.

        Raises:
            IndexNotWritten: when the disk refuses or another process holds the index; the changes are kept.
            IndexDamaged: when the index cannot be read; the next commit starts it anew with the changes kept.

        """
        if self._damaged:
            self._start_anew()
        changed = self._fresh.changed
        if not changed:
            return
        with self._writing():
            self._publish(self._published.next(changed, self._fresh.write(self._folder)))
        self._fresh = FreshFiles()

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
        """Do a small piece of what is left for idle time, about 10 ms at most; tell whether it is worth calling again.

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
            if self._is_swept:
                return self._merge_some()
            self._sweep()
            return True

    def paths_held(self) -> frozenset[VaultPath]:
        """Return the files that are found, or will be after the next commit; none when the index is damaged."""
        if self._damaged:
            return frozenset()
        fresh, expected = self._fresh, self._expected.copy()
        changed, put = fresh.changed, fresh.paths
        return frozenset(set(self._published.paths()) - changed | put | expected)

    @property
    def is_damaged(self) -> bool:
        """Whether it cannot be searched; the next commit starts it anew."""
        return self._damaged

    @property
    def is_partial(self) -> bool:
        """Whether it began empty, and it was not seen yet to have all files, or is damaged."""
        return self._damaged or self._is_partial

    def lacking(self, paths: AbstractSet[VaultPath]) -> AbstractSet[VaultPath]:
        """Return which of these, which are all that it should have, a search cannot find; callable from any thread."""
        if self._damaged:
            return paths
        lacking = paths - set(self._published.paths())
        self._is_partial = bool(lacking)
        return lacking

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

    def texts(self, but: Collection[VaultPath] = ()) -> IndexedTexts:
        """Return what the notes said when they were last committed, without the files ``but``; from any thread."""
        return IndexedTexts(self._folder, () if self._damaged else self._published.parts, but)

    def close(self) -> None:
        """Close all files; changes since the last commit are dropped."""
        self._give_up_merge()
        with self._search_lock:
            self._searcher.close()

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
                self._is_partial = self.rebuilt = True
        except OSError as error:
            raise _not_written(error) from error

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
        self._sweep()
        self._stamp.write(self._contents.names)

    def _sweep(self) -> None:
        """Delete a few of the files that the last generations left behind."""
        segments = [part.segment for part in self._published.parts]
        self._is_swept = not self._contents.sweep(self._published.number, segments, _SWEPT_AT_ONCE)

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
