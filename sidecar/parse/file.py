"""One file of the vault, whatever its kind, as a value."""

import codecs

from sidecar.model.note import FileKind, ParsedFile, kind_of
from sidecar.model.path import VaultPath
from sidecar.parse.canvas_links import parse_canvas
from sidecar.parse.note import parse_note

__all__ = ["parse_file"]


def parse_file(path: VaultPath, data: bytes) -> ParsedFile:
    """Read a file for the catalog and the index; it never raises.

    A BOM is dropped and bytes that are not UTF-8 become U+FFFD, so that such a note is found too. A base gives its
    text and no links; attachments give only their name (A5).
    """
    kind = kind_of(path)
    if kind is FileKind.ATTACHMENT:
        return ParsedFile(path, kind, path.basename, "")
    text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8", "replace")
    if kind is FileKind.NOTE:
        return parse_note(path, text)
    if kind is FileKind.CANVAS:
        return parse_canvas(path, text)
    return ParsedFile(path, kind, path.basename, text)
