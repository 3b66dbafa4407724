"""The piece of a file that shows why it was found."""

from dataclasses import dataclass

from sidecar.errors import SidecarError
from sidecar.index.document import Document
from sidecar.index.regex import OutOfTime, Patience
from sidecar.index.scan import spot
from sidecar.index.snippets import Needles, needles, snippet
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.model.search import Query
from sidecar.parse.file import parse_file
from sidecar.services.conditions import document_by
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles

__all__ = ["Excerpt", "Excerpts"]

_WIDTH = 240
_WIDTH_OF_DENSE_SCRIPTS = 120
"""Where a character says more it also takes more of a reader's tokens."""
_DENSE = 2
"""Bytes a character in UTF-8."""
_SECONDS = 0.2
_SAMPLE = 2000


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A piece of a file's text that matched, and the line of the match; in a canvas the ``card`` by its id instead."""

    text: str
    line: int | None
    heading: str | None
    card: str | None = None


class Excerpts:
    """Cuts the excerpts of one page of results."""

    def __init__(self, query: Query, files: VaultFiles, view: View) -> None:
        self._query = query
        self._needles: Needles = needles(query)
        self._read = files.reader()
        self._view = view
        self._patience = Patience(_SECONDS)

    def of(self, path: VaultPath) -> Excerpt | None:
        """Return the best piece of a file, or ``None`` where no text matched or may be shown."""
        document = document_by(self._read, path, self._view)
        if document is None or not document.parts:
            return None
        focus = self._focus(document)
        if focus is None and not self._needles:
            return None
        # A match among the properties is shown as well, but nothing else of them.
        start = document.parts[0][0] if focus is None or focus[0] >= document.parts[0][0] else 0
        text = document.text[start:]
        found = snippet(
            text,
            self._needles,
            _WIDTH_OF_DENSE_SCRIPTS if _is_dense(text[:_SAMPLE]) else _WIDTH,
            headings=self._view.headings(path),
            first_line=1 + document.text.count("\n", 0, start),
            focus=None if focus is None else (focus[0] - start, focus[1] - start),
        )
        if not found.text:
            return None
        if kind_of(path) is FileKind.CANVAS:
            return Excerpt(found.text, None, found.heading, self._card(document, found.line))
        return Excerpt(found.text, found.line, found.heading)

    def _card(self, document: Document, line: int) -> str | None:
        """Return the card that a line of a canvas's text stands on; ``None`` for the label of an edge."""
        at = len("\n".join(document.text.split("\n")[: line - 1])) + (line > 1)
        number = next((n for n, (start, end) in enumerate(document.parts) if start <= at <= end), None)
        try:
            cards = parse_file(document.path, self._read(document.path)).cards
        except SidecarError:
            return None
        return cards[number].id or None if number is not None and number < len(cards) else None

    def _focus(self, document: Document) -> tuple[int, int] | None:
        try:
            return spot(self._query, document, self._patience)
        except OutOfTime:
            return None


def _is_dense(text: str) -> bool:
    return len(text.encode("utf-8", "replace")) > _DENSE * len(text)
