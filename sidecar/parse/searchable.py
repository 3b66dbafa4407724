"""What of a note's text is for searching: everything but data that stands there for programs."""

import re

from sidecar.model.path import VaultPath
from sidecar.parse.blank import blanked
from sidecar.parse.encrypted import encrypted_parts
from sidecar.parse.excalidraw import is_drawing, without_drawing

__all__ = ["searchable_text"]

_WRAPPED = re.compile(
    r"^(?:[A-Za-z0-9+/]{60,}+\r?\n){2,}+(?:(?:[A-Za-z0-9+/]*+={1,2}|[A-Za-z]*+[0-9+/][A-Za-z0-9+/]*+)(?=\r?$))?+",
    re.MULTILINE,
)
"""Base64 broken into lines, its last line too if it is no word. Of one line the analysis of words takes care."""
_LARGE = 10_000
"""Shorter texts hold too little of it to be worth the look."""


def searchable_text(path: VaultPath, text: str) -> str:
    """Return a note's text with data blanked out; all else stays where it is.

    Data are the drawing of an Excalidraw note, whatever is encrypted, and long base64.
    """
    if is_drawing(path, text):
        text = without_drawing(text)
    if parts := encrypted_parts(text):
        text = blanked(text, parts)
    if len(text) > _LARGE:
        text = blanked(text, [found.span() for found in _WRAPPED.finditer(text)])
    return text
