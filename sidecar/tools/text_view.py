"""Results as text for a model to read; a whole note is a block of its own, excerpts stand between random marks."""

from collections.abc import Sequence
from datetime import datetime
from functools import singledispatch

from sidecar.services.canvas_drawing import CanvasDrawn
from sidecar.services.edits import NoteEdited
from sidecar.services.history import ChangeShown, HistoryPage, Undone
from sidecar.services.notes import NoteWritten
from sidecar.services.relink import RelinkedFile

__all__ = ["blocks_of", "counted", "local"]

_SHORT = 16


@singledispatch
def blocks_of(result: object) -> tuple[str, ...]:
    """Return the text blocks of a result: ours first, note text behind."""
    raise TypeError(f"no text view of {type(result).__name__}")


@blocks_of.register
def _(r: NoteWritten) -> tuple[str, ...]:
    lines = [f"# {r.action.capitalize()}: {r.title}", f"path: {r.path}", f"checksum: {r.checksum[:_SHORT]}"]
    if r.alias:
        lines.append(f"alias: {r.alias} (no file can have that name)")
    if r.tags:
        lines.append("tags: " + " ".join(f"#{tag}" for tag in r.tags))
    if r.observations:
        lines.append("observations: " + ", ".join(f"{name} {n}" for name, n in sorted(r.observations.items())))
    if r.resolved or r.unresolved:
        lines.append(f"relations: {r.resolved} resolved, {r.unresolved} unresolved")
    lines += _relinked_lines(r.relinked)
    return ("\n".join([*lines, _change_line(r.change)]),)


@blocks_of.register
def _(r: NoteEdited) -> tuple[str, ...]:
    lines = [
        f"# Edited: {r.title}" if r.change else f"# Unchanged: {r.title}",
        f"{r.operation.value}: {'added it' if r.section_created else r.detail} (+{r.added} -{r.removed} lines)",
        f"path: {r.path}",
        f"checksum: {r.checksum[:_SHORT]}",
        _change_line(r.change),
    ]
    if r.section_created:
        lines.insert(0, f"section_created: true; {r.detail}.")
    return ("\n".join(lines),)


@blocks_of.register
def _(r: CanvasDrawn) -> tuple[str, ...]:
    lines = [
        f"# {r.action.capitalize()}: {r.path.basename}",
        f"path: {r.path}",
        f"{counted(r.nodes, 'card')}, {counted(r.edges, 'edge')}",
    ]
    if r.ids:
        lines.append("ids: " + ", ".join(f"{old} = {new}" for old, new in r.ids.items()))
    lines += [f"Note: {warning}" for warning in r.warnings]
    lines += _relinked_lines(r.relinked)
    return ("\n".join([*lines, f"checksum: {r.checksum[:_SHORT]}", _change_line(r.change)]),)


@blocks_of.register
def _(r: HistoryPage) -> tuple[str, ...]:
    decided = () if r.proposal is None else blocks_of(r.proposal)
    if not r.changes:
        return decided or ("No agent changed anything here.",)
    return ("\n".join((*decided, *(line for shown in r.changes for line in _shown(shown)))),)


def _shown(shown: ChangeShown) -> list[str]:
    c = shown.change
    when = datetime.fromtimestamp(c.at / 1e9).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    state = f"undone by {c.undone_by}" if c.undone_by else "" if c.state.value == "done" else c.state.value
    lines = [f"{c.id}  {when}  {c.author.client}: {c.summary}" + (f"  [{state}]" if state else "")]
    if c.reason:
        lines.append(f"   why: {c.reason}")
    for _, diff in shown.diffs:
        lines += [f"   {line}" for line in diff.splitlines()]
    return lines


@blocks_of.register
def _(r: Undone) -> tuple[str, ...]:
    head = "Would take back" if r.dry_run else "Took back"
    lines = [f"{head} {', '.join(r.undone)}."]
    for path, diff in r.diffs:
        lines += [f"{path}:", *(f"   {line}" for line in diff.splitlines())]
    if r.change:
        lines.append(f"This is change {r.change}; undo it to bring everything back.")
    return ("\n".join(lines),)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, whose plural takes an s."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def local(ns: int) -> str:
    """Return a moment in local time, to the minute."""
    return datetime.fromtimestamp(ns / 1e9).astimezone().strftime("%Y-%m-%d %H:%M")


def _relinked_lines(files: Sequence[RelinkedFile]) -> list[str]:
    if not files:
        return []
    names = ", ".join(file.path for file in files)
    return [f"relinked: {names} (their links would have led to the new file; they lead on to the other of that name)"]


def _change_line(change: str | None) -> str:
    return f"change: {change} (undo takes it back)" if change else "Nothing had to change."
