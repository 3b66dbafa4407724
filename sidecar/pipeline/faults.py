"""What could not be read of the vault's files, and why; remembered over a restart."""

from sidecar.catalog.store import Catalog
from sidecar.model.path import VaultPath

__all__ = ["Faults"]


class Faults:
    """Files that could not be read at all, and files of which a part was left out.

    Only the writer thread notes; any thread may ask.
    """

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._unread = catalog.faults(is_unread=True)
        self._incomplete = catalog.faults(is_unread=False)
        self._fresh: set[VaultPath] = set()

    @property
    def reasons(self) -> dict[VaultPath, str]:
        """Files that could not be read, or not wholly, and why."""
        return {**self._incomplete.copy(), **self._unread.copy()}

    @property
    def unread(self) -> frozenset[VaultPath]:
        """Files that could not be read when they were last looked at."""
        return frozenset(self._unread.copy())

    @property
    def unsaved(self) -> int:
        """Number of files of which the catalog remembers something else until its next commit."""
        return len(self._fresh)

    def note_unread(self, path: VaultPath, reason: str | None) -> None:
        """Note why a file could not be read, or that it was."""
        self._note(path, self._unread, reason)

    def note_incomplete(self, path: VaultPath, reason: str | None) -> None:
        """Note what of a file was left out, or that nothing was."""
        self._note(path, self._incomplete, reason)

    def forget(self, path: VaultPath) -> None:
        """Forget a file that is gone."""
        self.note_unread(path, None)
        self.note_incomplete(path, None)

    def saved(self) -> None:
        """Take note that the catalog was committed."""
        self._fresh.clear()

    def lost(self) -> None:
        """Have the catalog, which dropped all since its last commit, remember at the next one."""
        for path in self._fresh:
            for faults in (self._unread, self._incomplete):
                self._catalog.note_fault(path, faults.get(path), is_unread=faults is self._unread)

    def _note(self, path: VaultPath, faults: dict[VaultPath, str], reason: str | None) -> None:
        if faults.get(path) == reason:
            return
        if reason is None:
            del faults[path]
        else:
            faults[path] = reason
        self._catalog.note_fault(path, reason, is_unread=faults is self._unread)
        self._fresh.add(path)
