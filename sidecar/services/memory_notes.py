"""Save and change memories: each is a note, and its line in the index changes with it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from sidecar.errors import Invalid, NotFound
from sidecar.model.change import ChangeSet, Entry, Op
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath
from sidecar.model.ports import Clock
from sidecar.parse import edit
from sidecar.parse.encrypted import check_edit
from sidecar.parse.memory_file import (
    MemoryForm,
    MemoryType,
    check_name,
    new_memory,
    read_memory,
    time_text,
    with_body,
    with_properties,
)
from sidecar.parse.text import SourceText, decode
from sidecar.services.caller import Caller
from sidecar.services.commit import Committed, Committer, Forbidden, Plan
from sidecar.services.memory_index import MemoryIndex, line_for
from sidecar.services.memory_results import IndexState, MemorySaved
from sidecar.services.memory_shelf import MemoryShelf, loose_name
from sidecar.services.memory_showing import MemoryShowing
from sidecar.services.notes import placed_in
from sidecar.services.relink import RelinkedFile, Relinker
from sidecar.services.threads import Threads
from sidecar.services.versions import Versions
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles

__all__ = ["MemoryNotes"]


@dataclass(frozen=True, slots=True)
class _Saved:
    status: Literal["created", "updated", "conflict"]
    path: VaultPath
    data: bytes
    index: IndexState | None = None
    relinked: tuple[RelinkedFile, ...] = ()


class MemoryNotes:
    """Writes memories one at a time."""

    def __init__(
        self,
        committer: Committer,
        files: VaultFiles,
        shelf: MemoryShelf,
        index: MemoryIndex,
        relinker: Relinker,
        versions: Versions,
        showing: MemoryShowing,
        threads: Threads,
        clock: Clock,
        form: MemoryForm,
    ) -> None:
        self._committer = committer
        self._files = files
        self._shelf = shelf
        self._index = index
        self._relinker = relinker
        self._versions = versions
        self._showing = showing
        self._threads = threads
        self._clock = clock
        self._form = form

    async def save(
        self,
        caller: Caller,
        *,
        name: str,
        description: str,
        kind: MemoryType,
        body: str,
        overwrite: bool = False,
        reason: str | None = None,
    ) -> MemorySaved:
        """Create a memory; one of this name that is there is a conflict, or replaced when told to overwrite.

        A memory that is replaced keeps its other properties.

        Raises:
            Invalid: when the name is no slug, or there is no description.
            Refused: when the user's rules forbid it, or the old file cannot be edited safely.

        """
        slug = check_name(name)
        if not description.strip():
            raise Invalid(
                "A memory needs a description.", hint="Give one line that says it all; searches rank by it first."
            )

        def plan(view: View) -> Plan[_Saved]:
            path = placed_in(self._files, view, self._shelf.folder, f"{slug}.md")
            twin = self._files.find_case(path)
            if twin is None:
                return self._creation(view, path, slug, description, kind, body, reason)
            old = self._files.read(twin)
            source = decode(old)
            if not view.sees_text(twin, source.text):
                raise Forbidden(path)
            if not overwrite:
                return Plan(ChangeSet("recall_save", (), ""), _Saved("conflict", twin, old))
            edited = with_properties(source, form=self._form, description=description, kind=kind)
            text = with_body(replace(source, text=edited), body)
            return self._change(view, twin, old, source, text, "recall_save", f"Replace the memory {slug}", reason)

        return await self._told(await self._committer.apply(plan, caller))

    async def update(
        self,
        caller: Caller,
        *,
        name: str,
        append: str | None = None,
        section: str | None = None,
        content: str | None = None,
        description: str | None = None,
        kind: MemoryType | None = None,
        expected_checksum: str | None = None,
        reason: str | None = None,
    ) -> MemorySaved:
        """Change a part of a memory: add to it or to a section, replace a section, give it a description or type.

        Raises:
            NotFound: when the memory or the section is not there, with near names.
            Ambiguous: when a name fits several.
            Invalid: when nothing is asked for, or content without its section.
            Refused: when the edit would break the file, or touch what is encrypted.
            Stale: when it is no longer the version of ``expected_checksum``.

        """
        work = _work(append, section, content)
        if work is None and description is None and kind is None:
            raise Invalid("There is nothing to change.", hint="Give append, section with content, description or type.")
        if description is not None and not description.strip():
            raise Invalid("A memory needs a description.", hint="Leave description out to keep the old one.")

        def plan(view: View) -> Plan[_Saved]:
            view, memory = self._shelf.found(view, name)
            old = self._files.read(memory.path)
            source = decode(old)
            if not view.sees_text(memory.path, source.text):
                raise NotFound(f"There is no memory '{name}'.", hint="recall_search finds memories.")
            self._versions.check(memory.path, old, expected_checksum)
            text = work(source) if work else source.text
            text = with_properties(replace(source, text=text), form=self._form, description=description, kind=kind)
            summary = f"Change the memory {memory.name}"
            return self._change(view, memory.path, old, source, text, "recall_update", summary, reason)

        return await self._told(await self._committer.apply(plan, caller))

    def _creation(
        self, view: View, path: VaultPath, slug: str, description: str, kind: MemoryType, body: str, reason: str | None
    ) -> Plan[_Saved]:
        text = new_memory(
            name=slug,
            description=description,
            kind=kind,
            body=body,
            modified=time_text(self._clock()),
            form=self._form,
        )
        data = text.encode("utf-8", "surrogatepass")
        index_path = self._index.path()
        added = (path,) if self._files.stat(index_path) is not None else (path, index_path)
        links = self._relinker.plan(view, added=added)
        index = self._index.plan(view, line_for(slug, None, description), links.entries)
        others = [entry for entry in links.entries if index.entry is None or entry.path != index.entry.path]
        entries = (Entry(Op.CREATE, path, None, data), *others, *index.entries)
        change = ChangeSet("recall_save", entries, f"Create the memory {slug}", reason, mended=links.mended)
        return Plan(change, _Saved("created", path, data, index.state, links.files))

    def _change(
        self,
        view: View,
        path: VaultPath,
        old: bytes,
        source: SourceText,
        text: str,
        tool: str,
        summary: str,
        reason: str | None,
    ) -> Plan[_Saved]:
        """Plan a memory's new text, with the time of the change where the text is a new one."""
        check_edit(path, source.text, text)
        if text != source.text:
            text = with_properties(replace(source, text=text), form=self._form, modified=time_text(self._clock()))
        before, after = read_memory(source.text), read_memory(text)
        data = source.encode(text)
        name = self._shelf.name_of(path)
        title = after.name if after.name and loose_name(after.name) != loose_name(name) else None
        index = self._index.plan(view, line_for(name, title, after.description, before.description))
        own = (Entry(Op.REPLACE, path, checksum(old), data),) if data != old else ()
        return Plan(
            ChangeSet(tool, (*own, *index.entries), summary, reason), _Saved("updated", path, data, index.state)
        )

    async def _told(self, done: Committed[_Saved]) -> MemorySaved:
        return await self._threads.read(self._result, done)

    def _result(self, done: Committed[_Saved]) -> MemorySaved:
        about = done.about
        shown = self._showing.shown(done.view, about.path, about.data)
        return MemorySaved(
            about.status,
            shown,
            self._showing.near(done.view, shown),
            about.index,
            done.recorded.id if done.recorded else None,
            about.relinked,
        )


def _work(append: str | None, section: str | None, content: str | None) -> Callable[[SourceText], str] | None:
    """Return what is to be done to the text; nothing when only properties are given."""
    if content is not None and append is not None:
        raise Invalid("Either append or content, not both.", hint="Call it twice.")
    if content is not None:
        if not section:
            raise Invalid("content needs section: the heading it replaces the text of.", hint="Or use append.")
        return lambda source: edit.replace_section(source, section, content).text
    if append is not None:
        added = append
        if section:
            return lambda source: edit.append_to_section(source, section, added)
        return lambda source: edit.append(source, added)
    if section:
        raise Invalid("section needs content or append.", hint="content replaces what is under it, append adds to it.")
    return None
