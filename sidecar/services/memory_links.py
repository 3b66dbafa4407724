"""What memories are connected with through their links."""

from collections.abc import Iterable
from enum import StrEnum

from sidecar.model.path import VaultPath
from sidecar.services.caller import Caller
from sidecar.services.memory_index import MemoryIndex
from sidecar.services.memory_results import MemoryLinks
from sidecar.services.memory_shelf import MemoryShelf
from sidecar.services.threads import Threads

__all__ = ["LinkDirection", "MemoryConnections"]


class LinkDirection(StrEnum):
    """Which end of the links a memory is at."""

    OUTBOUND = "outbound"
    INBOUND = "inbound"
    BOTH = "both"


class MemoryConnections:
    """Looks at the vault's links from the memories' side; the index's own lines do not count."""

    def __init__(self, shelf: MemoryShelf, index: MemoryIndex, threads: Threads) -> None:
        self._shelf = shelf
        self._index = index
        self._threads = threads

    async def of(self, caller: Caller, *, name: str, direction: LinkDirection, with_notes: bool) -> MemoryLinks:
        """Return the memories, and if asked the ordinary notes, that a memory links to or that link to it.

        Raises:
            NotFound: with near names.
            Ambiguous: when the name fits several.

        """
        return await self._threads.read(self._of, caller, name, direction, with_notes)

    def _of(self, caller: Caller, name: str, direction: LinkDirection, with_notes: bool) -> MemoryLinks:
        view, memory = self._shelf.found(self._shelf.newest(caller.audience)[0], name)
        out = direction is not LinkDirection.INBOUND
        back = direction is not LinkDirection.OUTBOUND
        links = [link for link in view.outgoing(memory.path) if link.link.linkpath] if out else []
        left_out = {memory.path, self._index.path()}
        to = {link.target for link in links if link.target is not None} - left_out
        dangling = {link.link.linkpath + link.link.subpath for link in links if link.target is None}
        sources = {at.source for at in view.backlinks(memory.path)} - left_out if back else set()
        return MemoryLinks(
            name=memory.name,
            outbound=self._memories(to) if out else None,
            inbound=self._memories(sources) if back else None,
            dangling=tuple(sorted(dangling)),
            outbound_notes=self._notes(to) if out and with_notes else None,
            inbound_notes=self._notes(sources) if back and with_notes else None,
        )

    def _memories(self, paths: Iterable[VaultPath]) -> tuple[str, ...]:
        return tuple(sorted(self._shelf.name_of(path) for path in paths if self._shelf.holds(path)))

    def _notes(self, paths: Iterable[VaultPath]) -> tuple[VaultPath, ...]:
        return tuple(sorted(path for path in paths if not self._shelf.holds(path)))
