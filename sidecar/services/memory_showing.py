"""Show one memory, and others that are like it."""

from sidecar.errors import NotFound
from sidecar.model.path import VaultPath
from sidecar.parse.memory_file import read_memory, time_text
from sidecar.parse.text import read_text
from sidecar.services.caller import Caller
from sidecar.services.memory_results import MemoryShown, NearMemory
from sidecar.services.memory_shelf import MemoryShelf
from sidecar.services.threads import Threads
from sidecar.services.versions import Versions
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles

__all__ = ["MemoryShowing"]

_NEAR = 3
_ALIKE = 0.3


class MemoryShowing:
    """Reads memories from the disk."""

    def __init__(self, files: VaultFiles, shelf: MemoryShelf, versions: Versions, threads: Threads) -> None:
        self._files = files
        self._shelf = shelf
        self._versions = versions
        self._threads = threads

    async def get(self, caller: Caller, name: str) -> MemoryShown:
        """Return a whole memory, from the disk.

        Raises:
            NotFound: with near names.
            Ambiguous: when the name fits several.

        """

        def read() -> MemoryShown:
            view, memory = self._shelf.found(self._shelf.newest(caller.audience)[0], name)
            data = self._files.read(memory.path)
            if not view.sees_text(memory.path, read_text(data)[0]):
                raise NotFound(f"There is no memory '{name}'.", hint="recall_search finds memories.")
            return self.shown(view, memory.path, data)

        return await self._threads.read(read)

    def near(self, view: View, shown: MemoryShown) -> tuple[NearMemory, ...]:
        """Return other memories that say something alike, so that two of the same are noticed."""
        shelf = self._shelf.of(view)
        ranked = shelf.corpus.rank(f"{shown.name} {shown.description}")
        own = next((one.score for one in ranked if one.path == shown.path), 0.0)
        near = [one for one in ranked if one.path != shown.path and own and one.score >= own * _ALIKE][:_NEAR]
        found = ((shelf.memories[one.path], min(1.0, one.score / own)) for one in near)
        return tuple(NearMemory(memory.name, memory.description, round(share, 2)) for memory, share in found)

    def shown(self, view: View, path: VaultPath, data: bytes) -> MemoryShown:
        """Return a memory as these bytes say it, with its links as the view knows them."""
        said = read_memory(read_text(data)[0])
        links = (
            self._shelf.name_of(link.target)
            if link.target is not None and self._shelf.holds(link.target)
            else link.link.linkpath
            for link in view.outgoing(path)
        )
        state = view.state(path)
        return MemoryShown(
            name=self._shelf.name_of(path),
            description=said.description,
            type=said.type,
            body=said.body,
            links=tuple(dict.fromkeys(filter(None, links))),
            path=path,
            checksum=self._versions.served(data),
            modified=said.modified or (time_text(state.mtime_ns) if state else ""),
            problem=said.problem,
        )
