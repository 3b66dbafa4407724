"""The vault's files and names at one moment, small enough to keep in memory and to share between threads."""

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from sidecar.catalog.keys import text_key
from sidecar.catalog.resolve import Names, Resolution, name_index, resolve
from sidecar.model.file import FileState
from sidecar.model.path import VaultPath

__all__ = ["Resolution", "Snapshot"]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An immutable view of which files there are; a change makes a new one."""

    generation: int = 0
    files: Mapping[VaultPath, FileState] = field(default_factory=dict)
    names: Names = field(default_factory=dict)
    file_counts: Mapping[VaultPath, int] = field(default_factory=dict)
    """Every folder but the root, to the number of files in it at any depth."""

    @classmethod
    def of(cls, files: Mapping[VaultPath, FileState], generation: int = 0) -> "Snapshot":
        """Build a snapshot from nothing."""
        direct: dict[VaultPath, int] = {}
        for path in files:
            folder = path.folder
            direct[folder] = direct.get(folder, 0) + 1
        counts: dict[VaultPath, int] = {}
        for folder, count in direct.items():
            _count(counts, folder, count)
        return cls(generation, files, name_index(files), counts)

    def changed(self, changes: Mapping[VaultPath, FileState | None], generation: int | None = None) -> "Snapshot":
        """Return the snapshot after ``changes``; ``None`` removes a file."""
        files, names, counts = dict(self.files), dict(self.names), dict(self.file_counts)
        for path, state in changes.items():
            if state and path not in files:
                name = path.name.lower()
                names[name] = tuple(sorted((*names.get(name, ()), path)))
                _count(counts, path.folder, 1)
            if state:
                files[path] = state
            elif path in files:
                del files[path]
                _drop_name(names, path)
                _count(counts, path.folder, -1)
        return Snapshot(self.generation if generation is None else generation, files, names, counts)

    @property
    def folders(self) -> AbstractSet[VaultPath]:
        """All folders that hold a file at any depth, without the root."""
        return self.file_counts.keys()

    def states(self, paths: Iterable[VaultPath]) -> Iterator[FileState]:
        """Go through what is known of those files that exist."""
        return (state for path in paths if (state := self.files.get(path)))

    def resolve(self, linkpath: str, source: VaultPath) -> Resolution:
        """Find the file that a link standing in ``source`` leads to (contract section 5)."""
        return resolve(linkpath, source, self.names)

    def find(self, text: str) -> VaultPath | None:
        """Return the file at a path written with or without ``.md``, in any case and normal form.

        ``None`` also when several files differ only by case and none is spelled as in ``text``.
        """
        found = self.find_all(text)
        return found[0] if len(found) == 1 else None

    def find_all(self, text: str) -> tuple[VaultPath, ...]:
        """Return the files that a path may mean: the one spelled so, else all that differ by case only."""
        spellings = (VaultPath(text), VaultPath(f"{text}.md"))
        for path in spellings:
            if path in self.files:
                return (path,)
        alike = (self._alike(text_key(path)) for path in spellings)
        return next(filter(None, alike), ())

    def _alike(self, key: str) -> tuple[VaultPath, ...]:
        return tuple(path for path in self.names.get(VaultPath(key).name, ()) if text_key(path) == key)


def _drop_name(names: dict[str, tuple[VaultPath, ...]], path: VaultPath) -> None:
    name = path.name.lower()
    left = tuple(other for other in names[name] if other != path)
    if left:
        names[name] = left
    else:
        del names[name]


def _count(counts: dict[VaultPath, int], folder: VaultPath, change: int) -> None:
    while folder:
        counts[folder] = counts.get(folder, 0) + change
        if not counts[folder]:
            del counts[folder]
        folder = folder.folder
