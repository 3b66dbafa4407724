"""All that can be done with memories, a policy over notes, links and the one writer: nothing is stored elsewhere."""

from dataclasses import dataclass

from sidecar.model.path import VaultPath
from sidecar.model.ports import Clock
from sidecar.parse.memory_file import MemoryForm
from sidecar.services.commit import Committer
from sidecar.services.deletes import Deletes
from sidecar.services.memory_brief import MemoryBriefing
from sidecar.services.memory_check import MemoryCheck
from sidecar.services.memory_commands import MemoryCommands
from sidecar.services.memory_deletes import MemoryDeletes
from sidecar.services.memory_index import MemoryIndex
from sidecar.services.memory_links import MemoryConnections
from sidecar.services.memory_notes import MemoryNotes
from sidecar.services.memory_search import MemorySearch
from sidecar.services.memory_shelf import MemoryShelf
from sidecar.services.memory_showing import MemoryShowing
from sidecar.services.moves import Moves
from sidecar.services.relink import Relinker
from sidecar.services.threads import Threads
from sidecar.services.versions import Versions
from sidecar.services.views import Views
from sidecar.vault.files import VaultFiles
from sidecar.vault.obsidian_settings import CurrentSettings

__all__ = ["Memories"]


@dataclass(frozen=True, slots=True)
class Memories:
    """The services of one folder of memories."""

    notes: MemoryNotes
    showing: MemoryShowing
    deletes: MemoryDeletes
    search: MemorySearch
    links: MemoryConnections
    briefing: MemoryBriefing
    check: MemoryCheck
    commands: MemoryCommands

    @classmethod
    def of(
        cls,
        committer: Committer,
        views: Views,
        files: VaultFiles,
        relinker: Relinker,
        versions: Versions,
        threads: Threads,
        obsidian: CurrentSettings,
        moves: Moves,
        deletes: Deletes,
        clock: Clock,
        *,
        folder: str,
        form: str,
    ) -> "Memories":
        """Build them for the folder of the settings.

        Raises:
            Refused: when the folder is hidden or outside of the vault.

        """
        where, written = VaultPath.of(folder), MemoryForm(form)
        shelf, index = MemoryShelf(files, views, committer, where), MemoryIndex(files, where)
        showing = MemoryShowing(files, shelf, versions, threads)
        return cls(
            notes=MemoryNotes(committer, files, shelf, index, relinker, versions, showing, threads, clock, written),
            showing=showing,
            deletes=MemoryDeletes(committer, files, shelf, index, obsidian),
            search=MemorySearch(shelf, threads),
            links=MemoryConnections(shelf, index, threads),
            briefing=MemoryBriefing(shelf, files, threads, clock),
            check=MemoryCheck(shelf, index, committer, files, threads, clock, written),
            commands=MemoryCommands(committer, views, files, relinker, moves, deletes, shelf, index, obsidian, threads),
        )
