"""Reading the files of one vault, and the only way from a vault path to a place on disk."""

import contextlib
import os
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from sidecar.errors import NotFound, Refused, Unavailable
from sidecar.model.file import FileStat
from sidecar.model.path import VaultPath
from sidecar.vault.glance import FOLDS_CASE, Glance, plain_place
from sidecar.vault.placeholders import NotHere, is_here, name_of_placeholder
from sidecar.vault.walk import Problem, Walk, is_link, is_usable_name, visible_name

__all__ = ["TRASH", "OutsideVault", "VaultFiles"]

TRASH = VaultPath(".trash")
"""Where Obsidian moves deleted files when the trash is the vault's own (A7)."""


class OutsideVault(Refused):
    """The path would leave the vault or reach what Obsidian hides (C26, C27)."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"'{path}' {reason}.", hint="Name a file below the vault's folder.", data={"path": path})


class VaultFiles:
    """The files below one folder. Safe to use from several threads; it never writes."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._spellings: dict[VaultPath, str] = {}
        self._links: Mapping[VaultPath, Path] | None = None
        self._problems: tuple[Problem, ...] = ()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What the last complete scan had to leave out, and why."""
        return self._problems

    @property
    def linked_folders(self) -> Mapping[VaultPath, Path]:
        """The symbolic links to folders that belong to the vault, with their real places (A6)."""
        if self._links is None:
            self.folders()
        return self._links or {}

    def scan(self) -> Iterator[FileStat]:
        """List every file that Obsidian sees (A3, A4, A6), in no promised order; what cannot be read is a problem.

        What only a cloud service holds is listed as not ``here``; nothing is opened, so nothing is downloaded.

        Raises:
            Unavailable: when the vault's own folder cannot be listed.

        """
        walk = Walk(self.root)
        for path, entry, is_folder in walk:
            if is_folder:
                continue
            try:
                found = entry.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue  # deleted while we look: the watcher tells
            except OSError as error:
                walk.problems.append(Problem(path, error.strerror or "it cannot be read"))
                continue
            yield _file_stat(path, entry.name, found)
        self._remember(walk)

    def folders(self) -> tuple[VaultPath, ...]:
        """List every folder that Obsidian sees, without the root.

        Raises:
            Unavailable: when the vault's own folder cannot be listed.

        """
        walk = Walk(self.root)
        found = tuple(path for path, _, is_folder in walk if is_folder)
        self._remember(walk)
        return found

    def folders_in(self, folder: VaultPath, levels: int) -> tuple[VaultPath, ...]:
        """List the folders in one folder down to some levels, as :meth:`folders` does but without looking at all files.

        A folder that cannot be read holds none; a link that leads to a folder is known since the last scan.

        Raises:
            Refused: when the folder is hidden or lies outside the vault (C26, C27).
            Unavailable: when the vault's own folder is not there.

        """
        place = self._readable(folder)
        if not self.root.is_dir():
            raise Unavailable(
                f"The vault's folder '{self.root}' is not there.", hint="Check that its disk is connected."
            )
        found: list[VaultPath] = []
        here = {folder: place} if place is not None else {}
        for _ in range(levels):
            here = {path: inner for outer, at in here.items() for path, inner in self._folders_at(outer, at)}
            found += here
        return tuple(found)

    def _folders_at(self, folder: VaultPath, place: Path) -> Iterator[tuple[VaultPath, Path]]:
        with contextlib.suppress(OSError), os.scandir(place) as entries:
            for entry in entries:
                name = visible_name(entry.name)
                if name is None or not entry.is_dir() or not is_usable_name(name):
                    continue
                path = folder.child(name)
                if not is_link(entry) or path in self.linked_folders:
                    yield path, Path(entry.path)

    def stat(self, path: VaultPath) -> FileStat | None:
        """Return size and time of one file; ``None`` when there is none that a scan would list."""
        try:
            place = self._readable(path)
            found = place.lstat() if place else None
        except (Refused, OSError):
            return None
        return _file_stat(path, place.name, found) if place and found and stat.S_ISREG(found.st_mode) else None

    def read(self, path: VaultPath) -> bytes:
        """Return the bytes of one file.

        Raises:
            NotFound: when there is no such file.
            Refused: when it is hidden or lies outside the vault (C26, C27).
            Unavailable: when it cannot be read just now; :class:`NotHere` when that would download it.

        """
        place = self._readable(path, exact=False)
        if place is None:
            raise NotFound(f"There is no file '{path}'.")
        if place.is_dir():
            raise NotFound(f"'{path}' is a folder, not a file.")
        try:
            _check_here(path, place)
            return place.read_bytes()
        except FileNotFoundError:
            raise NotFound(f"There is no file '{path}'.") from None
        except OSError as error:
            raise Unavailable(f"'{path}' cannot be read: {error.strerror}.") from error

    def glance(self) -> Glance:
        """Return what looks at files and reads them as :meth:`stat` and :meth:`read` do, for a moment's work on many.

        Even of one file it looks at the way there only once for both.
        """
        return Glance(self.root, self.stat, self.read)

    def reader(self) -> Callable[[VaultPath], bytes]:
        """Return what reads as :meth:`read` does, for a moment's work on many files."""
        return self.glance().read

    def exists(self, path: VaultPath) -> bool:
        """Tell whether the name is taken, by whatever it is: file, folder or link."""
        with contextlib.suppress(Refused):
            return self._find(path) is not None
        return False

    def folder_exists(self, path: VaultPath) -> bool:
        """Tell whether it is a folder that Obsidian sees; the root is one."""
        with contextlib.suppress(Refused):
            place = self._readable(path)
            return place is not None and place.is_dir()
        return False

    def find_case(self, path: VaultPath) -> VaultPath | None:
        """Return the file or folder whose path equals this one when case is ignored (F5), this very path first."""
        found = [(VaultPath(""), self.root)]
        for segment in path.split("/"):
            found = [
                (folder.child(shown), place / name)
                for folder, place in found
                for name, shown in _names(place)
                if shown.lower() == segment.lower()
            ]
        return min((found for found, _ in found), key=lambda found: found != path, default=None)

    def absolute(self, path: VaultPath) -> Path:
        """Return the place to write a file, spelled as the disk spells what is there already (C16).

        Raises:
            OutsideVault: when a segment is hidden, or a symbolic link stands anywhere in it: nothing is ever written
                through a link (C26, C27).
            NotHere: when a file of this name is there that only a cloud service holds.

        """
        _check_shape(path)
        return self._unlinked(path)

    def trash_place(self, path: VaultPath) -> Path:
        """Return the place of a file below the vault's own trash (A7).

        Raises:
            OutsideVault: when it lies elsewhere, or a symbolic link stands in it.

        """
        if not path.is_under(TRASH):
            raise OutsideVault(path, "is not in the vault's trash")
        _check_shape(VaultPath(path.removeprefix(f"{TRASH}/")))
        return self._unlinked(path)

    def _unlinked(self, path: VaultPath) -> Path:
        if (plain := plain_place(self.root, path)) is not None:
            return plain
        place = self.root
        for segment in path.split("/"):
            place /= _spelling(place, segment) or segment
            if is_link(place):
                raise OutsideVault(path, f"passes through the symbolic link '{segment}'")
        with contextlib.suppress(OSError):  # nothing is there yet
            _check_here(path, place)
        return place

    def _readable(self, path: VaultPath, *, exact: bool = True) -> Path | None:
        """Return where an existing entry is, or ``None``; refuse what a scan would not reach."""
        place = self._find(path, exact=exact)
        if place is None or not path:
            return place
        if is_link(place) and path not in self.linked_folders:
            raise OutsideVault(path, "is a symbolic link, which Obsidian does not follow")
        real = Path(os.path.realpath(place.parent))
        if real != place.parent and real != self._place_through_links(path, place):
            raise OutsideVault(path, "is reached through a symbolic link that leads elsewhere")
        return place

    def _place_through_links(self, path: VaultPath, place: Path) -> Path | None:
        """Say where the folder of ``place`` really is if the last link on the way is one that the vault follows."""
        inside = [link for link in self.linked_folders if path.is_under(link)]
        if not inside:
            return None
        nearest = max(inside, key=len)
        link_place = self.root / self._spellings.get(nearest, nearest)
        return self.linked_folders[nearest] / place.parent.relative_to(link_place)

    def _find(self, path: VaultPath, *, exact: bool = True) -> Path | None:
        """Return where an entry of this name is, links not judged; ``exact`` tells ``a`` from ``A`` on every disk."""
        _check_shape(path)
        place = self.root / self._spellings.get(path, path)
        if os.path.lexists(place) and not (exact and FOLDS_CASE):
            return place
        place = self.root
        for segment in filter(None, path.split("/")):
            name = _spelling(place, segment)
            if name is None:
                return None
            place /= name
        return place

    def _remember(self, walk: Walk) -> None:
        self._spellings, self._links, self._problems = walk.spellings, walk.links, tuple(walk.problems)


