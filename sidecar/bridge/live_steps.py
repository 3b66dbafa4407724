"""One entry of a change as the app does it, and what the disk shows afterwards."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict

from sidecar.bridge.requests import Answer, Outcome, Request, Requests
from sidecar.bridge.text_edits import edits_between
from sidecar.errors import SidecarError, Stale
from sidecar.journal.traces import holds
from sidecar.model.change import Entry, EntryRecord, Op
from sidecar.model.file import checksum
from sidecar.model.path import VaultPath
from sidecar.parse.text import NotText, decode
from sidecar.vault import writer
from sidecar.vault.changes import OutcomeUnknown, carry_out
from sidecar.vault.files import TRASH, VaultFiles
from sidecar.vault.rollback import is_carried_out, place_of

__all__ = ["LiveSteps", "UnsavedInObsidian"]

_LEFT_TO_US = frozenset({Outcome.DECLINED, Outcome.UNCLAIMED})
_LARGEST = 5_000_000
"""Bytes; what is larger no editor should be asked to change."""


class UnsavedInObsidian(Stale):
    """The person's editor holds text that is not on the disk yet, which a write would destroy."""

    def __init__(self, path: VaultPath) -> None:
        super().__init__(
            f"'{path}' has unsaved changes in Obsidian; nothing was written.",
            hint="Obsidian saves a moment after the last keystroke: read the file again then, and decide anew.",
            data={"path": path},
        )
        self.path = path


class LiveSteps:
    """Carries out the entries of one change: those of open files by the app, the others on the disk."""

    def __init__(self, requests: Requests, client: str, open_files: Collection[VaultPath]) -> None:
        self._requests = requests
        self._client = client
        self._open = open_files
        self._is_deaf = False
        self.last: Request | None = None
        """The last request that was made."""

    def carry_out(self, files: VaultFiles, entry: Entry, *, system_trash: bool) -> None:
        """Do what one entry says.

        Raises:
            UnsavedInObsidian: when the editor holds other text than the disk.
            OutcomeUnknown: when the app may have done it or not.
            SidecarError: as on the disk.
            OSError: as on the disk.

        """
        is_ours = self._is_deaf or entry.path not in self._open or entry.path.is_under(TRASH)
        match entry.op:
            case Op.REPLACE if not is_ours:
                if not self._write(files, entry.path, str(entry.before), entry.after or b""):
                    carry_out(files, entry, system_trash=system_trash)
            case Op.MOVE if not is_ours and entry.to is not None and not entry.to.is_under(TRASH):
                self._move(files, entry, entry.to)
            case Op.TRASH if not is_ours:
                self._trash(files, entry, system_trash=system_trash)
            case _:
                carry_out(files, entry, system_trash=system_trash)

    def _write(self, files: VaultFiles, path: VaultPath, before: str, after: bytes) -> bool:
        """Have an editor make the new text; ``False`` when it is left to us, and nothing was done."""
        found = files.read(path)
        old, new = _editor_text(path, found), _editor_text(path, after)
        if old is None or new is None or self._is_deaf:
            return False
        writer.check(place_of(files, path), before)
        data = {
            "path": path,
            "expected_sha256": before,
            "edits": [asdict(edit) for edit in edits_between(old, new)],
            "new_sha256": checksum(after),
        }
        answer = self._ask("write_request", data, lambda: _has_in_it(files, path, found, after))
        if answer.outcome in _LEFT_TO_US:
            return False
        if answer.outcome is Outcome.CONFLICT:
            raise UnsavedInObsidian(path)
        # What the person typed meanwhile may be in it, so that it need not be what we planned.
        said = answer.sha256 if answer.outcome is Outcome.DONE else None
        if _hash(files, path) not in {said} - {None, before} and not _has_in_it(files, path, found, after):
            raise _unknown(path)
        return True

    def _move(self, files: VaultFiles, entry: Entry, to: VaultPath) -> None:
        moved = EntryRecord(Op.MOVE, entry.path, to, entry.before, None)
        writer.check(place_of(files, entry.path), str(entry.before))
        answer = self._ask("rename_request", {"path": entry.path, "to": to}, lambda: _shows(files, moved))
        if not self._is_done(files, moved, answer):
            carry_out(files, entry, system_trash=False)
        elif entry.after is not None and not self._write(files, to, str(entry.before), entry.after):
            writer.replace(place_of(files, to), entry.after, str(entry.before))

    def _trash(self, files: VaultFiles, entry: Entry, *, system_trash: bool) -> None:
        gone = EntryRecord(Op.TRASH, entry.path, None, entry.before, None)
        writer.check(place_of(files, entry.path), str(entry.before))
        answer = self._ask("trash_request", {"path": entry.path}, lambda: _shows(files, gone))
        if not self._is_done(files, gone, answer):
            carry_out(files, entry, system_trash=system_trash)
        elif entry.to is not None:
            _bring_to(files, entry.to, str(entry.before))

    def _is_done(self, files: VaultFiles, record: EntryRecord, answer: Answer) -> bool:
        """Tell whether the disk shows what was asked for; ``False`` when it can be done here."""
        if answer.outcome in _LEFT_TO_US:
            return False
        if answer.outcome is Outcome.CONFLICT:
            raise UnsavedInObsidian(record.path)
        if _shows(files, record):
            return True
        if answer.outcome is Outcome.FAILED:
            return False
        raise _unknown(record.path)

    def _ask(self, kind: str, data: Mapping[str, object], is_done: Callable[[], bool]) -> Answer:
        self.last = self._requests.ask(kind, data, self._client)
        answer = self.last.wait(self._requests.patience, is_done)
        # Whoever heard nothing once hears nothing the next time: a folder with many open notes would take long.
        self._is_deaf = answer.outcome is Outcome.UNCLAIMED
        return answer


def _editor_text(path: VaultPath, data: bytes) -> str | None:
    """Return the text of a note as an editor holds it; ``None`` where one would not give the same bytes back."""
    if path.extension != "md" or len(data) > _LARGEST or b"\r" in data:
        return None
    try:
        source = decode(data)
    except NotText:
        return None
    return None if source.bom else source.text


def _shows(files: VaultFiles, record: EntryRecord) -> bool:
    try:
        return is_carried_out(files, record)
    except (SidecarError, OSError):
        return False


def _hash(files: VaultFiles, path: VaultPath) -> str | None:
    try:
        return checksum(files.read(path))
    except (SidecarError, OSError):
        return None


def _has_in_it(files: VaultFiles, path: VaultPath, before: bytes, after: bytes) -> bool:
    try:
        return holds(before, after, files.read(path))
    except (SidecarError, OSError):
        return False


def _bring_to(files: VaultFiles, to: VaultPath, before: str) -> None:
    """See to it that a file the app put into the vault's trash lies where the journal will look for it.

    Raises:
        OutcomeUnknown: when it does not lie there at all.

    """
    place = files.trash_place(to)
    if place.is_file():
        return
    folder = files.root / TRASH
    for found in sorted(folder.iterdir()) if folder.is_dir() else ():
        if found.is_file() and found.suffix == place.suffix and checksum(found.read_bytes()) == before:
            writer.move(found, place, before)
            return
    raise _unknown(to)


def _unknown(path: VaultPath) -> OutcomeUnknown:
    return OutcomeUnknown(
        f"It is not known whether Obsidian changed '{path}'.",
        hint="Read it again and check before you change it anew; nothing was written over it.",
        data={"path": path},
    )
