"""A proposal planned anew on the files as they are now."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from sidecar.errors import Stale
from sidecar.journal.intents import SqliteJournal
from sidecar.journal.undo import merged_text, plan_undo
from sidecar.model.change import ChangeSet, Entry, Op
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath
from sidecar.model.proposal import Proposal
from sidecar.services.relink import Relinker, Relinking
from sidecar.services.views import View
from sidecar.vault import trash
from sidecar.vault.files import TRASH, VaultFiles

__all__ = ["Outdated", "Replanner"]


class Outdated(Stale):
    """What the proposal was planned on has changed, and the two do not fit together."""

    def __init__(self, path: VaultPath, why: str) -> None:
        super().__init__(
            f"The proposal no longer fits: '{path}' {why}.",
            hint="Reject it, and have the agent look again.",
            data={"path": path},
        )


@dataclass(frozen=True, slots=True)
class Replanner:
    """Plans as the person sees the vault: nothing is hidden, and no rule binds but those of the files."""

    files: VaultFiles
    relinker: Relinker
    journal: SqliteJournal

    def plan(self, view: View, proposal: Proposal) -> ChangeSet:
        """Return the change as it would be made now; what is done already is no longer part of it.

        Later edits of the same files are kept where both fit, links made since follow a move, and an undo is planned
        from the journal.

        Raises:
            Outdated: when a file is gone, its new name is taken, or the same lines were edited.
            Refused: when an undo cannot be made, or a link cannot follow.

        """
        change = proposal.change
        if change.undoes:
            undone = [self.journal.change(identifier) for identifier in change.undoes]
            has_folder = partial(trash.has_folder, self.files)
            return plan_undo(
                undone, self._current, self.journal.blob, has_folder, tool=change.tool, reason=change.reason
            )
        own = [entry for entry in change.entries if entry.op is not Op.REPLACE or entry.path not in change.mended]
        moves = {e.path: e.to for e in own if e.op is Op.MOVE and e.to is not None}
        added = [e.path for e in own if e.op is Op.CREATE]
        if moves and len(moves) == len(own):
            return self._moving(view, change, moves)
        links = self.relinker.plan(view, moves=moves, added=added) if moves or added else Relinking()
        entries = tuple(self._revised(proposal, links))
        named = {entry.path for entry in change.entries}
        more = tuple(entry for entry in links.entries if entry.path not in named)
        mended = tuple(dict.fromkeys((*change.mended, *(entry.path for entry in more))))
        return replace(change, entries=(*entries, *more), mended=mended)

    def _moving(self, view: View, change: ChangeSet, moves: dict[VaultPath, VaultPath]) -> ChangeSet:
        """Plan a move: all that is in a folder by now moves with it, and all links follow."""
        folders: dict[VaultPath, VaultPath] = {}
        if change.folders and change.emptied:
            source, target = min(change.emptied, key=len), min(change.folders, key=len)
            folders = {source: target}
            for path in view.snapshot.files:
                if path.is_under(source):
                    moves.setdefault(path, VaultPath(target + path[len(source) :]))
        hashes = {old: self._moved_hash(old, new) for old, new in moves.items()}
        links = self.relinker.plan(view, moves=moves, folders=folders)
        moved = [Entry(Op.MOVE, old, hashes[old], links.moved.get(old), new) for old, new in moves.items()]
        return replace(change, entries=(*moved, *links.entries), mended=links.mended)

    def _moved_hash(self, old: VaultPath, new: VaultPath) -> str:
        self._check_free(new, moving=old)
        return checksum(self._there(old))

    def _revised(self, proposal: Proposal, links: Relinking) -> Iterator[Entry]:
        places = self._trash_places(proposal.change)
        for entry in proposal.change.entries:
            now = self._current(entry.path)
            match entry.op:
                case Op.CREATE:
                    if now is None or now != entry.after:
                        self._check_free(entry.path)
                        yield entry
                case Op.REPLACE:
                    data = self._there(entry.path)
                    after = self._merged(proposal, entry, data)
                    if after != data:
                        yield replace(entry, before=checksum(data), after=after)
                case Op.MOVE:
                    data = self._there(entry.path)
                    self._check_free(entry.to or entry.path, moving=entry.path)
                    own = self._merged(proposal, entry, data) if entry.after is not None else None
                    yield replace(entry, before=checksum(data), after=own or links.moved.get(entry.path))
                case Op.TRASH:
                    if now is not None:
                        if checksum(now) != entry.before:
                            raise Outdated(entry.path, "was edited since")
                        yield replace(entry, to=places.get(entry.path))

    def _merged(self, proposal: Proposal, entry: Entry, now: bytes) -> bytes:
        after = entry.after or b""
        if checksum(now) == entry.before or now == after:
            return after
        merged = merged_text(entry.path, proposal.before[entry.path], after, now)
        if merged is None:
            raise Outdated(entry.path, "was edited in the same lines")
        return merged

    def _trash_places(self, change: ChangeSet) -> Mapping[VaultPath, VaultPath]:
        """Return where deleted files go: elsewhere in the trash if something has taken their places there."""
        places: dict[VaultPath, VaultPath] = {}
        tops: dict[VaultPath, VaultPath] = {}
        for entry in change.entries:
            if entry.op is not Op.TRASH or entry.to is None:
                continue
            top = TRASH.child(entry.to[len(TRASH) + 1 :].partition("/")[0])
            if top not in tops:
                is_taken = self.files.trash_place(top).exists()
                is_folder = top != entry.to
                tops[top] = trash.free_place(self.files, top.name, is_folder=is_folder) if is_taken else top
            places[entry.path] = VaultPath(tops[top] + entry.to[len(top) :])
        return places

    def _check_free(self, path: VaultPath, moving: VaultPath | None = None) -> None:
        holder = self.files.find_case(path)
        if holder is not None and holder != moving:
            raise Outdated(holder, "has that name by now")

    def _there(self, path: VaultPath) -> bytes:
        data = self._current(path)
        if data is None:
            raise Outdated(path, "is gone")
        return data

    def _current(self, path: VaultPath) -> bytes | None:
        return trash.current(self.files, path)
