"""One file of the vault, whatever its kind, as a value."""

from dataclasses import replace

from sidecar.model.note import FileKind, ParsedFile, kind_of
from sidecar.model.path import VaultPath
from sidecar.parse.canvas_links import parse_canvas
from sidecar.parse.note import parse_note
from sidecar.parse.text import read_text

__all__ = ["LARGEST", "first_part", "parse_file", "parse_name"]

LARGEST = 5_000_000
"""Bytes of a file that is read whole; reading takes a second or two at this size."""
_FIRST_PART = 1_000_000


def parse_file(path: VaultPath, data: bytes) -> ParsedFile:
    """Read a file for the catalog and the index; it never raises, and says in ``incomplete`` what it left out.

    A BOM is dropped and bytes that are not UTF-8 become U+FFFD, so that such a note is found too. A base gives its
    text and no links; attachments give only their name (A5). Of a file above :data:`LARGEST` the first part counts,
    of a canvas of that size only the name.
    """
    kind = kind_of(path)
    if kind is FileKind.ATTACHMENT:
        return parse_name(path)
    if len(data) > LARGEST:
        return _parse_large(path, data)
    text, fault = read_text(data)
    if kind is FileKind.CANVAS:
        parsed = parse_canvas(path, text)
        return replace(parsed, incomplete=fault or (parsed.problem.message if parsed.problem else None))
    if kind is FileKind.NOTE:
        parsed = parse_note(path, text)
        return replace(parsed, incomplete=fault) if fault else parsed
    return ParsedFile(path, kind, path.basename, text, incomplete=fault)


def parse_name(path: VaultPath) -> ParsedFile:
    """Return what the name alone says of a file that is not read: it is found by it, and links lead to it."""
    return ParsedFile(path, kind_of(path), path.basename, "")


def first_part(data: bytes) -> bytes:
    """Return what is read of a file: all of it, or the whole lines at its beginning when it is too large."""
    if len(data) <= LARGEST:
        return data
    return data[: data.rfind(b"\n", 0, _FIRST_PART) + 1 or _FIRST_PART]


def _parse_large(path: VaultPath, data: bytes) -> ParsedFile:
    size = f"It is {len(data) // 1_000_000} MB large"
    if kind_of(path) is FileKind.CANVAS:
        return replace(parse_name(path), incomplete=f"{size}; only its name is indexed.")
    return replace(parse_file(path, first_part(data)), incomplete=f"{size}; only its first part is indexed.")
