"""Any file of the vault as it is: text, pictures, small documents."""

import mimetypes
from dataclasses import dataclass

from sidecar.errors import Refused
from sidecar.model.path import VaultPath
from sidecar.parse.text import NotText, decode

__all__ = ["RawFile", "raw_file"]

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


def raw_file(path: VaultPath, data: bytes, checksum: str) -> RawFile:
    """Tell what a file's bytes are.

    Raises:
        Refused: when a picture is above 1 MB, or another binary file above 350 kB.

    """
    text = _text(data)
    guessed = mimetypes.guess_type(path)[0] or ("text/plain" if text is not None else "application/octet-stream")
    file = RawFile(path, _TEXT_TYPES.get(path.extension, guessed), checksum, data, text)
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
