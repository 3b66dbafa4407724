"""Carrying a planned change to the files: checked, journaled, applied wholly or not at all (design: writing)."""

import dataclasses
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from sidecar.errors import Invalid, NotFound, Refused, SidecarError, Stale, Unavailable
from sidecar.model.change import Author, ChangeSet, ChangeState, Entry, EntryRecord, Op, RecordedChange
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath, check_new_path
from sidecar.model.ports import Journal
from sidecar.vault import trash, writer
from sidecar.vault.emptied import take_away
from sidecar.vault.files import TRASH, VaultFiles
from sidecar.vault.glance import Glance
from sidecar.vault.rollback import clean_up, is_carried_out, place_of, roll_back

__all__ = ["CarryOut", "DiskSink", "NameTaken", "OutcomeUnknown", "Recovery", "carry_out", "checked", "recover"]

Holds: TypeAlias = Callable[[bytes, bytes, bytes], bool]
"""Tells from the bytes before, those after and those found whether a file has a change in it, and more besides."""
_Applied: TypeAlias = Callable[[tuple[VaultPath, ...], tuple[VaultPath, ...]], object]
"""Is told of files that look different now, and of those among them in which only links do."""


class NameTaken(Stale):
    """The change would create a file where one is, or one whose name differs only in case (F5)."""

    def __init__(self, path: VaultPath, holder: VaultPath) -> None:
        super().__init__(
            f"'{path}' exists already." if path == holder else f"'{path}' would stand beside '{holder}'.",
            hint="Choose another name, or change the file that is there.",
            candidates=(holder,),
            data={"path": path},
        )


class OutcomeUnknown(Unavailable):
    """Someone who was to write a file for us may still do so; nothing is taken back, and the change stays open."""


class CarryOut(Protocol):
    """Does what one entry says."""

    def __call__(self, files: VaultFiles, entry: Entry, *, system_trash: bool) -> None: ...


@dataclass(frozen=True, slots=True)
class Recovery:
    """How a change that a crash had left open was ended."""

    change: RecordedChange
    left: tuple[VaultPath, ...] = ()
    """Files that could not be put back, since someone else changed them meanwhile."""


class DiskSink:
    """Applies changes to the files of one vault; the caller sees to it that only one does so at a time."""

    def __init__(self, files: VaultFiles, journal: Journal, applied: _Applied) -> None:
        self._files = files
        self._journal = journal
        self._applied = applied

    def apply(self, change: ChangeSet, author: Author, by: CarryOut | None = None) -> RecordedChange:
        """Apply all entries or none, and tell ``applied`` which files look different.

        ``by`` does single entries in another way than :func:`carry_out`.

        Raises:
            OutcomeUnknown: when ``by`` does not know whether one was done.
            Stale: when a file is no longer what the plan was made on (C24), or a new name is taken (F5).
            Invalid: when the change contradicts itself or a new name is none (F1-F4).
            Refused: when a path is hidden, outside, linked or write-protected (C26, C27).
            Unavailable: when the disk refuses; what was done is taken back.

        """
        before = checked(self._files, change)
        folders = _missing_folders(self._files, change)
        record = self._journal.begin(dataclasses.replace(change, folders=folders), author, before)
        begun: list[EntryRecord] = []
        try:
            for entry, recorded in zip(change.entries, record.entries, strict=True):
                begun.append(recorded)
                (by or carry_out)(self._files, entry, system_trash=change.system_trash)
            for folder in {entry.path.folder for entry in change.entries if entry.op is Op.REPLACE}:
                writer.sync_folder(place_of(self._files, folder))
            for folder in folders:
                writer.make_folder(place_of(self._files, folder))
            done = self._journal.finish(record.id, ChangeState.DONE)
        except OutcomeUnknown:
            raise
        except (SidecarError, OSError) as error:
            left = self._take_back(record, begun, error)
            raise _worded(error, begun[-1].path if begun else folders[-1], left) from error
        take_away(self._files, change)
        self._applied(_touched(change.entries), change.mended)
        return done

    def _take_back(self, record: RecordedChange, begun: list[EntryRecord], error: Exception) -> tuple[VaultPath, ...]:
        # an entry of one step that found someone else's file did nothing, even where both wrote the same bytes
        did_nothing = isinstance(error, FileExistsError | Stale | Refused) and begun and begun[-1].to is None
        left = roll_back(self._files, begun[:-1] if did_nothing else begun, self._journal.blob)
        clean_up(self._files, record.entries, record.folders)
        self._journal.finish(record.id, ChangeState.ROLLED_BACK)
        return left


