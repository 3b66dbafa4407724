"""Pieces of a file by their line: the lines around a match, and the beginning of a passage."""

from sidecar.model.search import Passage
from sidecar.services.conditions import document_of
from sidecar.services.excerpts import Excerpt
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles

__all__ = ["lines_around", "passage_excerpt"]

_CUT = "…"
_WIDTH = 240


def lines_around(excerpt: Excerpt, text: str, count: int, room: int) -> Excerpt:
    """Return the lines of a file around an excerpt's line, each with its number, in ``room`` characters or so.

    Where there is too little room there are fewer lines, as many above as below.
    """
    if excerpt.line is None:
        return excerpt
    lines = text.split("\n")
    at = min(excerpt.line, len(lines)) - 1
    while True:
        first, last = max(at - count, 0), min(at + count, len(lines) - 1)
        shown = [f"{number}: {_cut(lines[number - 1].rstrip())}" for number in range(first + 1, last + 2)]
        if not count or sum(map(len, shown)) <= room:
            return Excerpt("\n".join(shown), excerpt.line, excerpt.heading)
        count -= 1


def passage_excerpt(passage: Passage, files: VaultFiles, view: View) -> Excerpt | None:
    """Return how a passage begins, or ``None`` where that may not be shown."""
    document = document_of(passage.path, files, view)
    if document is None or not document.text:
        return None
    start = document.parts[0][0] if document.parts else 0
    for _ in range(passage.line - 1 - document.text.count("\n", 0, start)):
        start = document.text.find("\n", start) + 1
    shown = " ".join(document.text[start : start + 4 * _WIDTH].split())
    return Excerpt(_cut(shown), passage.line or None, passage.heading) if shown else None


def _cut(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1].rstrip()}{_CUT}"
