"""Read one note, or any file, as it is on disk."""

import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from sidecar.catalog.permalink import permalink_of
from sidecar.errors import Invalid, NotFound, Refused, SidecarError
from sidecar.model.note import FileKind, Heading, Json, PropertyProblem, kind_of
from sidecar.model.path import VaultPath
from sidecar.parse.frontmatter import read_properties, title_of
from sidecar.parse.scanner import headings_of
from sidecar.parse.text import NotText, decode
from sidecar.services.asked import Asked
from sidecar.services.asked_text import AskedText, Part
from sidecar.services.caller import Caller
from sidecar.services.commit import Committer
from sidecar.services.lookup import find_file, find_place, no_note
from sidecar.services.raw_files import RawFile, check_size, raw_file
from sidecar.services.search import Search
from sidecar.services.threads import Threads
from sidecar.services.versions import Versions
from sidecar.services.views import View, Views
from sidecar.vault.files import VaultFiles

__all__ = ["Content", "NoteShown", "NoteText"]

_LARGEST_TEXT = 5_000_000
"""Bytes of an attachment that may still turn out to be text."""
_MOST_FOUND = 100
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class NoteText:
    """A note, and the part of its text that was asked for.

    ``body_start`` is where the text begins behind the properties' block, which programs get on request only.
    ``outline`` is there when no text was asked for.
    """

    path: VaultPath
    title: str
    permalink: str
    checksum: str
    asked: AskedText
    body_start: int
    include_frontmatter: bool
    properties: Mapping[str, Json]
    problem: PropertyProblem | None
    outline: tuple[Heading, ...] | None = None


@dataclass(frozen=True, slots=True)
class NoteShown:
    """A note that the user wants to look at."""

    note: NoteText


class Content:
    """Serves notes, canvases and bases as text, and every file as it is."""

    def __init__(
        self,
        views: Views,
        files: VaultFiles,
        committer: Committer,
        versions: Versions,
        threads: Threads,
        search: Search,
        project: str,
    ) -> None:
        self._views = views
        self._files = files
        self._committer = committer
        self._versions = versions
        self._threads = threads
        self._search = search
        self._project = project

    async def read(
        self,
        caller: Caller,
        identifier: str,
        *,
        include_frontmatter: bool = False,
        include_content: bool = True,
        start_line: int | None = None,
        end_line: int | None = None,
        section: str | None = None,
        max_tokens: int | None = None,
        page: int = 1,
        page_size: int = 10,
    ) -> NoteText:
        """Return the file's text or a part of it, from the disk and not from the index.

        A ``#Heading`` or ``#^block`` behind the name is a section. Without content there are properties and outline.

        Raises:
            NotFound: with a page of near names and of notes with its words; also when the section is not there.
            Ambiguous: when the name or the section fits several.
            Invalid: when there are no such lines.
            Refused: for attachments that are no text, and for what is not UTF-8.

        """
        part = Part(start_line, end_line, section, max_tokens)

        def read() -> NoteText:
            view = self._views.newest(caller.audience)
            try:
                path, subpath = find_place(
                    view, identifier, project=self._project, index_now=self._committer.index_now, near=page * page_size
                )
            except NotFound as missing:
                if missing.data:  # it stands for something else
                    raise
                raise _NoSuchNote(missing.message, candidates=missing.candidates) from None
            return self._read(
                view,
                path,
                identifier,
                part,
                linked=subpath,
                include_frontmatter=include_frontmatter,
                include_content=include_content,
            )

        try:
            return await self._threads.read(read)
        except _NoSuchNote as missing:
            near = await self._suggestions(caller, identifier, missing.candidates, page * page_size)
            told = no_note(identifier, near[(page - 1) * page_size :])
            raise NotFound(told.message, hint=told.hint, candidates=told.candidates, data={"page": page}) from None

    async def show(self, caller: Caller, identifier: str, *, max_tokens: int | None = None) -> NoteShown:
        """Return a note to be shown to the user; see :meth:`read` for what may be raised."""
        return NoteShown(await self.read(caller, identifier, max_tokens=max_tokens))

    async def read_file(
        self,
        caller: Caller,
        path: str,
        *,
        start_line: int | None = None,
        end_line: int | None = None,
        max_tokens: int | None = None,
    ) -> RawFile:
        """Return any file by its path, or a note by any of its names; of a text also some lines only.

        Raises:
            NotFound: with near names.
            Refused: when it is too large to hand over.
            Invalid: when there are no such lines.

        """
        part = Part(start_line, end_line, None, max_tokens)

        def read() -> RawFile:
            view = self._views.newest(caller.audience)
            found = find_file(view, path, project=self._project, index_now=self._committer.index_now)
            is_note = kind_of(found) is FileKind.NOTE
            if not is_note and (stat := self._files.stat(found)):
                check_size(found, stat.size)
            data = self._files.read(found)
            if is_note:
                _check_visible(view, found, data.decode("utf-8-sig", "replace"), path)
            return raw_file(found, data, self._versions.served(data), part)

        return await self._threads.read(read)

    def _read(
        self,
        view: View,
        path: VaultPath,
        identifier: str,
        part: Part,
        *,
        linked: str,
        include_frontmatter: bool,
        include_content: bool,
    ) -> NoteText:
        is_note = kind_of(path) is FileKind.NOTE
        data = self._text_bytes(path)
        text = decode(data).text
        if is_note:
            _check_visible(view, path, text, identifier)
        elif part.section:
            raise Invalid(f"'{path}' is no note, so it has no sections.", hint="Choose lines with start_line.")
        read = read_properties(text if is_note else "")
        return NoteText(
            path=path,
            title=title_of(read.values) or path.basename,
            permalink=permalink_of(path),
            checksum=self._versions.served(data),
            asked=AskedText.of(text, part, linked=linked),
            body_start=read.body_start,
            include_frontmatter=include_frontmatter,
            properties=read.values,
            problem=read.problem,
            outline=None if include_content else headings_of(text) if is_note else (),
        )

    def _text_bytes(self, path: VaultPath) -> bytes:
        """Return the bytes of a file that is text, whatever its kind."""
        if kind_of(path) is not FileKind.ATTACHMENT:
            return self._files.read(path)
        stat = self._files.stat(path)
        try:
            if stat is None or stat.size <= _LARGEST_TEXT:
                data = self._files.read(path)
                decode(data)
                return data
        except NotText:
            pass
        raise Refused(f"'{path}' is an attachment, not a note.", hint="read_content hands over any file.")

    async def _suggestions(self, caller: Caller, identifier: str, near: tuple[str, ...], count: int) -> tuple[str, ...]:
        """Return files whose names are like the missing one, then those that have its words."""
        words = " ".join(_WORD.findall(identifier.rpartition("://")[2].lower()))
        if len(near) < count and words:
            with contextlib.suppress(SidecarError):  # names alone are an answer too
                asked = Asked(words, page_size=min(count, _MOST_FOUND), search_type="text")
                found = await self._search.answer(caller, asked)
                if not found.corrected:  # what is like the name is known already; what is like its words is any note
                    near = tuple(dict.fromkeys([*near, *(hit.path for hit in found.results)]))
        return near[:count]


class _NoSuchNote(NotFound):
    """Nothing fits the name; sections that are not there are another matter."""


def _check_visible(view: View, path: VaultPath, text: str, identifier: str) -> None:
    if not view.sees_text(path, text):
        raise no_note(identifier)
