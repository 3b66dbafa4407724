"""What is in a folder."""

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase

from sidecar.catalog.keys import text_key
from sidecar.catalog.permalink import permalink_of
from sidecar.errors import Invalid, NotFound
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.services.caller import Caller
from sidecar.services.file_order import FileOrder, ordered
from sidecar.services.subtree import find_folder
from sidecar.services.threads import Threads
from sidecar.services.views import View, Views
from sidecar.vault.files import VaultFiles

__all__ = ["FileEntry", "FolderEntry", "FolderListing", "Folders", "Place", "entries_of", "name_test", "place_of"]

_DEEPEST = 10
_NEAR = 10


@dataclass(frozen=True, slots=True)
class FolderEntry:
    """A folder and the number of visible files in it, at any depth."""

    path: VaultPath
    files: int


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file of the listing. ``modified_ns`` is nanoseconds since the epoch, ``size`` bytes.

    ``here`` is false for a file that a cloud service holds and this machine does not.
    """

    path: VaultPath
    title: str
    permalink: str | None
    kind: FileKind
    modified_ns: int
    size: int
    here: bool


@dataclass(frozen=True, slots=True)
class FolderListing:
    """Folders first by path, then one page of the files; ``total`` counts files before paging."""

    path: VaultPath
    depth: int
    glob: str | None
    folders: tuple[FolderEntry, ...]
    files: tuple[FileEntry, ...]
    total: int
    page: int
    page_size: int
    missing: bool = False
    """There is no such folder; ``near`` are names that may have been meant."""
    near: tuple[VaultPath, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """A folder as it was asked for; when it is not there, those that may have been meant."""

    path: VaultPath
    near: tuple[VaultPath, ...] = ()
    missing: bool = False

    @property
    def level(self) -> int:
        """How many folders down from the root its entries are."""
        return self.path.count("/") + 1 if self.path else 0


class Folders:
    """Lists folders."""

    def __init__(self, views: Views, files: VaultFiles, threads: Threads) -> None:
        self._views = views
        self._files = files
        self._threads = threads

    async def has(self, caller: Caller, folder: str) -> bool:
        """Tell whether the caller sees a folder of this name, in any case."""
        return await self._threads.read(self._has, caller, folder)

    async def list(
        self,
        caller: Caller,
        *,
        folder: str,
        depth: int,
        glob: str | None,
        page: int,
        page_size: int,
        order: FileOrder | None = None,
    ) -> FolderListing:
        """List a folder's files down to ``depth`` levels; ``glob`` narrows files by name, in any case.

        A folder that is not there is empty, and the listing says so.

        Raises:
            Invalid: when the depth is out of range.
            Refused: when the path leads out of the vault or to what is hidden.

        """
        if not 1 <= depth <= _DEEPEST:
            raise Invalid(f"depth is {depth}; it goes from 1 to {_DEEPEST}.")
        return await self._threads.read(self._list, caller, folder, depth, glob, page, page_size, order)

    def _has(self, caller: Caller, folder: str) -> bool:
        return not place_of(self._views.newest(caller.audience), self._files, folder).missing

    def _list(
        self,
        caller: Caller,
        folder: str,
        depth: int,
        glob: str | None,
        page: int,
        page_size: int,
        order: FileOrder | None,
    ) -> FolderListing:
        view = self._views.newest(caller.audience)
        place = place_of(view, self._files, folder)
        path, deepest = place.path, place.level + depth
        if place.missing:
            return FolderListing(path, depth, glob, (), (), 0, page, page_size, missing=True, near=place.near)
        fits = name_test(glob)
        near = ordered(view, (p for p in _files_in(view, path, deepest) if fits(p.name)), order)
        return FolderListing(
            path,
            depth,
            glob,
            self._folders_in(view, path, deepest),
            entries_of(view, self._files, near[(page - 1) * page_size : page * page_size]),
            len(near),
            page,
            page_size,
        )

    def _folders_in(self, view: View, folder: VaultPath, deepest: int) -> tuple[FolderEntry, ...]:
        """Return the folders that hold visible files, and those that hold nothing and are on the disk only."""
        known = (f for f in view.snapshot.folders if f.is_under(folder) and f.count("/") < deepest)
        counts = {f: count for f in known if (count := view.file_count(f))}
        level = Place(folder).level
        for empty in self._files.folders_in(folder, deepest - level):
            if empty not in counts and view.sees_folder(empty):
                counts[empty] = 0
        return tuple(FolderEntry(path, counts[path]) for path in sorted(counts))


def _files_in(view: View, folder: VaultPath, deepest: int) -> Iterable[VaultPath]:
    """Return the visible files in a folder whose paths have fewer than ``deepest`` slashes."""
    start, hidden = f"{folder}/" if folder else "", view.hidden
    return [p for p in view.snapshot.files if p.startswith(start) and p.count("/") < deepest and p not in hidden]


def name_test(glob: str | None, *, case: bool = False) -> Callable[[str], bool]:
    """Return what tells whether a file's name fits a pattern; ``.md`` means ``*.md``, since no name begins so."""
    if glob is None:
        return lambda _: True
    pattern = unicodedata.normalize("NFC", glob.strip())
    if pattern.startswith("."):
        pattern = f"*{pattern}"
    if case:
        return lambda name: fnmatchcase(name, pattern)
    return lambda name: fnmatchcase(name.lower(), pattern.lower())


def entries_of(view: View, files: VaultFiles, paths: Iterable[VaultPath]) -> tuple[FileEntry, ...]:
    """Return what a listing says of visible files."""
    shown = [(path, state) for path in paths if (state := view.state(path))]
    titles = view.titles_of([path for path, _ in shown])
    own = dict(view.property_values("permalink"))
    glance = files.glance()
    entries = []
    for path, state in shown:
        kind, said = kind_of(path), own.get(path)
        permalink = text_key(said.strip("/")) if isinstance(said, str) else permalink_of(path)
        found = glance.stat(path)
        entries.append(
            FileEntry(
                path,
                titles.get(path, path.basename),
                None if kind is FileKind.ATTACHMENT else permalink,
                kind,
                state.mtime_ns,
                state.size,
                found is None or found.here,
            )
        )
    return tuple(entries)


def place_of(view: View, files: VaultFiles, text: str) -> Place:
    """Find a folder by its path, in any case; ``/`` is the root.

    Raises:
        Refused: for a path that leads out of the vault or to what is hidden.

    """
    text = text.strip().removeprefix("memory://")
    path = VaultPath.of(text)
    if not path:
        return Place(path)
    try:
        return Place(find_folder(view, files, text))
    except NotFound as missing:
        return Place(path, _near_folders(view, path, missing.candidates), missing=True)


def _near_folders(view: View, path: VaultPath, beside: Iterable[str]) -> tuple[VaultPath, ...]:
    """Return the folders whose names are most like the one asked for, then those that lie where it would."""
    there = {folder for folder in view.snapshot.folders if view.sees_folder(folder)}
    by_name: dict[str, list[VaultPath]] = {}
    for folder in sorted(there):
        by_name.setdefault(folder.name.lower(), []).append(folder)
    alike = [folder for name in get_close_matches(path.name.lower(), by_name) for folder in by_name[name]]
    return tuple(dict.fromkeys([*alike, *map(VaultPath, beside)]))[:_NEAR]
