"""Read one note, or any file, as it is on disk."""

from collections.abc import Mapping
from dataclasses import dataclass

from sidecar.catalog.permalink import permalink_of
from sidecar.errors import NotFound, Refused
from sidecar.model.note import FileKind, Json, PropertyProblem, kind_of
from sidecar.model.path import VaultPath
from sidecar.parse.frontmatter import read_properties, title_of
from sidecar.parse.text import decode
from sidecar.services.caller import Caller
from sidecar.services.commit import Committer
from sidecar.services.lookup import find_file
from sidecar.services.raw_files import RawFile, raw_file
from sidecar.services.threads import Threads
from sidecar.services.versions import Versions
from sidecar.services.views import View, Views
from sidecar.vault.files import VaultFiles

__all__ = ["Content", "NoteText"]


@dataclass(frozen=True, slots=True)
class NoteText:
    """A whole note. ``content`` is its text, without the properties' block unless that was asked for."""

    path: VaultPath
    title: str
    permalink: str
    checksum: str
    text: str
    content: str
    properties: Mapping[str, Json]
    problem: PropertyProblem | None
    lines: int


class Content:
    """Serves notes, canvases and bases as text, and every file as it is."""

    def __init__(
        self, views: Views, files: VaultFiles, committer: Committer, versions: Versions, threads: Threads, project: str
    ) -> None:
        self._views = views
        self._files = files
        self._committer = committer
        self._versions = versions
        self._threads = threads
        self._project = project

    async def read(self, caller: Caller, identifier: str, *, include_frontmatter: bool = False) -> NoteText:
        """Return the file's text, from the disk and not from the index.

        Raises:
            NotFound: with near names.
            Ambiguous: when the name fits several files.
            Refused: for attachments, and for what is not UTF-8 text.

        """
        return await self._threads.read(self._read, caller, identifier, include_frontmatter=include_frontmatter)

    async def read_file(self, caller: Caller, path: str) -> RawFile:
        """Return any file by its path, or a note by any of its names.

        Raises:
            NotFound: with near names.
            Refused: when it is too large to hand over.

        """
        return await self._threads.read(self._read_file, caller, path)

    def _read(self, caller: Caller, identifier: str, *, include_frontmatter: bool) -> NoteText:
        view, path = self._found(caller, identifier)
        if kind_of(path) is FileKind.ATTACHMENT:
            raise Refused(f"'{path}' is an attachment, not a note.", hint="list_directory shows what else is there.")
        data = self._files.read(path)
        text = decode(data).text
        if kind_of(path) is FileKind.NOTE:
            _check_visible(view, path, text, identifier)
        read = read_properties(text) if kind_of(path) is FileKind.NOTE else read_properties("")
        return NoteText(
            path=path,
            title=title_of(read.values) or path.basename,
            permalink=permalink_of(path),
            checksum=self._versions.served(data),
            text=text,
            content=text if include_frontmatter else text[read.body_start :],
            properties=read.values,
            problem=read.problem,
            lines=text.count("\n") + (not text.endswith("\n") and bool(text)),
        )

    def _read_file(self, caller: Caller, name: str) -> RawFile:
        view, path = self._found(caller, name)
        data = self._files.read(path)
        if kind_of(path) is FileKind.NOTE:
            _check_visible(view, path, data.decode("utf-8-sig", "replace"), name)
        return raw_file(path, data, self._versions.served(data))

    def _found(self, caller: Caller, identifier: str) -> tuple[View, VaultPath]:
        view = self._views.newest(caller.audience)
        return view, find_file(view, identifier, project=self._project, index_now=self._committer.index_now)


def _check_visible(view: View, path: VaultPath, text: str, identifier: str) -> None:
    if not view.sees_text(path, text):
        raise NotFound(f"There is no note '{identifier}'.", hint="Use search_notes to find it.")
