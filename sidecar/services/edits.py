"""Change a part of an existing note; the rest keeps its bytes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Literal

from sidecar.catalog.permalink import permalink_of
from sidecar.errors import Invalid, NotFound, Refused
from sidecar.model.change import ChangeSet, Entry, Op
from sidecar.model.file import checksum
from sidecar.model.note import FileKind, Json, kind_of
from sidecar.model.path import VaultPath
from sidecar.parse import edit
from sidecar.parse.edit_properties import remove_property, set_property
from sidecar.parse.encrypted import check_edit, check_not_encrypted
from sidecar.parse.find_replace import find_replace
from sidecar.parse.frontmatter import read_properties, title_of
from sidecar.parse.text import SourceText, decode
from sidecar.services.caller import Caller
from sidecar.services.commit import Committer, Plan
from sidecar.services.lookup import find_file
from sidecar.services.versions import Versions
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles

__all__ = ["EditOperation", "Edits", "NoteEdited", "Scope"]

Scope = Literal["body", "frontmatter", "all"]


class EditOperation(StrEnum):
    """What an edit does with its content."""

    APPEND = "append"
    PREPEND = "prepend"
    FIND_REPLACE = "find_replace"
    REPLACE_SECTION = "replace_section"


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
class _Edited:
    text: str
    detail: str
    section_created: bool = False


@dataclass(frozen=True, slots=True)
class _About:
    path: VaultPath
    before: bytes
    after: bytes
    edited: _Edited


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
        work = _operation(operation, content, section, find_text, expected_replacements, scope)

        def plan(view: View) -> Plan[_About]:
            path = find_file(view, identifier, project=self._project, index_now=self._committer.index_now)
            if kind_of(path) is not FileKind.NOTE:
                raise Refused(f"'{path}' is not a note.", hint="edit_note changes Markdown notes only.")
            before = self._files.read(path)
            source = decode(before)
            if not view.sees_text(path, source.text):
                raise NotFound(f"There is no note '{identifier}'.", hint="Use search_notes to find it.")
            self._versions.check(path, before, expected_checksum)
            check_not_encrypted(path, source.text)
            edited = work(source)
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


def _operation(
    operation: EditOperation,
    content: str,
    section: str | None,
    find_text: str | None,
    expected: int | None,
    scope: Scope,
) -> Callable[[SourceText], _Edited]:
    if operation is EditOperation.FIND_REPLACE:
        if not find_text:
            raise Invalid("find_replace needs find_text: the text to replace.")
        return lambda source: _replaced(source, find_text, content, expected, scope)
    if operation is EditOperation.REPLACE_SECTION:
        if not section:
            raise Invalid("replace_section needs section: the heading whose text is replaced.")
        return lambda source: _section_replaced(source, section, content)
    if operation is EditOperation.APPEND:
        return lambda source: _Edited(
            edit.append_to_section(source, section, content) if section else edit.append(source, content),
            f"added {_lines(content)} at the end of {_place(section)}",
        )
    return lambda source: _Edited(
        edit.prepend_to_section(source, section, content) if section else edit.prepend(source, content),
        f"added {_lines(content)} at the start of {_place(section)}",
    )


def _replaced(source: SourceText, find: str, content: str, expected: int | None, scope: Scope) -> _Edited:
    done = find_replace(source, find, content, expected=expected, scope=scope)
    skipped = f" ({done.skipped} skipped)" if done.skipped else ""
    return _Edited(done.text, f"replaced text; body: {done.body}, frontmatter: {done.frontmatter}{skipped}")


def _section_replaced(source: SourceText, section: str, content: str) -> _Edited:
    done = edit.replace_section(source, section, content)
    if done.created:
        return _Edited(done.text, f"the note had no section '{section}'; it was added at the end", section_created=True)
    return _Edited(done.text, f"replaced the text of section '{section}'")


def _with_metadata(text: str, metadata: Mapping[str, Json], newline: str) -> str:
    for name, value in metadata.items():
        removed = value is None
        text = remove_property(text, name, newline) if removed else set_property(text, name, value, newline)
    return text


def _place(section: str | None) -> str:
    return f"section '{section}'" if section else "the note"


def _lines(content: str) -> str:
    count = len(content.splitlines())
    return f"{count} line{'' if count == 1 else 's'}"


def _line_counts(before: bytes, after: bytes) -> tuple[int, int]:
    matcher = SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    changed = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    return sum(j2 - j1 for _, _, _, j1, j2 in changed), sum(i2 - i1 for _, i1, i2, _, _ in changed)
