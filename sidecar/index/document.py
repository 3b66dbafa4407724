"""One file as conditions on its text see it: what is in it, and where."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

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

_WITH_BREAK = (1).__add__


class Document:
    """The text of one file as conditions see it: a note as it is on disk, of a canvas its cards."""

    __slots__ = ("_parts", "_spans", "_starts", "_whole", "path", "text")

    def __init__(self, path: VaultPath, text: str, parts: Sequence[Span] | None = None) -> None:
        self.path = path
        self.text = text
        self._parts = parts
        self._whole: Piece | None = None
        self._spans: dict[Place, list[Span]] = {}
        self._starts: list[int] | None = None

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
        whole = self.whole
        if not all(anchor in whole.folded for anchor in anchors):
            return
        if place is Place.LINE:
            for line in whole.lines_with(anchors):
                start, end = self._line_starts()[line], self._line_starts()[line + 1] - 1
                if any(first <= start and end <= last for first, last in self.parts):
                    yield start, end
            return
        lines = [whole.lines_with((anchor,)) for anchor in anchors]
        for stretch in self._stretches_with(place, lines):
            yield from (span for span in pieces_of(self.text, (stretch,), place) if self._may_hold(span, lines))

    def _stretches_with(self, place: Place, lines: Sequence[Sequence[int]]) -> Iterator[Span]:
        """Go through stretches in which there is a line of each kind, and which hold the places that are in them."""
        if place in (Place.CONTENT, Place.FILE):
            yield from pieces_of(self.text, self.parts, place)
            return
        cuts = cuts_of(self.text, self.parts[0][0] if self.parts else 0, place)
        common = {bisect_right(cuts, line) for line in lines[0]}
        for others in lines[1:]:
            common &= {bisect_right(cuts, line) for line in others}
        if not common:
            return
        starts = self._line_starts()
        edges = [0, *cuts, len(starts) - 1]
        for number in sorted(common):
            for first, last in self.parts:
                start, end = max(starts[edges[number]], first), min(starts[edges[number + 1]], last)
                if start < end:
                    yield start, end

    def _may_hold(self, span: Span, lines: Sequence[Sequence[int]]) -> bool:
        starts = self._line_starts()
        first, behind = bisect_right(starts, span[0]) - 1, bisect_left(starts, span[1])
        return all(_any_between(there, first, behind) for there in lines)

    def _line_starts(self) -> list[int]:
        """Return where each line begins, and where one behind the last would."""
        if self._starts is None:
            self._starts = [0, *accumulate(map(_WITH_BREAK, map(len, self.text.split("\n"))))]
        return self._starts

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

    def __init__(self, document: Document, start: int, end: int) -> None:
        super().__init__(document.text[start:end])
        self.document, self.start, self.end = document, start, end

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
        return (Piece(document, start, end) for start, end in spans)


def _any_between(numbers: Sequence[int], first: int, behind: int) -> bool:
    at = bisect_left(numbers, first)
    return at < len(numbers) and numbers[at] < behind
