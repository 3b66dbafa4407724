"""Check the memories, and fix what needs no judgement."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sidecar.errors import NotFound
from sidecar.model.change import ChangeSet, Entry, Op
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath
from sidecar.model.ports import Clock
from sidecar.parse.encrypted import check_edit
from sidecar.parse.memory_file import MemoryForm
from sidecar.parse.text import SourceText, decode
from sidecar.services.caller import Caller
from sidecar.services.commit import Committer, Plan
from sidecar.services.memory_findings import FileEdit, Findings, Found, near_duplicates
from sidecar.services.memory_index import MemoryIndex
from sidecar.services.memory_results import MemoryFindings
from sidecar.services.memory_shelf import MemoryShelf
from sidecar.services.threads import Threads
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles

__all__ = ["MemoryCheck"]

_ALL = "all"
_LISTED = 20


class MemoryCheck:
    """Looks for what wants attention; fixes are one change of files and index."""

    def __init__(
        self,
        shelf: MemoryShelf,
        index: MemoryIndex,
        committer: Committer,
        files: VaultFiles,
        threads: Threads,
        clock: Clock,
        form: MemoryForm,
    ) -> None:
        self._shelf = shelf
        self._index = index
        self._committer = committer
        self._files = files
        self._threads = threads
        self._clock = clock
        self._form = form

    async def check(self, caller: Caller, *, fix: Sequence[str] = (), reason: str | None = None) -> MemoryFindings:
        """Fix the findings of these ids, or all that can be with ``all``; return what is left.

        Raises:
            NotFound: when an id is none of a finding that can be fixed, with those that are.
            Refused: when the user's rules forbid one of the fixes.

        """
        if not fix:
            return await self._threads.read(self._look, self._shelf.newest(caller.audience)[0])

        def plan(view: View) -> Plan[tuple[str, ...]]:
            chosen = _chosen(self._findings(view), fix)
            entries = list(self._entries(chosen))
            index = self._index.plan(view, lambda source: _edited(source, chosen), entries)
            if index.entry is not None:
                entries.append(index.entry)
            fixed = tuple(one.finding.id for one in chosen)
            change = ChangeSet("recall_check", tuple(entries), f"Fix {len(fixed)} findings in the memories", reason)
            return Plan(change, fixed)

        done = await self._committer.apply(plan, caller)
        found = await self._threads.read(self._look, done.view)
        return replace(found, fixed=done.about, change=done.recorded.id if done.recorded else None)

    def _look(self, view: View) -> MemoryFindings:
        shelf = self._shelf.of(view)
        found = (*self._findings(view), *near_duplicates(shelf))
        return MemoryFindings(tuple(one.finding for one in found), len(shelf.memories), self._index.state(view))

    def _findings(self, view: View) -> Findings:
        return Findings(view, self._shelf.of(view), self._files, self._index, self._form, self._clock())

    def _entries(self, chosen: Sequence[Found]) -> Iterator[Entry]:
        edits: dict[VaultPath, list[FileEdit]] = {}
        for one in chosen:
            if one.path is not None and one.edit is not None:
                edits.setdefault(one.path, []).append(one.edit)
        for path, fixes in edits.items():
            data = self._files.read(path)
            old = source = decode(data)
            for edit in fixes:
                source = replace(source, text=edit(source))
            check_edit(path, old.text, source.text)
            if source.text != old.text:
                yield Entry(Op.REPLACE, path, checksum(data), source.encode(source.text))


def _chosen(found: Findings, fix: Sequence[str]) -> list[Found]:
    fixable = {one.finding.id: one for one in found if one.finding.fix is not None}
    if _ALL in fix:
        return list(fixable.values())
    for name in fix:
        if name not in fixable:
            raise NotFound(
                f"There is no finding '{name}' that can be fixed.",
                hint="Use ids of recall_check, or 'all'.",
                candidates=list(fixable)[:_LISTED],
            )
    return [fixable[name] for name in dict.fromkeys(fix)]


def _edited(source: SourceText, chosen: Sequence[Found]) -> str:
    """Edit the index: lines go from below, so that those above keep their places; then others come."""
    for one in sorted(chosen, key=lambda one: -one.line):
        if one.index is not None:
            source = replace(source, text=one.index(source))
    return source.text
