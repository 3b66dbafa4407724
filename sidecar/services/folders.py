"""What is in a folder."""

from collections import Counter
from dataclasses import dataclass
from fnmatch import fnmatchcase

from sidecar.errors import Invalid, NotFound
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.services.caller import Caller
from sidecar.services.threads import Threads
from sidecar.services.views import View, Views
from sidecar.vault.files import VaultFiles

__all__ = ["FileEntry", "FolderEntry", "FolderListing", "Folders"]

_DEEPEST = 10


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
    kind: FileKind
    modified_ns: int
    size: int
    here: bool


@dataclass(frozen=True, slots=True)
class FolderListing:
    """Folders first, then files, each in the order of their paths; ``total`` counts before paging."""

    path: VaultPath
    depth: int
    glob: str | None
    folders: tuple[FolderEntry, ...]
    files: tuple[FileEntry, ...]
    total: int
    page: int
    page_size: int


class Folders:
    """Lists folders."""

    def __init__(self, views: Views, files: VaultFiles, threads: Threads) -> None:
        self._views = views
        self._files = files
        self._threads = threads

    async def list(
        self, caller: Caller, *, folder: str, depth: int, glob: str | None, page: int, page_size: int
    ) -> FolderListing:
        """List a folder's files down to ``depth`` levels; ``glob`` narrows files by name, in any case.

        Raises:
            NotFound: when there is no such folder, with the folders that are there.
            Invalid: when depth or page is out of range.

        """
        if not 1 <= depth <= _DEEPEST:
            raise Invalid(f"depth is {depth}; it goes from 1 to {_DEEPEST}.")
        return await self._threads.read(self._list, caller, folder, depth, glob, page, page_size)

    def _list(
        self, caller: Caller, folder: str, depth: int, glob: str | None, page: int, page_size: int
    ) -> FolderListing:
        view = self._views.newest(caller.audience)
        path = self._folder(view, folder)
        level = path.count("/") + 1 if path else 0
        inside = [(p, state) for p, state in view.files() if p.is_under(path)]
        counts = Counter(
            VaultPath("/".join(p.split("/")[:end]))
            for p, _ in inside
            for end in range(level + 1, min(level + depth, p.count("/")) + 1)
        )
        for empty in self._files.folders():
            if empty.is_under(path) and empty.count("/") < level + depth and view.sees_folder(empty):
                counts.setdefault(empty, 0)
        near = sorted(
            (p, state)
            for p, state in inside
            if p.count("/") < level + depth and (glob is None or fnmatchcase(p.name.lower(), glob.lower()))
        )
        shown = near[(page - 1) * page_size : page * page_size]
        titles = view.titles_of([p for p, _ in shown])
        return FolderListing(
            path=path,
            depth=depth,
            glob=glob,
            folders=tuple(FolderEntry(p, counts[p]) for p in sorted(counts)),
            files=tuple(
                FileEntry(p, titles.get(p, p.basename), kind_of(p), state.mtime_ns, state.size, self._is_here(p))
                for p, state in shown
            ),
            total=len(near),
            page=page,
            page_size=page_size,
        )

    def _is_here(self, path: VaultPath) -> bool:
        found = self._files.stat(path)
        return found is None or found.here

    def _folder(self, view: View, text: str) -> VaultPath:
        path = VaultPath.of(text)
        if not path:
            return path
        found = self._files.find_case(path)
        if found is not None and self._files.folder_exists(found) and view.sees_folder(found):
            return found
        parent = path.folder
        there = {
            VaultPath("/".join(p.split("/")[: parent.count("/") + bool(parent) + 1]))
            for p, _ in view.files()
            if p.is_under(parent) and p.folder != parent
        }
        raise NotFound(
            f"There is no folder '{text}'.",
            hint="list_directory with '/' shows the top folders.",
            candidates=sorted(there)[:10],
        )