def _check_shape(path: VaultPath) -> None:
    """Refuse what is no plain path: the type promises normal form but nothing enforces it."""
    segments = path.split("/") if path else []
    if VaultPath.of(path) != path or "." in segments or "\0" in path:
        raise OutsideVault(path, "is not a plain path inside the vault")
    if os.name == "nt" and ":" in path:
        raise OutsideVault(path, "names a drive or a stream")


def _names(folder: Path) -> list[tuple[str, str]]:
    """List the visible names in a folder as the disk and as Obsidian spells them; none for what is no folder."""
    try:
        with os.scandir(folder) as entries:
            return [(e.name, name) for e in entries if (name := visible_name(e.name))]
    except OSError:
        return []


def _spelling(folder: Path, name: str) -> str | None:
    """Return how the disk spells a name that is in the folder."""
    if not FOLDS_CASE and os.path.lexists(folder / name):
        return name
    if name == TRASH:
        return name if os.path.lexists(folder / name) else None
    spellings = [real for real, shown in _names(folder) if shown == name]
    return min(spellings, key=lambda real: (real != name, real.startswith(".")), default=None)


def _file_stat(path: VaultPath, name: str, found: os.stat_result) -> FileStat:
    here = name_of_placeholder(name) is None and is_here(found)
    return FileStat(path, found.st_mtime_ns, found.st_size, here)


def _check_here(path: VaultPath, place: Path) -> None:
    if name_of_placeholder(place.name) or not is_here(place.lstat()):
        raise NotHere(path)
