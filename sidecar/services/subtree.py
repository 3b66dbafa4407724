"""A folder with all that is in it, as far as the caller may know of it."""

from collections.abc import Callable
from dataclasses import dataclass

from sidecar.errors import NotFound
from sidecar.model.file import checksum
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.parse.text import read_text
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles

__all__ = ["Subtree", "find_folder", "is_seen", "subtree"]

_NEAR = 10


@dataclass(frozen=True, slots=True)
class Subtree:
    """A folder: its files, and its folders at any depth, itself included, outermost first."""

    folder: VaultPath
    files: tuple[VaultPath, ...]
    folders: tuple[VaultPath, ...]

    def checksums(self, view: View, files: VaultFiles) -> dict[VaultPath, str]:
        """Return the SHA-256 of each file; a note that became private a moment ago is left out.

        Raises:
            Unavailable: when one of them cannot be read.

        """
        read = ((path, files.read(path)) for path in self.files)
        return {path: checksum(data) for path, data in read if is_seen(view, path, data)}

    @property
    def innermost_first(self) -> tuple[VaultPath, ...]:
        """The folders in the order in which they can be taken away."""
        return tuple(reversed(self.folders))


def is_seen(view: View, path: VaultPath, data: bytes) -> bool:
    """Tell whether the audience may know of a file just read: a note may have become private since the snapshot."""
    return view.sees_text(path, read_text(data)[0]) if kind_of(path) is FileKind.NOTE else view.sees(path)


def find_folder(view: View, files: VaultFiles, text: str) -> VaultPath:
    """Find a folder by its path, in any case.

    Raises:
        NotFound: when there is none, with the folders that lie where it was looked for.
        Refused: for a path that leads out of the vault, or to what is hidden.

    """
    path = VaultPath.of(text)
    found = files.find_case(path) if path else None
    if found is not None and files.folder_exists(found) and view.sees_folder(found):
        return found
    near = (folder for folder in view.snapshot.folders if folder.folder == path.folder and view.file_count(folder))
    raise NotFound(
        f"There is no folder '{text}'.",
        hint="list_directory shows the folders there are; the root itself cannot be meant.",
        candidates=sorted(near)[:_NEAR],
    )


def subtree(view: View, files: VaultFiles, folder: VaultPath, index_now: Callable[[VaultPath], bool]) -> Subtree:
    """Return what is in a folder. Files on the disk that are not in the catalog yet are taken into it first.

    Raises:
        Unavailable: when the vault's folder cannot be listed.

    """
    on_disk = [stat.path for stat in files.scan() if stat.path.is_under(folder)]
    for path in on_disk:
        if path not in view.snapshot.files:
            index_now(path)
    folders = [path for path in files.folders() if path == folder or path.is_under(folder)]
    return Subtree(
        folder,
        tuple(sorted(path for path in on_disk if view.sees(path))),
        tuple(sorted((path for path in folders if view.sees_folder(path)), key=len)),
    )
