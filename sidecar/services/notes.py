"""Create a note or write it anew."""

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sidecar.catalog.permalink import permalink_of
from sidecar.errors import Invalid, Refused, Stale
from sidecar.model.change import ChangeSet, Entry, Op
from sidecar.model.file import checksum
from sidecar.model.note import Json
from sidecar.model.path import VaultPath, check_new_path, file_name_from_title
from sidecar.parse.edit_properties import add_to_list, set_property
from sidecar.parse.encrypted import check_edit
from sidecar.parse.frontmatter import block_of, read_properties, tags_of, title_of
from sidecar.parse.text import SourceText, decode
from sidecar.services.caller import Caller
from sidecar.services.commit import Committed, Committer, Forbidden, Plan
from sidecar.services.relink import RelinkedFile, Relinker
from sidecar.services.versions import Versions
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles

__all__ = ["NoteExists", "NoteWritten", "Notes", "placed_in"]


@dataclass(frozen=True, slots=True)
class NoteWritten:
    """How a note was written, and what it says to the graph."""

    path: VaultPath
    title: str
    permalink: str
    checksum: str
    action: Literal["created", "updated", "unchanged"]
    tags: tuple[str, ...]
    observations: Mapping[str, int]
    """Number of observations by category."""
    resolved: int
    unresolved: int
    change: str | None
    """Id of the change, for undo."""
    relinked: tuple[RelinkedFile, ...] = ()
    """Files with links that a new note of this name would have led astray (M8); they lead where they led."""
    alias: str | None = None
    """The title that was asked for, where no file can have that name."""


@dataclass(frozen=True, slots=True)
class _Written:
    path: VaultPath
    data: bytes
    created: bool
    relinked: tuple[RelinkedFile, ...] = ()


class NoteExists(Refused):
    """A note is there and was not to be replaced; ``data`` has what clients of the contract look for."""

    def __init__(self, path: VaultPath, digest: str) -> None:
        super().__init__(
            f"'{path}' exists already.",
            hint=f"Use edit_note with identifier '{path}' to change it, or overwrite=true to replace it.",
            data={
                "action": "conflict",
                "code": "NOTE_ALREADY_EXISTS",
                "title": path.basename,
                "permalink": permalink_of(path),
                "file_path": path,
                "checksum": digest,
            },
        )


class Notes:
    """Writes whole notes."""

    def __init__(
        self, committer: Committer, files: VaultFiles, versions: Versions, relinker: Relinker, *, overwrite: bool
    ) -> None:
        self._committer = committer
        self._files = files
        self._versions = versions
        self._relinker = relinker
        self._overwrite = overwrite

    async def write(
        self,
        caller: Caller,
        *,
        title: str,
        content: str,
        directory: str,
        tags: Sequence[str] = (),
        note_type: str | None = None,
        metadata: Mapping[str, Json] | None = None,
        overwrite: bool | None = None,
        expected_checksum: str | None = None,
        reason: str | None = None,
    ) -> NoteWritten:
        """Create ``directory/title.md``, or replace it when told to overwrite; unknown properties stay.

        Raises:
            Invalid: when no file name can be made, or the content's properties do not parse.
            Refused: when the note exists and is not to be overwritten, or holds encrypted text; also when its name
                would lead links astray in a file that cannot be mended (M8).
            Stale: when it is no longer the version of ``expected_checksum``.

        """
        may_replace = self._overwrite if overwrite is None else overwrite
        given = _given_properties(title, tags, note_type, metadata)

        def plan(view: View) -> Plan[_Written]:
            path = placed_in(self._files, view, directory, f"{file_name_from_title(_without_md(title))}.md")
            old = _existing(self._files, path)
            if old is None:
                if expected_checksum is not None:
                    raise Stale(f"'{path}' is gone.", hint="Leave out expected_checksum to create it again.")
                text = _with_properties(content, given, "\n")
                data = text.encode()
                links = self._relinker.plan(view, added=(path,))
                entries = (Entry(Op.CREATE, path, None, data), *links.entries)
                return Plan(
                    ChangeSet("write_note", entries, f"Create {path}", reason, mended=links.mended),
                    _Written(path, data, created=True, relinked=links.files),
                )
            self._versions.check(path, old, expected_checksum)
            if not may_replace and expected_checksum is None:
                raise NoteExists(path, checksum(old))
            data = _replaced(decode(old), content, given)
            check_edit(path, decode(old).text, decode(data).text)
            replaced = (Entry(Op.REPLACE, path, checksum(old), data),) if data != old else ()
            return Plan(
                ChangeSet("write_note", replaced, f"Replace {path}", reason), _Written(path, data, created=False)
            )

        done = await self._committer.apply(plan, caller)
        return replace(
            _result(done, self._versions.served(done.about.data)), alias=None if _can_be_name(title) else title.strip()
        )


