"""One pass over the tree of a vault: which entries Obsidian sees, and how the disk spells their names."""

import os
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sidecar.errors import Unavailable
from sidecar.model.path import VaultPath
from sidecar.vault.placeholders import name_of_placeholder

__all__ = ["Problem", "Walk", "is_link", "is_usable_name", "shown_name", "visible_name"]

_HARD_SPACES = {0x00A0: " ", 0x202F: " "}
_UNUSABLE = re.compile(r"[\\\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Problem:
    """A file or folder that a scan had to leave out."""

    path: str
    reason: str


def shown_name(name: str) -> str:
    """Return a name from the disk as Obsidian shows it: NFC, with plain spaces (A2, F6)."""
    return name if name.isascii() else unicodedata.normalize("NFC", name.translate(_HARD_SPACES))


def visible_name(name: str) -> str | None:
    """Return the name under which Obsidian sees an entry; ``None`` for dot-names (A3), but iCloud's placeholders."""
    if name.startswith("."):
        stands_for = name_of_placeholder(name)
        return shown_name(stands_for) if stands_for else None
    return shown_name(name)


def is_usable_name(name: str) -> bool:
    """Tell whether a name from the disk can stand in a vault path: no backslash, no bytes that are not UTF-8."""
    return not _UNUSABLE.search(name)


def is_link(entry: "os.DirEntry[str] | Path") -> bool:
    """Tell whether an entry only points to another place: a symbolic link, or a junction of Windows."""
    is_junction = getattr(entry, "is_junction", None)  # since Python 3.12
    return entry.is_symlink() or bool(is_junction and is_junction())


class Walk:
    """Iterate over ``(path, entry, is_folder)`` of all that Obsidian sees, each folder before what it holds.

    Names that start with a dot are skipped (A3), and so are symbolic links to files. A placeholder of iCloud comes
    under the name of the file it stands for, unless that file is there as well. A linked folder is followed
    when its target is disjoint from the vault and from every target followed so far (A6), which also ends loops.
    What cannot be read goes to ``problems`` and never stops the walk.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self.spellings: dict[VaultPath, str] = {}
        """Path on disk, relative to the root, of each entry where it is not the vault path; of placeholders never."""
        self.links: dict[VaultPath, Path] = {}
        """The linked folders that were followed, with their real place."""
        self.problems: list[Problem] = []

    def __iter__(self) -> Iterator[tuple[VaultPath, "os.DirEntry[str]", bool]]:
        """Walk the tree.

        Raises:
            Unavailable: when the vault's own folder cannot be listed; an unplugged disk is no empty vault.

        """
        stack = [(VaultPath(""), "")]
        while stack:
            folder, on_disk = stack.pop()
            for name, entry in self._children(folder, on_disk):
                path = folder.child(name)
                place = f"{on_disk}/{entry.name}" if on_disk else entry.name
                is_folder = self._is_folder(path, entry)
                if is_folder is None:
                    continue
                if place != path and not entry.name.startswith("."):
                    self.spellings[path] = place
                if is_folder:
                    stack.append((path, place))
                yield path, entry, is_folder

    def _children(self, folder: VaultPath, on_disk: str) -> list[tuple[str, "os.DirEntry[str]"]]:
        try:
            with os.scandir(self._root / on_disk) as entries:
                visible = sorted(((name, e) for e in entries if (name := visible_name(e.name))), key=_order)
        except OSError as error:
            if not folder:
                raise Unavailable(
                    f"The vault's folder '{self._root}' cannot be read: {error.strerror}.",
                    hint="Check that it is there and that its disk is connected.",
                ) from error
            self._leave_out(folder, error.strerror or "it cannot be read")
            return []
        children: dict[str, os.DirEntry[str]] = {}
        for name, entry in visible:
            if not is_usable_name(name):
                self._leave_out(folder.child(name), "its name holds a backslash or bytes that are not UTF-8")
            elif name in children and entry.name.startswith("."):
                continue
            elif name in children:
                self._leave_out(folder.child(name), "two names here differ only in how their accents are encoded")
                children[name] = min(children[name], entry, key=lambda e: e.name != name)
            else:
                children[name] = entry
        return list(children.items())

    def _is_folder(self, path: VaultPath, entry: "os.DirEntry[str]") -> bool | None:
        """Tell folders from files; ``None`` for what is neither or not to be seen."""
        try:
            if is_link(entry):
                return True if entry.is_dir() and self._follow(path, Path(entry.path)) else None
            if entry.is_dir(follow_symlinks=False):
                return True
            return False if entry.is_file(follow_symlinks=False) else None
        except OSError as error:
            self._leave_out(path, error.strerror or "it cannot be read")
            return None

    def _follow(self, path: VaultPath, link: Path) -> bool:
        target = link.resolve()
        for other in (self._root, *self.links.values()):
            if target.is_relative_to(other) or other.is_relative_to(target):
                self._leave_out(path, f"this linked folder leads to '{target}', which is in the vault already")
                return False
        self.links[path] = target
        return True

    def _leave_out(self, path: str, reason: str) -> None:
        printable = path.encode(errors="replace").decode()
        self.problems.append(Problem(printable, reason))


def _order(found: "tuple[str, os.DirEntry[str]]") -> tuple[bool, str]:
    name = found[1].name
    return name.startswith("."), name
