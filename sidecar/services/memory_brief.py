"""What a new conversation should know: the memories that matter most, within a budget of tokens."""

import math
from datetime import datetime

from sidecar.errors import Invalid, SidecarError
from sidecar.model.path import VaultPath
from sidecar.model.ports import Clock
from sidecar.parse.memory_file import MemoryType, read_memory
from sidecar.parse.text import read_text
from sidecar.services.caller import Caller
from sidecar.services.memory_results import MemoryBrief, Told
from sidecar.services.memory_shelf import Memory, MemoryShelf
from sidecar.services.threads import Threads
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles

__all__ = ["MemoryBriefing", "changed_ns"]

_BYTES_A_TOKEN = 4
_LEAST_BUDGET, _MOST_BUDGET = 100, 20_000
_FOR_LINES = 0.5
"""The part of the budget that names and descriptions may take before any body is told."""
_A_LINE = 8
"""Characters of a line beside name, type and description."""
_BY_TYPE = {MemoryType.FEEDBACK: 3.0, MemoryType.USER: 3.0, MemoryType.PROJECT: 2.0, MemoryType.REFERENCE: 1.0}
"""How someone wants to be worked with holds in every conversation; where something is written down, seldom."""
_RECENCY, _HALF_LIFE_DAYS = 2.0, 30
_A_LINK = 0.5
_DAY_NS = 86_400_000_000_000


class MemoryBriefing:
    """Chooses what to tell: by type, by how long ago it was changed, and by how many links lead there."""

    def __init__(self, shelf: MemoryShelf, files: VaultFiles, threads: Threads, clock: Clock) -> None:
        self._shelf = shelf
        self._files = files
        self._threads = threads
        self._clock = clock

    async def tell(self, caller: Caller, *, budget: int, kind: MemoryType | None) -> MemoryBrief:
        """Return the best memories, first all that fit by a line each, then the bodies of the best of them.

        Raises:
            Invalid: when the budget is out of range.

        """
        if not _LEAST_BUDGET <= budget <= _MOST_BUDGET:
            raise Invalid(f"budget is {budget}; it goes from {_LEAST_BUDGET} to {_MOST_BUDGET} tokens.")
        return await self._threads.read(self._tell, caller, budget, kind)

    def _tell(self, caller: Caller, budget: int, kind: MemoryType | None) -> MemoryBrief:
        view, shelf = self._shelf.newest(caller.audience)
        every = [memory for memory in shelf.by_name if memory.is_of(kind)]
        ranked = sorted(every, key=lambda memory: -self._worth(memory, view))
        room, left = budget * _BYTES_A_TOKEN, budget * _BYTES_A_TOKEN
        lines: list[Memory] = []
        for memory in ranked:
            cost = len(f"{memory.name}{memory.type}{memory.description}".encode()) + _A_LINE
            if lines and left - cost < room * (1 - _FOR_LINES):
                break
            lines.append(memory)
            left -= cost
        told = []
        for memory in lines:
            body = self._body(view, memory.path)
            cost = len(body.encode()) + 1
            fits = bool(body) and cost <= left
            left -= cost if fits else 0
            told.append(Told(memory, body if fits else None))
        return MemoryBrief(budget, math.ceil((room - left) / _BYTES_A_TOKEN), len(every), tuple(told))

    def _worth(self, memory: Memory, view: View) -> float:
        known = next((kind for kind in MemoryType if memory.is_of(kind)), None)
        days = max(0, self._clock() - changed_ns(memory)) / _DAY_NS
        sources = {at.source for at in view.backlinks(memory.path)} - {memory.path}
        recency = _RECENCY * math.exp2(-days / _HALF_LIFE_DAYS)
        return (_BY_TYPE[known] if known else 1.0) + recency + _A_LINK * math.log2(1 + len(sources))

    def _body(self, view: View, path: VaultPath) -> str:
        try:
            text = read_text(self._files.read(path))[0]
        except SidecarError:
            return ""
        return read_memory(text).body if view.sees_text(path, text) else ""


def changed_ns(memory: Memory) -> int:
    """Return when a memory was last changed: as it says itself, else by its file's time."""
    if memory.modified:
        try:
            said = datetime.fromisoformat(memory.modified)
        except ValueError:
            return memory.mtime_ns
        return int(said.timestamp() * 1e9)
    return memory.mtime_ns
