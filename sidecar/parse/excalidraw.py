"""Drawings of the Excalidraw plugin: notes whose last part is the drawing as data, after its text elements."""

import re

from sidecar.model.path import VaultPath
from sidecar.parse.blank import blanked
from sidecar.parse.frontmatter import block_of
from sidecar.parse.scanner import Fence, scan

__all__ = ["is_drawing", "without_drawing"]

_SUFFIX = ".excalidraw.md"
_PROPERTY = "excalidraw-plugin"
_KEY = re.compile(rf"""^["']?{_PROPERTY}["']?[ \t]*+:""", re.MULTILINE)
_DATA = re.compile(r'\s*+\{\s*+"type"\s*+:\s*+"excalidraw"')
_BARE = re.compile(rf"^(?={_DATA.pattern})", re.MULTILINE)


def is_drawing(path: VaultPath, text: str) -> bool:
    """Tell whether a note is a drawing, by its name or by the property that the plugin sets."""
    if path.key.endswith(_SUFFIX):
        return True
    block = block_of(text) if _PROPERTY in text else None
    return block is not None and _KEY.search(text, 0, block.end) is not None


def without_drawing(text: str) -> str:
    """Return the text of a drawing with its data blanked out: a fence, or as old versions wrote it, bare to the end."""
    fences = [(fence.inside, fence.end) for fence in scan(text).fences if _is_data(text, fence)]
    bare = None if fences else _BARE.search(text)
    return blanked(text, [(bare.start(), len(text))] if bare else fences)


def _is_data(text: str, fence: Fence) -> bool:
    return fence.language == "compressed-json" or (fence.language == "json" and bool(_DATA.match(text, fence.inside)))