def recover(files: VaultFiles, journal: Journal, holds: Holds | None = None) -> tuple[Recovery, ...]:
    """End every change that a crash left open: it is done if all its outcomes are on the disk, else it is taken back.

    A file that is neither as before nor as the change made it was written by someone else, and stays as it is.
    ``holds`` tells from the bytes before, those after and those found whether such a file has the change in it too.

    Raises:
        Unavailable: when the vault's folder is not there, so that nothing can be said of its files.

    """
    if not files.root.is_dir():
        raise Unavailable(f"The vault's folder '{files.root}' is not there.", hint="Check that its disk is connected.")
    return tuple(_recover(files, journal, change, holds) for change in reversed(journal.open_changes()))


def _recover(files: VaultFiles, journal: Journal, change: RecordedChange, holds: Holds | None) -> Recovery:
    left: tuple[VaultPath, ...] = ()
    done = all(
        _shows(files, entry) or (holds is not None and _has_in_it(files, entry, journal, holds))
        for entry in change.entries
    )
    if not done:
        left = roll_back(files, change.entries, journal.blob)
    clean_up(files, change.entries, () if done else change.folders)
    return Recovery(journal.finish(change.id, ChangeState.DONE if done else ChangeState.ROLLED_BACK), left)


def _shows(files: VaultFiles, entry: EntryRecord) -> bool:
    try:
        return is_carried_out(files, entry)
    except (SidecarError, OSError):
        return False


def _has_in_it(files: VaultFiles, entry: EntryRecord, journal: Journal, holds: Holds) -> bool:
    """Tell whether a file was rewritten as the entry says, and written in by someone else since."""
    if entry.op not in {Op.REPLACE, Op.MOVE} or entry.after is None or entry.before is None:
        return False
    try:
        if entry.to is not None and place_of(files, entry.path).exists():
            return False
        found = place_of(files, entry.to or entry.path).read_bytes()
        return holds(journal.blob(entry.before), journal.blob(entry.after), found)
    except (SidecarError, OSError):
        return False


def checked(files: VaultFiles, change: ChangeSet) -> dict[VaultPath, bytes]:
    """Compare every entry with the disk and return the bytes that only the journal will hold afterwards.

    Raises:
        Stale: when a file is no longer what the plan was made on (C24), or a new name is taken (F5).
        Invalid: when the change contradicts itself or a new name is none (F1-F4).
        Refused: when a path is hidden, outside, linked or write-protected (C26, C27).

    """
    if not change.entries and not change.emptied and not change.folders:
        raise Invalid("The change has no entries.")
    _refuse_duplicates(change.entries)
    restores, leaving = bool(change.undoes), frozenset(change.emptied)
    for folder in change.folders if not restores else ():
        check_new_path(folder)
    before: dict[VaultPath, bytes] = {}
    glance = files.glance()
    for entry in change.entries:
        _check_form(entry)
        if entry.op is not Op.CREATE:
            data = _unchanged(files, entry, glance, restores=restores)
            if entry.op is not Op.MOVE or entry.after is not None:
                before[entry.path] = data
        if entry.op is Op.CREATE:
            _check_free(files, entry.path, restores=restores)
        elif entry.op is Op.MOVE and entry.to is not None:
            _check_free(files, entry.to, restores=restores, moving=entry.path, leaving=leaving)
        elif entry.to is not None:
            _check_free_in_trash(files, entry.to)
    return before


def _refuse_duplicates(entries: Iterable[Entry]) -> None:
    seen: set[str] = set()
    for entry in entries:
        keys = {path.key for path in (entry.path, entry.to) if path is not None}
        if keys & seen:
            raise Invalid(
                f"The change names '{entry.path}' twice.", hint="Put all that happens to a file in one entry."
            )
        seen |= keys


def _check_form(entry: Entry) -> None:
    """Check that an entry says all that its operation needs and nothing else."""
    needs_after = entry.op in {Op.CREATE, Op.REPLACE}
    fits = (
        (entry.before is None) == (entry.op is Op.CREATE)
        and (entry.after is not None or not needs_after)
        and (entry.after is None or entry.op is not Op.TRASH)
        and (entry.to is not None or entry.op is not Op.MOVE)
        and (entry.to is None or not needs_after)
    )
    if not fits:
        raise Invalid(f"The entry '{entry.op}' for '{entry.path}' is incomplete or contradicts itself.")
    if entry.op is Op.TRASH and entry.to is not None and not entry.to.is_under(TRASH):
        raise Refused(f"'{entry.to}' is not in the vault's trash.")


