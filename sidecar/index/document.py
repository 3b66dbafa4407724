"""One file as conditions on its text see it: what is in it, and where."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence

from sidecar.index.pieces import Span, cuts_of, pieces_of
from sidecar.index.words import Words
from sidecar.model.note import FileKind, Json, kind_of
from sidecar.model.path import VaultPath
from sidecar.model.search import Place
from sidecar.parse.file import first_part, parse_file
from sidecar.parse.frontmatter import block_of, read_properties
from sidecar.parse.searchable import searchable_text
from sidecar.parse.text import read_text

__all__ = ["Document", "Piece"]


class Document:
    """The text of one file as conditions see it: a note as it is on disk, of a canvas its cards."""

    __slots__ = ("_parts", "_spans", "_whole", "path", "text")

    def __init__(self, path: VaultPath, text: str, parts: Sequence[Span] | None = None) -> None:
        self.path = path
        self.text = text
        self._parts = parts
        self._whole: Piece | None = None
        self._spans: dict[Place, list[Span]] = {}

    @classmethod
    def of(cls, path: VaultPath, data: bytes) -> "Document":
        """Read a file; it never raises."""
        if kind_of(path) is FileKind.CANVAS:
            return cls._of_canvas(path, data)
        text, _ = read_text(first_part(data))
        return cls(path, text)

    @classmethod
    def _of_canvas(cls, path: VaultPath, data: bytes) -> "Document":
        canvas = parse_file(path, data)
        parts, at = [], 0
        for card in canvas.cards:
            parts.append((at, at + len(card.text)))
            at = parts[-1][1] + len("\n\n")
        if at < len(canvas.body):
            parts.append((at, len(canvas.body)))
        return cls(path, canvas.body, parts)

    @property
    def parts(self) -> Sequence[Span]:
        """Where Markdown is: behind the properties, or each card."""
        if self._parts is None:
            block = block_of(self.text)
            self._parts = ((block.end if block else 0, len(self.text)),)
        return self._parts

    @property
    def whole(self) -> "Piece":
        """All of the text, properties included."""
        if self._whole is None:
            self._whole = Piece(self, 0, len(self.text))
        return self._whole

    def spans(self, place: Place) -> Sequence[Span]:
        """Return all places of a kind, without the properties."""
        if place not in self._spans:
            self._spans[place] = pieces_of(self.text, self.parts, place)
        return self._spans[place]

    def spans_with(self, place: Place, anchors: Sequence[str]) -> Iterator[Span]:
        """Go through the places of a kind that may hold all these letters of the folded text.

        Folding moves letters, but never into another line.
        """
        if place is Place.LINE:
            whole = self.whole
            for begin, behind in whole.lines_with(anchors):
                start, end = whole.in_text(begin), whole.in_text(behind + 1) - 1
                if any(first <= start and end <= last for first, last in self.parts):
                    yield start, end
            return
        for stretch in self._stretches_with(place, anchors):
            yield from (span for span in pieces_of(self.text, (stretch,), place) if self._may_hold(span, anchors))

    def _stretches_with(self, place: Place, anchors: Sequence[str]) -> Iterator[Span]:
        """Go through stretches that may hold all these letters, and which hold the places that are in them."""
        if place in (Place.CONTENT, Place.FILE):
            yield from pieces_of(self.text, self.parts, place)
            return
        whole = self.whole
        folded, (rare, *others) = whole.folded, anchors
        edges = [0, *cuts_of(self.text, self.parts[0][0] if self.parts else 0, place), len(self.text)]
        folded_edges = edges if whole.is_even else [*map(whole.in_folded, edges[:-1]), len(folded)]
        at, number = folded.find(rare), 0
        while at >= 0 and number < len(edges) - 1:
            number = min(bisect_right(folded_edges, at), len(edges) - 1)
            begin, behind = folded_edges[number - 1], folded_edges[number]
            if all(folded.find(other, begin, behind) >= 0 for other in others):
                for first, last in self.parts:
                    start, end = max(edges[number - 1], first), min(edges[number], last)
                    if start < end:
                        yield start, end
            at = folded.find(rare, behind)

    def _may_hold(self, span: Span, anchors: Sequence[str]) -> bool:
        whole = self.whole
        folded, (begin, behind) = whole.folded, span
        if not self.text.isascii():
            begin, last = whole.in_folded(begin), whole.in_folded(max(begin, behind - 1))
            behind = folded.find("\n", last)
        if behind < 0:
            behind = len(folded)
        return all(folded.find(anchor, begin, behind) >= 0 for anchor in anchors)

    def readable(self) -> "Document":
        """Return it without what stands in a note for programs; that is seldom anything, but takes a look."""
        if kind_of(self.path) is not FileKind.NOTE:
            return self
        text = searchable_text(self.path, self.text)
        return self if text == self.text else Document(self.path, text)

    def values_of(self, name: str) -> list[Json]:
        """Return the values of the properties of this name, in any case."""
        return [value for key, value in read_properties(self.text).values.items() if key.lower() == name.lower()]


class Piece(Words):
    """A stretch of a document."""

    __slots__ = ("document", "end", "start")

    def __init__(self, document: Document, start: int, end: int, folded: str | None = None) -> None:
        super().__init__(document.text[start:end])
        self.document, self.start, self.end = document, start, end
        self._folded = folded

    @property
    def span(self) -> Span:
        """Where it stands in the document's text."""
        return self.start, self.end

    def inner(self, place: Place, anchors: Sequence[str]) -> "Iterator[Piece]":
        """Go through the places of a kind in it; those left out do not hold all the anchors."""
        document = self.document
        spans: Iterable[Span]
        if self is not document.whole:
            spans = ((self.start + s, self.start + e) for s, e in pieces_of(self.text, [(0, len(self.text))], place))
        elif anchors:
            spans = document.spans_with(place, anchors)
        else:
            spans = document.spans(place)
        if anchors and self is document.whole and document.text.isascii():
            folded = self.folded
            return (Piece(document, start, end, folded[start:end]) for start, end in spans)
        return (Piece(document, start, end) for start, end in spans)
