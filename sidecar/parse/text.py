"""Bytes to text and back without touching what was not edited (contract Y1, Y7, B28)."""

import codecs
from dataclasses import dataclass

from sidecar.errors import Refused

__all__ = ["NotText", "SourceText", "decode", "read_text"]


class NotText(Refused):
    """The file is not UTF-8 text, so it is never edited."""


@dataclass(frozen=True, slots=True)
class SourceText:
    """A decoded file that remembers how its bytes were written."""

    text: str
    """Without the BOM; line breaks exactly as on disk."""
    bom: bool
    newline: str
    """The line break that is used most: ``\\n`` or ``\\r\\n``."""

    def encode(self, text: str) -> bytes:
        """Return the bytes of an edited text, with the BOM the file had."""
        return (codecs.BOM_UTF8 if self.bom else b"") + text.encode("utf-8", "surrogatepass")

    def in_style(self, text: str) -> str:
        """Give new text the file's own line breaks."""
        plain = text.replace("\r\n", "\n")
        return plain.replace("\n", self.newline) if self.newline != "\n" else plain


def read_text(data: bytes) -> tuple[str, str | None]:
    """Decode a file as far as possible, and say what is wrong with it; for reading only, never for editing.

    What is not UTF-8 becomes U+FFFD. UTF-16 with a BOM is decoded too, though Obsidian does not read it.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace"), "It is UTF-16 text, which Obsidian does not read; save it as UTF-8."
    raw = data.removeprefix(codecs.BOM_UTF8)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        return raw.decode("utf-8", "replace"), f"It is not valid UTF-8 (byte {error.start})."
    return text, "It holds NUL bytes." if "\0" in text else None


def decode(data: bytes) -> SourceText:
    """Decode a note, canvas or base for editing.

    Raises:
        NotText: when the bytes are not UTF-8 or hold a NUL.

    """
    bom = data.startswith(codecs.BOM_UTF8)
    raw = data[len(codecs.BOM_UTF8) :] if bom else data
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotText(
            f"The file is not valid UTF-8 (byte {error.start}).",
            hint="Convert it to UTF-8 in an editor; until then it is left as it is.",
        ) from error
    if "\0" in text:
        raise NotText("The file holds NUL bytes; it is not text.", hint="It is left as it is.")
    windows = text.count("\r\n")
    return SourceText(text, bom, "\r\n" if windows * 2 > text.count("\n") else "\n")
