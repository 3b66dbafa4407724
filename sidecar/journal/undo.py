"""Planning the inverse of recorded changes, on the files as they are now."""

import difflib
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from sidecar.errors import Refused
from sidecar.journal.merge import merge
from sidecar.model.change import ChangeSet, ChangeState, Entry, EntryRecord, Op, RecordedChange
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath
from sidecar.parse.text import NotText, decode

__all__ = ["NothingToUndo", "UndoConflict", "merged_text", "plan_undo"]

_DIFF_LINES = 40
_TRASH = ".trash"
"""The vault's own trash: what lies there still comes back by a move, with its times."""


class UndoConflict(Refused):
    """A file was changed since in a way that undo would destroy; ``data`` holds its path and a diff."""

    def __init__(self, path: VaultPath, reason: str, diff: str = "") -> None:
        super().__init__(
            f"'{path}' cannot be put back: {reason}.",
            hint="Edit the file by hand, or undo the later changes first.",
            data={"path": path, "diff": diff},
        )
        self.path = path


class NothingToUndo(Refused):
    """The change has no effect that could be taken back."""


def plan_undo(
    changes: Sequence[RecordedChange],
    current: Callable[[VaultPath], bytes | None],
    blob: Callable[[str], bytes],
    has_folder: Callable[[VaultPath], bool],
    *,
    tool: str = "undo",
    reason: str | None = None,
) -> ChangeSet:
    """Plan the inverse of one or several changes, newest first, composed to one entry a file.

    A file that is still as the change left it gets its old bytes back exactly. One that was edited since keeps those
    edits where a line-based merge allows.

    Raises:
        NothingToUndo: for changes that never took effect or are undone already, naming what did it.
        UndoConflict: when a file is gone, its old place is taken, or its edits cannot be merged.
        NotFound: when the journal no longer holds the bytes.

    """
    ordered = sorted(changes, key=lambda change: change.id, reverse=True)
    _check_undoable(ordered)
    undo = _Undo(current, blob)
    for change in ordered:
        for entry in reversed(change.entries):
            undo.take_back(entry)
    entries = tuple(undo.entries())
    before = _folders_before(ordered)
    folders = [folder for folder, was_there in before.items() if was_there and not has_folder(folder)]
    emptied = [folder for folder, was_there in before.items() if not was_there and has_folder(folder)]
    if not entries and not folders and not emptied:
        raise NothingToUndo("Everything is already as it was before.")
    summary = ordered[0].summary if len(ordered) == 1 else f"{len(ordered)} changes"
    return ChangeSet(
        tool,
        entries,
        f"Undo: {summary}",
        reason,
        tuple(change.id for change in ordered),
        folders=tuple(sorted(folders, key=len)),
        emptied=tuple(sorted(emptied, key=len, reverse=True)),
        mended=tuple(dict.fromkeys(path for change in ordered for path in change.mended)),
    )


def _folders_before(newest_first: Sequence[RecordedChange]) -> dict[VaultPath, bool]:
    """Tell of each folder that the changes made or took away whether it was there before all of them.

    What a folder's first change did to it tells: one that was made first was not there, however it went on.
    """
    was_there: dict[VaultPath, bool] = {}
    for change in reversed(newest_first):
        for folder in change.folders:
            was_there.setdefault(folder, False)
        for folder in change.emptied:
            was_there.setdefault(folder, True)
    return was_there


def _check_undoable(changes: Sequence[RecordedChange]) -> None:
    if not changes:
        raise NothingToUndo("There is no change to undo.", hint="Look in the history for the change you mean.")
    ids = {change.id for change in changes}
    for change in changes:
        if change.state is not ChangeState.DONE:
            raise NothingToUndo(f"The change {change.id} never took effect (it is {change.state}).")
        if change.undone_by is not None and change.undone_by not in ids:
            raise NothingToUndo(
                f"The change {change.id} was undone already, by {change.undone_by}.",
                hint="To bring it back, undo that one.",
                data={"undone_by": change.undone_by},
            )


@dataclass(slots=True)
class _File:
    """A file as it will be, and the path where it lies now; ``None`` when it comes from the journal."""

    data: bytes
    origin: VaultPath | None


