"""Change a part of an existing note; the rest keeps its bytes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from sidecar.catalog.permalink import permalink_of
from sidecar.errors import NotFound, Refused, SidecarError
from sidecar.model.change import ChangeSet, Entry, Op
from sidecar.model.file import checksum
from sidecar.model.note import FileKind, Json, kind_of
from sidecar.model.path import VaultPath, check_new_path, file_name_from_title
from sidecar.parse.edit_properties import remove_property, set_property
from sidecar.parse.encrypted import check_edit, check_not_encrypted
from sidecar.parse.find_replace import Scope
from sidecar.parse.frontmatter import read_properties, title_of
from sidecar.parse.text import decode
from sidecar.services.caller import Caller
from sidecar.services.commit import Committer, Plan
from sidecar.services.edit_operations import EditedText, EditOperation, Request
from sidecar.services.lookup import find_file, no_note
from sidecar.services.versions import Versions
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles

__all__ = ["EditOperation", "Edits", "NoteEdited", "Scope"]

_LONGEST_CALL = 2000
"""Characters of content that a ready call repeats."""
_MOST_COMPARED = 1_000_000
"""Lines before times lines after an edit; beyond it all of them count as changed."""


@dataclass(frozen=True, slots=True)
class NoteEdited:
    """How a note was edited."""

    path: VaultPath
    title: str
    permalink: str
    checksum: str
    operation: EditOperation
    detail: str
    section_created: bool
    added: int
    """Lines that are new, and below lines that are gone."""
    removed: int
    change: str | None
    """Id of the change for undo; ``None`` when the note already was so."""


@dataclass(frozen=True, slots=True)
class _About:
    path: VaultPath
    before: bytes
    after: bytes
    edited: EditedText


class Edits:
    """Edits notes in place."""

    def __init__(self, committer: Committer, files: VaultFiles, versions: Versions, project: str) -> None:
        self._committer = committer
        self._files = files
        self._versions = versions
        self._project = project

    async def edit(
        self,
        caller: Caller,
        *,
        identifier: str,
        operation: EditOperation,
        content: str,
        section: str | None = None,
        find_text: str | None = None,
        expected_replacements: int | None = None,
        scope: Scope = "body",
        replace_subsections: bool = True,
        metadata: Mapping[str, Json] | None = None,
        expected_checksum: str | None = None,
        reason: str | None = None,
    ) -> NoteEdited:
        """Edit a note and set properties, in one change.

        Raises:
            NotFound: when the note or the section is not there, with near names; a note is never created.
            Ambiguous: when the note's name or the heading fits more than once.
            Invalid: when the operation lacks what it needs, or the text is found another number of times.
            Refused: when the edit would break the note's properties, or touch what is encrypted in it.
            Stale: when the note is no longer the version of ``expected_checksum``.

        """
        request = Request(operation, content, section, find_text, expected_replacements, scope, replace_subsections)
        work = request.work()

        def plan(view: View) -> Plan[_About]:
            path, before = self._note(view, identifier, content)
            source = decode(before)
            self._versions.check(path, before, expected_checksum)
            check_not_encrypted(path, source.text)
            edited = _told_of(work(source), metadata or {}, said=bool(content))
            text = _with_metadata(edited.text, metadata or {}, source.newline)
            check_edit(path, source.text, text)
            after = source.encode(text)
            entries = (Entry(Op.REPLACE, path, checksum(before), after),) if after != before else ()
            summary = f"Edit {path}: {edited.detail}"
            return Plan(ChangeSet("edit_note", entries, summary, reason), _About(path, before, after, edited))

        done = await self._committer.apply(plan, caller)
        about = done.about
        added, removed = _line_counts(about.before, about.after)
        properties = read_properties(decode(about.after).text).values
        return NoteEdited(
            path=about.path,
            title=title_of(properties) or about.path.basename,
            permalink=permalink_of(about.path),
            checksum=self._versions.served(about.after),
            operation=operation,
            detail=about.edited.detail,
            section_created=about.edited.section_created,
            added=added,
            removed=removed,
            change=done.recorded.id if done.recorded else None,
        )

    def _note(self, view: View, identifier: str, content: str) -> tuple[VaultPath, bytes]:
        try:
            path = find_file(view, identifier, project=self._project, index_now=self._committer.index_now)
            if kind_of(path) is not FileKind.NOTE:
                raise Refused(f"'{path}' is not a note.", hint="edit_note changes Markdown notes only.")
            data = self._files.read(path)
        except NotFound as missing:
            raise _with_ready_call(missing, identifier, content) from None
        if not view.sees_text(path, decode(data).text):
            raise _with_ready_call(no_note(identifier), identifier, content)
        return path, data


def _with_ready_call(missing: NotFound, identifier: str, content: str) -> NotFound:
    """Add to an error the call that makes the note, where a note can have that name."""
    try:
        path = VaultPath.of(identifier.rpartition("://")[2].strip("[] ").partition("#")[0])
        title = file_name_from_title(path.without_md.rpartition("/")[2])
        check_new_path(path.folder.child(f"{title}.md"))
    except SidecarError:
        return missing
    call: dict[str, Json] = {"title": title, "directory": path.folder or "/"}
    if len(content) <= _LONGEST_CALL:
        call["content"] = content
    told = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in call.items())
    more = "" if "content" in call else ", content=the same text"
    is_folder = missing.data.get("stands_for") == "folder"
    known = "It is a folder. " if is_folder else "Use one of these. " if missing.candidates else ""
    return NotFound(
        missing.message,
        hint=f"edit_note creates no note. {known}This makes it: write_note({told}{more})",
        candidates=missing.candidates,
        data={**missing.data, "write_note": call, "fileCreated": False},
    )


def _told_of(edited: EditedText, metadata: Mapping[str, Json], *, said: bool) -> EditedText:
    """Say which properties are set and removed besides; ``said`` is false when the edit itself added nothing."""
    kept = [name for name, value in metadata.items() if value is not None]
    gone = [name for name, value in metadata.items() if value is None]
    told = [f"{done} {', '.join(names)}" for done, names in (("set", kept), ("removed", gone)) if names]
    if not told:
        return edited
    return replace(edited, detail="; ".join([edited.detail, *told] if said else told))


def _with_metadata(text: str, metadata: Mapping[str, Json], newline: str) -> str:
    for name, value in metadata.items():
        removed = value is None
        text = remove_property(text, name, newline) if removed else set_property(text, name, value, newline)
    return text


def _line_counts(before: bytes, after: bytes) -> tuple[int, int]:
    old, new = before.splitlines(), after.splitlines()
    same = next((i for i, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    old, new = old[same:], new[same:]  # comparing takes the square of the lines, and most are as they were
    ends = zip(reversed(old), reversed(new), strict=False)
    same = next((i for i, (a, b) in enumerate(ends) if a != b), min(len(old), len(new)))
    old, new = old[: len(old) - same], new[: len(new) - same]
    if len(old) * len(new) > _MOST_COMPARED:
        return len(new), len(old)
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    changed = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    return sum(j2 - j1 for _, _, _, j1, j2 in changed), sum(i2 - i1 for _, i1, i2, _, _ in changed)
