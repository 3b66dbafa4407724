"""Any file of the vault as it is: text, pictures, small documents."""

import mimetypes
import re
from dataclasses import dataclass

from sidecar.errors import Refused
from sidecar.model.path import VaultPath
from sidecar.parse.text import NotText, decode
from sidecar.services.asked_text import AskedText, Part
from sidecar.services.pictures import Picture, picture_of

__all__ = ["RawFile", "check_size", "raw_file"]

_LARGEST_PICTURE = 50_000_000
_LARGEST_DOCUMENT = 350_000
_TEXT_TYPES = {"md": "text/markdown", "canvas": "application/json", "base": "application/yaml"}
_TEXT = re.compile(
    r"bat|bib|cfg|clj|cls|conf|css|csv|dart|diff|ex|fish|go|graphql|hs|ics|ini|java|jl|jsx?|jsonl?|kt|less|log|lua|mjs"
    r"|nix|opml|org|patch|php|pl|ps1|py|r|rb|rs|rst|rtf|scala|s?css|sh|sql|srt|sty|svg|swift|tex|toml|tsx?|tsv|txt"
    r"|vcf|vtt|vue|xml|ya?ml|zig"
)
"""Extensions of text of which the system may know no type; SVG is among them, since clients show no such pictures."""
_PICTURES = frozenset({"png", "jpg", "jpeg", "gif", "webp", "bmp", "avif"})


@dataclass(frozen=True, slots=True)
class RawFile:
    """A file: its text, the picture it is, or its bytes."""

    path: VaultPath
    content_type: str
    checksum: str
    """Of the file itself, whatever is shown of it."""
    data: bytes
    text: AskedText | None = None
    picture: Picture | None = None


class _TooLarge(Refused):
    def __init__(self, path: VaultPath, size: int) -> None:
        super().__init__(
            f"'{path}' is {size // 1000:,} kB, too large to hand over.",
            hint="Pictures up to 50 MB and other files up to 350 kB can be read, and text of any size.",
            data={"size": size},
        )


def check_size(path: VaultPath, size: int) -> None:
    """Check, before a file is read, that it may be handed over; text may be of any size.

    Raises:
        Refused: when a picture is above 50 MB, or another file that is no text above 350 kB.

    """
    largest = _LARGEST_PICTURE if path.extension in _PICTURES else _LARGEST_DOCUMENT
    if size > largest and not _is_text(path):
        raise _TooLarge(path, size)


def raw_file(path: VaultPath, data: bytes, checksum: str, part: Part) -> RawFile:
    """Tell what a file's bytes are; of a text, ``part`` is what is asked for.

    Raises:
        Invalid: when a text has no such lines.
        Refused: when it is a picture of too many pixels, or neither text nor picture and above 350 kB.

    """
    guessed = _TEXT_TYPES.get(path.extension) or mimetypes.guess_type(path)[0]
    if path.extension in _PICTURES and (picture := picture_of(path, data)):
        return RawFile(path, guessed or picture.content_type, checksum, data, picture=picture)
    text = _text(data)
    if text is not None:
        return RawFile(path, guessed or "text/plain", checksum, data, text=AskedText.of(text, part))
    if len(data) > _LARGEST_DOCUMENT:
        raise _TooLarge(path, len(data))
    return RawFile(path, guessed or "application/octet-stream", checksum, data)


def _is_text(path: VaultPath) -> bool:
    guessed = mimetypes.guess_type(path)[0] or ""
    return path.extension in _TEXT_TYPES or bool(_TEXT.fullmatch(path.extension)) or guessed.startswith("text/")


def _text(data: bytes) -> str | None:
    try:
        return decode(data).text
    except NotText:
        return None
