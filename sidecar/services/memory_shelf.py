"""Which notes are memories, as one view sees them, and which of them a name means; each version is read once."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property
from threading import Lock

from sidecar.errors import Ambiguous, NotFound, Refused, SidecarError
from sidecar.model.file import checksum
from sidecar.model.note import FileKind, PropertyProblem, kind_of
from sidecar.model.path import VaultPath
from sidecar.parse.memory_file import MemoryText, MemoryType, read_memory
from sidecar.parse.memory_index import INDEX_NAME
from sidecar.parse.text import read_text
from sidecar.services.caller import Audience
from sidecar.services.commit import Committer
from sidecar.services.memory_ranking import Corpus, Weights, weights_of
from sidecar.services.views import View, Views
from sidecar.vault.files import VaultFiles

__all__ = ["Memory", "MemoryShelf", "Shelf", "loose_name"]

_SUGGESTIONS = 5
_LIKENESS = 0.6


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory without its body."""

    path: VaultPath
    name: str
    """Its path below the memories' folder, without ``.md``: what it is called everywhere."""
    said_name: str | None
    description: str
    type: str | None
    modified: str | None
    mtime_ns: int
    checksum: str
    aliases: tuple[str, ...]
    problem: PropertyProblem | None

    def is_of(self, kind: MemoryType | None) -> bool:
        """Tell whether it has this type, or any."""
        return kind is None or (self.type or "").lower() == kind.value


@dataclass(frozen=True)
class Shelf:
    """All memories that one view sees."""

    memories: Mapping[VaultPath, Memory]
    corpus: Corpus

    @cached_property
    def by_name(self) -> tuple[Memory, ...]:
        """The memories in the order of their names."""
        return tuple(sorted(self.memories.values(), key=lambda memory: memory.name))

    def find(self, asked: str) -> Memory:
        """Find the one memory of a name: its file's, else the property ``name``, an alias, or a looser spelling.

        Raises:
            NotFound: with near names.
            Ambiguous: when the name fits several.

        """
        wanted = asked.strip().removeprefix("[[").removesuffix("]]").removesuffix(".md")
        for names in _SPELLINGS:
            found = [memory for memory in self.by_name if wanted and wanted in names(memory)]
            if len(found) > 1:
                raise Ambiguous(
                    f"'{asked}' fits {len(found)} memories.",
                    hint="Use one of these names.",
                    candidates=[memory.name for memory in found],
                )
            if found:
                return found[0]
        loose = loose_name(wanted)
        found = [memory for memory in self.by_name if loose and loose in map(loose_name, _every_name(memory))]
        if len(found) == 1:
            return found[0]
        raise NotFound(
            f"There is no memory '{asked}'.",
            hint="recall_search finds memories by their words, recall_list lists them.",
            candidates=[memory.name for memory in found] or self.near(wanted),
        )

    def near(self, asked: str) -> list[str]:
        """Return names like this one, then those of memories with its words."""
        names = {memory.name.lower(): memory.name for memory in self.by_name}
        close = get_close_matches(asked.lower(), names, n=_SUGGESTIONS, cutoff=_LIKENESS)
        ranked = (self.memories[one.path].name for one in self.corpus.rank(asked)[:_SUGGESTIONS])
        return list(dict.fromkeys([*(names[name] for name in close), *ranked]))[:_SUGGESTIONS]


def loose_name(name: str) -> str:
    """Return a name in the form in which spellings of it compare: no case, and one sign between words."""
    return re.sub(r"[-_\s]+", "-", name.strip().lower())


def _stem(memory: Memory) -> str:
    return memory.name.rpartition("/")[2]


def _every_name(memory: Memory) -> Iterable[str]:
    return (memory.name, _stem(memory), *filter(None, (memory.said_name,)), *memory.aliases)


_SPELLINGS: Sequence[Callable[[Memory], Iterable[str | None]]] = (
    lambda memory: (memory.name,),
    lambda memory: (_stem(memory),),
    lambda memory: (memory.said_name,),
    lambda memory: memory.aliases,
)
"""The names of a memory, those first that win over the others."""


class MemoryShelf:
    """Keeps what was read of the memories for as long as their files stay as they are; callable from any thread."""

    def __init__(self, files: VaultFiles, views: Views, committer: Committer, folder: VaultPath) -> None:
        self.folder = folder
        self._files = files
        self._views = views
        self._committer = committer
        self._lock = Lock()
        self._shelves: dict[Audience, tuple[View, Shelf]] = {}

    def newest(self, audience: Audience) -> tuple[View, Shelf]:
        """Return the newest view and its memories."""
        view = self._views.newest(audience)
        return view, self.of(view)

    def of(self, view: View) -> Shelf:
        """Return the memories of a view."""
        with self._lock:
            known = self._shelves.get(view.audience)
            if known is not None and known[0] is view:
                return known[1]
            shelf = self._updated(view, known[1] if known else Shelf({}, Corpus()))
            self._shelves[view.audience] = (view, shelf)
            return shelf

    def found(self, view: View, name: str) -> tuple[View, Memory]:
        """Find a memory also when its file came to the disk only now; the view is one that knows of it.

        Raises:
            NotFound: with near names.
            Ambiguous: when the name fits several.

        """
        try:
            path = VaultPath.of(f"{self.folder}/{name.strip().removesuffix('.md')}.md")
        except Refused:
            path = self.folder
        if path not in view.snapshot.files and self.holds(path) and view.sees(path) and self._committer.index_now(path):
            view = self._views.newest(view.audience)
        return view, self.of(view).find(name)

    def holds(self, path: VaultPath) -> bool:
        """Tell whether a path is that of a memory; the index is none."""
        inside = path.key.startswith(f"{self.folder.key}/") and kind_of(path) is FileKind.NOTE
        return inside and path.key[len(self.folder) + 1 :] != INDEX_NAME.lower()

    def name_of(self, path: VaultPath) -> str:
        """Return what the memory at a path is called."""
        return path.without_md[len(self.folder) + 1 :]

    def _updated(self, view: View, before: Shelf) -> Shelf:
        read = self._files.reader()
        memories: dict[VaultPath, Memory] = {}
        changes: dict[VaultPath, Weights | None] = {}
        for path, state in view.files():
            if not self.holds(path):
                continue
            known = before.memories.get(path)
            if known is not None and known.checksum == state.hash:
                memories[path] = known if known.mtime_ns == state.mtime_ns else replace(known, mtime_ns=state.mtime_ns)
                continue
            try:
                data = read(path)
            except SidecarError:
                continue  # gone by now, or out of reach: the watcher tells
            text = read_text(data)[0]
            if view.sees_text(path, text):
                said = read_memory(text)
                memories[path] = memory = _memory(path, self.name_of(path), said, checksum(data), state.mtime_ns)
                words = " ".join(filter(None, (memory.name, said.name, *said.aliases)))
                changes[path] = weights_of(words, said.description, said.body)
        gone = dict.fromkeys(before.memories.keys() - memories.keys())
        return Shelf(memories, before.corpus.changed({**gone, **changes}))


def _memory(path: VaultPath, name: str, said: MemoryText, digest: str, mtime_ns: int) -> Memory:
    return Memory(
        path, name, said.name, said.description, said.type, said.modified, mtime_ns, digest, said.aliases, said.problem
    )
