"""Parts of a planned change for the person to choose from: hunks of notes, other files as a whole."""

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

from sidecar.errors import Invalid, Refused, Stale
from sidecar.model.change import ChangeSet, Entry, Op
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.parse.frontmatter import read_properties
from sidecar.parse.text import decode
from sidecar.services.file_diff import FileDiff, file_diff
from sidecar.services.hunks import Hunk, hunks_of, with_hunks

__all__ = ["OfferedFile", "chosen_of", "is_whole", "offered"]

_ID_DIGITS = 12


@dataclass(frozen=True, slots=True)
class OfferedFile:
    """What would become of one file, with an id for each hunk; ``is_whole``: they can only be taken together."""

    diff: FileDiff
    hunks: tuple[str, ...]
    is_whole: bool


def is_whole(change: ChangeSet) -> bool:
    """Tell whether a change can only be made as it is: the links that follow a move, and what an undo restores."""
    return bool(change.undoes) or any(entry.op is Op.MOVE for entry in change.entries)


def offered(change: ChangeSet, entry: Entry, now: bytes) -> OfferedFile:
    """Return what an entry does to the bytes that are there now."""
    after = _after(entry)
    diff = file_diff(entry.op, entry.path, entry.to, now, after)
    hunks = () if after is None else hunks_of(now, after) or ()
    whole = (
        is_whole(change)
        or entry.path in change.mended
        or entry.op is Op.TRASH
        or kind_of(entry.path) is not FileKind.NOTE
        or diff.more > 0
    )
    return OfferedFile(diff, _ids(hunks)[: len(diff.hunks)], whole)


def chosen_of(
    change: ChangeSet,
    chosen: Mapping[VaultPath, Collection[str] | None],
    current: Callable[[VaultPath], bytes | None],
) -> ChangeSet:
    """Return the part of a change that was chosen: by file, the ids of its hunks, or ``None`` for all of them.

    Links that are mended for a new file follow it.

    Raises:
        Stale: when a file or hunk that was chosen is not in the change any more.
        Invalid: when nothing is left, or a part was chosen of what can only be taken as a whole.
        Refused: when the properties of a note would not parse with these hunks alone.

    """
    if is_whole(change):
        raise Invalid("A move and an undo can only be accepted as a whole.", hint="Accept all of it, or reject it.")
    if unknown := chosen.keys() - {entry.path for entry in change.entries}:
        raise _looks_different(min(unknown))
    picked = [
        part
        for entry in change.entries
        if entry.path in chosen and entry.path not in change.mended
        for part in [_part(change, entry, chosen[entry.path], current(entry.path) or b"")]
        if part is not None
    ]
    if not picked:
        raise Invalid("Nothing was chosen.", hint="Reject the proposal if none of it is wanted.")
    if any(entry.op is Op.CREATE for entry in picked):
        picked += [entry for entry in change.entries if entry.path in change.mended]
    return replace(change, entries=tuple(picked))


def _part(change: ChangeSet, entry: Entry, chosen: Collection[str] | None, now: bytes) -> Entry | None:
    file = offered(change, entry, now)
    if chosen is None or not file.hunks or set(chosen) == set(file.hunks):
        return entry
    if not set(chosen) <= set(file.hunks):
        raise _looks_different(entry.path)
    if not chosen:
        return None
    if file.is_whole:
        raise Invalid(f"'{entry.path}' can only be accepted as a whole.", hint="Choose all of its hunks, or none.")
    after = with_hunks(now, entry.after or b"", {n for n, name in enumerate(file.hunks) if name in chosen})
    _check_properties(entry.path, entry.after or b"", after)
    return replace(entry, after=after)


def _check_properties(path: VaultPath, whole: bytes, part: bytes) -> None:
    if read_properties(decode(part).text).problem and not read_properties(decode(whole).text).problem:
        raise Refused(
            f"With these hunks alone the properties of '{path}' would not parse.",
            hint="Take all hunks of the properties, or none of them.",
        )


def _looks_different(path: VaultPath) -> Stale:
    return Stale(f"What is proposed for '{path}' looks different by now.", hint="Look at it again.")


def _ids(hunks: Collection[Hunk]) -> tuple[str, ...]:
    """Name hunks by what they say, so that edits elsewhere in the file do not rename them."""
    seen: Counter[str] = Counter()
    ids = []
    for hunk in hunks:
        text = "\n".join(line.kind + line.text for line in hunk.lines)
        name = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:_ID_DIGITS]
        seen[name] += 1
        ids.append(f"{name}-{seen[name]}")
    return tuple(ids)


def _after(entry: Entry) -> bytes | None:
    return entry.after if entry.op is not Op.TRASH else entry.after or b""
