"""Delete memories, each with its line in the index."""

from dataclasses import dataclass, replace

from sidecar.errors import NotFound
from sidecar.model.change import ChangeSet, Entry, Op
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath
from sidecar.services.caller import Caller
from sidecar.services.commit import Committer, Plan
from sidecar.services.memory_index import MemoryIndex, no_line_for
from sidecar.services.memory_results import MemoryDeleted
from sidecar.services.memory_shelf import MemoryShelf
from sidecar.services.views import View
from sidecar.vault import trash
from sidecar.vault.files import VaultFiles
from sidecar.vault.obsidian_settings import CurrentSettings, TrashOption

__all__ = ["MemoryDeletes", "Trashed", "trashed"]


@dataclass(frozen=True, slots=True)
class Trashed:
    """The entry that deletes one file, and where the user's setting puts it."""

    entry: Entry
    option: TrashOption

    @property
    def goes_to_system(self) -> bool:
        """Tell whether the system's trash gets it."""
        return self.option is TrashOption.SYSTEM


def trashed(files: VaultFiles, settings: CurrentSettings, path: VaultPath, data: bytes) -> Trashed:
    """Plan the deletion of one file that has these bytes.

    Raises:
        TrashOutOfReach: when the system's trash is asked for and cannot be.

    """
    option = settings.now().trash_option
    kept_at = trash.free_place(files, path.name) if option is TrashOption.LOCAL else None
    if option is TrashOption.SYSTEM:
        trash.check_system_trash()
    return Trashed(Entry(Op.TRASH, path, checksum(data), None, kept_at), option)


class MemoryDeletes:
    """Deletes memories to where the user's Obsidian puts what is deleted."""

    def __init__(
        self,
        committer: Committer,
        files: VaultFiles,
        shelf: MemoryShelf,
        index: MemoryIndex,
        settings: CurrentSettings,
    ) -> None:
        self._committer = committer
        self._files = files
        self._shelf = shelf
        self._index = index
        self._settings = settings

    async def delete(self, caller: Caller, *, name: str, reason: str | None = None) -> MemoryDeleted:
        """Delete a memory with its line in the index; one that is not there is no error.

        Raises:
            Ambiguous: when the name fits several.
            Refused: when a rule of the user forbids it, or the system's trash cannot be reached.

        """

        def plan(view: View) -> Plan[MemoryDeleted]:
            try:
                view, memory = self._shelf.found(view, name)
                data = self._files.read(memory.path)
            except NotFound as missing:
                return Plan(ChangeSet("recall_delete", (), ""), MemoryDeleted(name, near=missing.candidates))
            path = memory.path
            index = self._index.plan(view, no_line_for(memory.name))
            own = trashed(self._files, self._settings, path, data)
            linked = sorted({at.source for at in view.backlinks(path)} - {path, self._index.path()})
            change = ChangeSet(
                "recall_delete",
                (own.entry, *index.entries),
                f"Delete the memory {memory.name}",
                reason,
                system_trash=own.goes_to_system,
            )
            return Plan(
                change, MemoryDeleted(memory.name, path, own.option, own.entry.to, tuple(linked), index=index.state)
            )

        done = await self._committer.apply(plan, caller)
        return replace(done.about, change=done.recorded.id if done.recorded else None)
