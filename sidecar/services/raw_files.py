"""Serve any file of the vault as it is: text, pictures, small documents."""

import mimetypes
from dataclasses import dataclass

from sidecar.errors import NotFound, Refused
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.parse.text import NotText, decode
from sidecar.services.caller import Caller
from sidecar.services.commit import Committer
from sidecar.services.lookup import find_file
from sidecar.services.threads import Threads
from sidecar.services.versions import Versions
from sidecar.services.views import Views
from sidecar.vault.files import VaultFiles

__all__ = ["RawFile", "RawFiles"]

_LARGEST_PICTURE = 1_000_000
_LARGEST_DOCUMENT = 350_000
_TEXT_TYPES = {"md": "text/markdown", "canvas": "application/json", "base": "application/yaml"}


@dataclass(frozen=True, slots=True)
class RawFile:
    """A file with its bytes; ``text`` where it is text."""

    path: VaultPath
    content_type: str
    checksum: str
    data: bytes
    text: str | None

    @property
    def is_picture(self) -> bool:
        """Tell whether it is an image that clients can show."""
        return self.text is None and self.content_type in ("image/png", "image/jpeg", "image/gif", "image/webp")


class RawFiles:
    """Reads files of every kind."""

    def __init__(
        self, views: Views, files: VaultFiles, committer: Committer, versions: Versions, threads: Threads, project: str
    ) -> None:
        self._views = views
        self._files = files
        self._committer = committer
        self._versions = versions
        self._threads = threads
        self._project = project

    async def read(self, caller: Caller, path: str) -> RawFile:
        """Return a file by its path, or a note by any of its names.

        Raises:
            NotFound: with near names.
            Refused: when a picture is above 1 MB, or another binary file above 350 kB.

        """
        return await self._threads.read(self._read, caller, path)

    def _read(self, caller: Caller, name: str) -> RawFile:
        view = self._views.newest(caller.audience)
        path = find_file(view, name, project=self._project, index_now=self._committer.index_now)
        data = self._files.read(path)
        text = _text(data)
        if kind_of(path) is FileKind.NOTE and text is not None and not view.sees_text(path, text):
            raise NotFound(f"There is no file '{name}'.", hint="list_directory shows what is there.")
        guessed = mimetypes.guess_type(path)[0] or ("text/plain" if text is not None else "application/octet-stream")
        file = RawFile(path, _TEXT_TYPES.get(path.extension, guessed), self._versions.served(data), data, text)
        if text is None and len(data) > (_LARGEST_PICTURE if file.is_picture else _LARGEST_DOCUMENT):
            raise Refused(
                f"'{path}' is {len(data) // 1000:,} kB, too large to hand over.",
                hint="Pictures up to 1 MB and other files up to 350 kB can be read.",
            )
        return file


def _text(data: bytes) -> str | None:
    try:
        return decode(data).text
    except NotText:
        return None
