"""Keeps ``MEMORY.md`` true: the entry of a change that gives or takes a memory its line."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sidecar.errors import SidecarError
from sidecar.model.change import Entry, Op
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath
from sidecar.parse.memory_index import INDEX_NAME, hook_of, lines_of, size_of, title_of_name, with_line, without_lines
from sidecar.parse.text import SourceText, decode
from sidecar.services.memory_results import IndexState
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles

__all__ = ["IndexEdit", "IndexPlan", "MemoryIndex", "line_for", "no_line_for"]

IndexEdit = Callable[[SourceText], str]
"""What is to become of the index's text."""


@dataclass(frozen=True, slots=True)
class IndexPlan:
    """The entry that a change needs for the index, if any, and how the index is afterwards."""

    state: IndexState | None
    entry: Entry | None = None

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The entry, if there is one."""
        return (self.entry,) if self.entry else ()


class MemoryIndex:
    """Plans the edits of the index."""

    def __init__(self, files: VaultFiles, folder: VaultPath) -> None:
        self._files = files
        self.folder = folder

    def path(self) -> VaultPath:
        """Return where the index is, or would be made."""
        folder = self._files.find_case(self.folder) or self.folder
        return self._files.find_case(folder.child(INDEX_NAME)) or folder.child(INDEX_NAME)

    def plan(self, view: View, edit: IndexEdit, others: Iterable[Entry] = ()) -> IndexPlan:
        """Plan an edit on top of ``others``, entries of the same change of which one may be about the index already.

        An index that agents may not see or change stays as it is, and so does one that is no text.
        """
        path = self.path()
        if not view.sees(path):
            return IndexPlan(None)
        try:
            old = self.bytes(path)
            planned = next((entry.after for entry in others if entry.path == path), None) or old
            source = decode(planned or b"")
        except SidecarError as error:
            return IndexPlan(IndexState(path, size_of(""), error.message))
        if old is not None and not view.sees_text(path, source.text):
            return IndexPlan(None)
        after = edit(source)
        if after != source.text and not view.may_change(path):
            return IndexPlan(IndexState(path, size_of(source.text), "the user's rules keep agents from changing it"))
        data, state = source.encode(after), IndexState(path, size_of(after))
        if data == (planned or b""):
            return IndexPlan(state if old is not None else None)
        before = checksum(old) if old is not None else None
        return IndexPlan(state, Entry(Op.CREATE if old is None else Op.REPLACE, path, before, data))

    def state(self, view: View) -> IndexState | None:
        """Return how the index is now; ``None`` when there is none."""
        return self.plan(view, lambda source: source.text).state

    def bytes(self, path: VaultPath) -> bytes | None:
        """Return the index's bytes; ``None`` when there is none.

        Raises:
            Unavailable: when it cannot be read just now.

        """
        return self._files.read(path) if self._files.stat(path) is not None else None


def line_for(name: str, title: str | None, description: str, former: str | None = None) -> IndexEdit:
    """Return the edit that gives a memory its line; a hook made of the ``former`` description follows the new one."""
    shown = title or title_of_name(name)
    hook = hook_of(description, shown, name)
    was = None if former is None else hook_of(former, shown, name)
    return lambda source: with_line(source.text, name, title=shown, hook=hook, former_hook=was, newline=source.newline)


def no_line_for(name: str) -> IndexEdit:
    """Return the edit that takes a memory's lines away."""
    return lambda source: without_lines(source.text, *(line for line in lines_of(source.text) if line.is_of(name)))