def placed_in(files: VaultFiles, view: View, directory: str, name: str) -> VaultPath:
    """Return the path of ``name`` in ``directory``, with the spelling of folders that exist and are no secret (F5).

    Raises:
        Invalid: when Obsidian or an operating system refuses the name.
        Forbidden: when the user's rules keep agents from it, or from a file that has this name already.

    """
    path = VaultPath.of(directory).child(name)
    folder = VaultPath("")
    for segment in path.folder.split("/") if path.folder else ():
        step = folder.child(segment)
        found = files.find_case(step)
        folder = found if found is not None and view.sees(found) and view.sees_folder(found) else step
    path = folder.child(path.name)
    check_new_path(path)
    twin = files.find_case(path)
    if not view.may_change(path) or (twin is not None and not view.sees(twin)):
        raise Forbidden(path)
    return path


def _existing(files: VaultFiles, path: VaultPath) -> bytes | None:
    twin = files.find_case(path)
    if twin is None:
        return None
    if twin != path:
        raise Refused(
            f"'{twin}' exists, and a name that differs only in case would clash with it.",
            hint=f"Use the title '{twin.basename}' to change that note.",
        )
    return files.read(path)


def _without_md(title: str) -> str:
    title = title.strip()
    return title[:-3] if title.lower().endswith(".md") else title


_JOINED = frozenset({"tags", "aliases"})


def _given_properties(
    title: str, tags: Sequence[str], note_type: str | None, metadata: Mapping[str, Json] | None
) -> dict[str, Json]:
    given: dict[str, Json] = {name: _as_given(name, value) for name, value in (metadata or {}).items()}
    if note_type and note_type.strip() and note_type.strip().lower() != "note":
        _put(given, "type", note_type.strip())
    if tags:
        _put(given, "tags", [tag.strip().lstrip("#") for tag in tags if tag.strip(" #")])
    if not _can_be_name(title):
        _put(given, "aliases", [title.strip()])
    return given


def _can_be_name(title: str) -> bool:
    wanted = " ".join(unicodedata.normalize("NFC", _without_md(title)).split())
    return file_name_from_title(wanted) == wanted


def _as_given(name: str, value: Json) -> Json:
    """Return a property as it was given; of tags and aliases, that are joined with others, always a list."""
    if name.lower() not in _JOINED or not isinstance(value, str):
        return value
    parts = value.split(",") if name.lower() == "tags" else [value]
    return [part.strip() for part in parts if part.strip()]


def _put(given: dict[str, Json], name: str, value: Json) -> None:
    """Add a property under whatever spelling it has already; lists are joined."""
    known = next((spelling for spelling in given if spelling.lower() == name), name)
    old = given.get(known)
    if isinstance(value, list) and old is not None:
        value = [*(old if isinstance(old, list) else [old]), *value]
    given[known] = value


def _with_properties(text: str, given: Mapping[str, Json], newline: str) -> str:
    """Put properties into a text: lists of tags and aliases are joined, other values win over the text's own."""
    problem = read_properties(text).problem
    if problem is not None:
        raise Invalid(
            f"The content's properties do not parse (line {problem.line}): {problem.message}",
            hint="Correct the YAML between the '---' lines.",
            data={"line": problem.line},
        )
    for name, value in given.items():
        if name.lower() in _JOINED and isinstance(value, list):
            text = add_to_list(text, name, value, newline)
        else:
            text = set_property(text, name, value, newline)
    return text


def _replaced(old: SourceText, content: str, given: Mapping[str, Json]) -> bytes:
    """Replace a note's body; its own block stays, changed only where the content or a parameter says so."""
    new = old.in_style(content)
    said = read_properties(new)
    if said.problem is not None:
        _with_properties(new, {}, old.newline)  # words the error
    block = block_of(old.text)
    text = old.text[: block.end] if block else ""
    for name, value in said.values.items():
        text = set_property(text, name, value, old.newline)
    text = _with_properties(text, given, old.newline)
    return old.encode(text + new[said.body_start :])


def _result(done: Committed[_Written], digest: str) -> NoteWritten:
    about, view = done.about, done.view
    relations = view.relations(about.path)
    known = sum(
        view.resolve(r.target.partition("|")[0].partition("#")[0], about.path).target is not None for r in relations
    )
    properties = read_properties(decode(about.data).text).values
    return NoteWritten(
        path=about.path,
        title=title_of(properties) or about.path.basename,
        permalink=permalink_of(about.path),
        checksum=digest,
        action="created" if about.created else "updated" if done.recorded else "unchanged",
        tags=tags_of(properties),
        observations=Counter(o.category for o in view.observations(about.path)),
        resolved=known,
        unresolved=len(relations) - known,
        change=done.recorded.id if done.recorded else None,
        relinked=about.relinked,
    )
