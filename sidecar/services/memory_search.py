"""Find memories by what they say, and list them by name."""

from sidecar.errors import Invalid
from sidecar.parse.memory_file import MemoryType
from sidecar.services.caller import Caller
from sidecar.services.memory_results import FoundMemory, MemoryList, MemoryResults
from sidecar.services.memory_shelf import MemoryShelf
from sidecar.services.threads import Threads

__all__ = ["MemorySearch"]


class MemorySearch:
    """Ranks memories: a hit in the name outweighs one in the description, and that one in the body."""

    def __init__(self, shelf: MemoryShelf, threads: Threads) -> None:
        self._shelf = shelf
        self._threads = threads

    async def find(self, caller: Caller, *, query: str, kind: MemoryType | None, limit: int) -> MemoryResults:
        """Return the memories that hold a word of the query, best first.

        Raises:
            Invalid: when the query is empty.

        """
        if not query.strip():
            raise Invalid("There is nothing to search for.", hint="Give some words, or use recall_list.")
        return await self._threads.read(self._find, caller, query, kind, limit)

    async def list(self, caller: Caller, *, kind: MemoryType | None, limit: int, offset: int) -> MemoryList:
        """Return one page of the memories, in the order of their names."""

        def read() -> MemoryList:
            _, shelf = self._shelf.newest(caller.audience)
            every = [memory for memory in shelf.by_name if memory.is_of(kind)]
            return MemoryList(kind, len(every), offset, tuple(every[offset : offset + limit]))

        return await self._threads.read(read)

    def _find(self, caller: Caller, query: str, kind: MemoryType | None, limit: int) -> MemoryResults:
        _, shelf = self._shelf.newest(caller.audience)
        among = None if kind is None else {path for path, memory in shelf.memories.items() if memory.is_of(kind)}
        ranked = shelf.corpus.rank(query, among)
        best = (FoundMemory(shelf.memories[one.path], one.score) for one in ranked[:limit])
        return MemoryResults(query, kind, len(ranked), tuple(best))