def _unchanged(files: VaultFiles, entry: Entry, glance: Glance, *, restores: bool) -> bytes:
    try:
        if restores and entry.path.is_under(TRASH):
            data = trash.read(files, entry.path)
        else:
            files.absolute(entry.path)
            data = glance.read(entry.path)
    except NotFound:
        raise writer.ChangedOnDisk(entry.path, str(entry.before), None) from None
    if checksum(data) != entry.before:
        raise writer.ChangedOnDisk(entry.path, str(entry.before), checksum(data))
    return data


def _check_free(
    files: VaultFiles,
    path: VaultPath,
    *,
    restores: bool,
    moving: VaultPath | None = None,
    leaving: Collection[VaultPath] = (),
) -> None:
    """Check a new name; one that an undo brings back was there before, so it may break today's rules.

    A folder that goes with the change (``leaving``) may come again in another case. Only an undo puts anything into the
    trash that was not deleted just now.
    """
    if restores and path.is_under(TRASH):
        _check_free_in_trash(files, path)
        return
    if not restores:
        check_new_path(path)
    files.absolute(path)
    holder = files.find_case(path)
    if holder is not None and holder != moving:
        raise NameTaken(path, holder)
    folder = path.folder
    while folder and not files.exists(folder):
        twin = files.find_case(folder)
        if twin is not None and twin not in leaving:
            raise NameTaken(folder, twin)
        folder = folder.folder
    if folder and not files.folder_exists(folder):
        raise Invalid(f"'{folder}' is a file, so nothing can be put into it.", hint="Choose another folder.")


def _check_free_in_trash(files: VaultFiles, path: VaultPath) -> None:
    if files.trash_place(path).exists():
        raise NameTaken(path, path)


def _missing_folders(files: VaultFiles, change: ChangeSet) -> tuple[VaultPath, ...]:
    missing: set[VaultPath] = set()
    named = (path.folder for entry in change.entries for path in (entry.path, entry.to) if path is not None)
    for nearest in (*named, *change.folders):
        folder = nearest
        while folder and not (files.root / folder).is_dir() and not files.folder_exists(folder):
            missing.add(folder)
            folder = folder.folder
    return tuple(sorted(missing, key=len))


def carry_out(files: VaultFiles, entry: Entry, *, system_trash: bool) -> None:
    """Do on the disk what one entry says, right after looking whether the file is what the entry was decided on.

    Raises:
        Stale: when it is not.
        Refused: when it is write-protected, or the system's trash does not take it.
        OSError: when the disk refuses.

    """
    place = place_of(files, entry.path)
    target = place_of(files, entry.to) if entry.to is not None else None
    before, after = str(entry.before), entry.after or b""
    match entry.op:
        case Op.CREATE:
            writer.write_new(place, after)
        case Op.REPLACE:
            writer.replace(place, after, before, is_lasting=False)
        case Op.MOVE | Op.TRASH if target is not None:
            writer.move(place, target, before)
            if entry.after is not None:
                writer.replace(target, after, before)
        case _ if system_trash:
            writer.check(place, before)
            trash.send_to_system(place)
        case _:
            writer.remove(place, before)


def _touched(entries: Iterable[Entry]) -> tuple[VaultPath, ...]:
    named = [path for entry in entries for path in (entry.path, entry.to) if path is not None]
    return tuple(dict.fromkeys(path for path in named if not path.is_under(TRASH)))


def _worded(error: SidecarError | OSError, path: VaultPath, left: tuple[VaultPath, ...]) -> SidecarError:
    """Word a failure at ``path`` for the user; our own errors word themselves."""
    problem = f"'{path}' cannot be written: {error.strerror}." if isinstance(error, OSError) else error.message
    if left:
        names = ", ".join(left)
        return Unavailable(f"{problem} These files could not be put back: {names}.", data={"left": list(left)})
    if isinstance(error, SidecarError):
        return error
    if isinstance(error, FileExistsError | FileNotFoundError):
        return Stale(problem, hint="Someone else is changing these files. Look at them again and decide anew.")
    return Unavailable(f"{problem} Nothing was changed.", hint="Try again when the disk is free.")