@dataclass(slots=True)
class _Undo:
    """The named files as they are now and as the inverses make them."""

    current: Callable[[VaultPath], bytes | None]
    blob: Callable[[str], bytes]
    now: dict[VaultPath, bytes | None] = field(default_factory=dict)
    then: dict[VaultPath, _File | None] = field(default_factory=dict)

    def take_back(self, entry: EntryRecord) -> None:
        """Apply the inverse of one entry to the files as they will be."""
        match entry.op:
            case Op.CREATE:
                file = self._file(entry.path)
                if checksum(file.data) != entry.after:
                    raise UndoConflict(
                        entry.path, "it was created by this change and edited since", self._diff(entry, file.data)
                    )
                self.then[entry.path] = None
            case Op.REPLACE:
                file = self._file(entry.path)
                self.then[entry.path] = _File(self._without(entry, entry.path, file.data), file.origin)
            case Op.MOVE:
                self._move_back(entry)
            case Op.TRASH:
                self._bring_back(entry)

    def _move_back(self, entry: EntryRecord) -> None:
        place = entry.to or entry.path
        file = self._file(place)
        if self._look(entry.path) is not None:
            raise UndoConflict(entry.path, "another file has its old place")
        data = file.data if entry.after is None else self._without(entry, place, file.data)
        self.then[place] = None
        self.then[entry.path] = _File(data, file.origin)

    def _bring_back(self, entry: EntryRecord) -> None:
        there = self._look(entry.path)
        in_trash = self._look(entry.to) if entry.to is not None else None
        if there is None and entry.to is not None and in_trash and checksum(in_trash.data) == entry.before:
            self.then[entry.to] = None
            self.then[entry.path] = in_trash
        elif there is None:
            self.then[entry.path] = _File(self.blob(str(entry.before)), None)
        elif checksum(there.data) != entry.before:
            raise UndoConflict(entry.path, "another file has its place")

    def _without(self, entry: EntryRecord, path: VaultPath, data: bytes) -> bytes:
        """Return the bytes without what the entry changed in them."""
        before = self.blob(str(entry.before))
        if checksum(data) == entry.after:
            return before
        merged = merged_text(path, self.blob(str(entry.after)), data, before)
        if merged is None:
            raise UndoConflict(path, "the same lines were changed since", self._diff(entry, data))
        return merged

    def entries(self) -> Iterable[Entry]:
        """List what leads from the files as they are to the files as they will be, one entry a path."""
        moves = self._moves()
        arrived = set(moves.values())
        for path, file in self.then.items():
            now = self.now[path]
            if path in moves:
                to = moves[path]
                data = self._data(to)
                edited = data if data != now else None
                # The trash takes a file as it is; what it held in another form goes back there by a move.
                op = Op.TRASH if to.is_under(_TRASH) and edited is None else Op.MOVE
                yield Entry(op, path, _hash(now), edited, to)
            elif file is None and now is not None:
                yield Entry(Op.TRASH, path, _hash(now))
            elif file is not None and now is None and path not in arrived:
                yield Entry(Op.CREATE, path, None, file.data)
            elif file is not None and now is not None and file.data != now:
                yield Entry(Op.REPLACE, path, _hash(now), file.data)

    def _moves(self) -> dict[VaultPath, VaultPath]:
        """Return what a rename does: from places that end empty to places that are empty now.

        A name that comes back in another case takes over the file that has it now, since disks may take both for one.
        """
        leaving = {path.key: path for path, file in self.then.items() if file is None and self.now[path] is not None}
        coming = {path: file for path, file in self.then.items() if file is not None and self.now[path] is None}
        moves = {leaving[path.key]: path for path in coming if path.key in leaving}
        arrived = set(moves.values())
        for path, file in coming.items():
            origin = file.origin
            if origin is not None and path not in arrived and origin not in moves and self.then.get(origin) is None:
                moves[origin] = path
        return moves

    def _data(self, path: VaultPath) -> bytes | None:
        file = self.then[path]
        return None if file is None else file.data

    def _look(self, path: VaultPath) -> _File | None:
        if path not in self.now:
            data = self.now[path] = self.current(path)
            self.then[path] = None if data is None else _File(data, path)
        return self.then[path]

    def _file(self, path: VaultPath) -> _File:
        file = self._look(path)
        if file is None:
            raise UndoConflict(path, "it was moved or deleted since")
        return file

    def _diff(self, entry: EntryRecord, data: bytes) -> str:
        return _short_diff(self.blob(str(entry.after)), data)


def _hash(data: bytes | None) -> str | None:
    return None if data is None else checksum(data)


def merged_text(path: VaultPath, base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Merge two versions of a text; ``None`` on a conflict, for bytes without lines and for a canvas made unsound."""
    try:
        for version in (base, ours, theirs):
            decode(version)
    except NotText:
        return None
    merged = merge(base, ours, theirs)
    return None if merged is None or (path.extension == "canvas" and not _is_sound_canvas(merged)) else merged


def _is_sound_canvas(data: bytes) -> bool:
    """Tell whether it is JSON whose edges all have both their ends (J10)."""
    try:
        canvas = json.loads(data)
        ids = {node["id"] for node in canvas.get("nodes", [])}
        return all(edge["fromNode"] in ids and edge["toNode"] in ids for edge in canvas.get("edges", []))
    except (ValueError, KeyError, TypeError, AttributeError):
        return False


def _short_diff(left: bytes, now: bytes) -> str:
    old, new = (data.decode(errors="replace").splitlines() for data in (left, now))
    lines = list(difflib.unified_diff(old, new, "as the change left it", "as it is now", n=2, lineterm=""))
    more = [f"… {len(lines) - _DIFF_LINES} more lines"] if len(lines) > _DIFF_LINES else []
    return "\n".join(lines[:_DIFF_LINES] + more)
