"""The part of a file's text that a caller asked for, and as much of it as a reply may hold."""

from dataclasses import dataclass

from sidecar.errors import Invalid, NotFound
from sidecar.parse.piece import Measure, Piece, lines_in, lines_span, piece_of, utf8_length
from sidecar.parse.place import place_of

__all__ = ["AskedText", "Part"]

_BYTES_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Part:
    """Which part of a text is asked for: lines (from 1, both included), a section, or all.

    ``max_tokens`` replaces the usual limit of a reply.
    """

    start_line: int | None = None
    end_line: int | None = None
    section: str | None = None
    max_tokens: int | None = None

    @property
    def names_lines(self) -> bool:
        """Tell whether it is about lines."""
        return self.start_line is not None or self.end_line is not None


@dataclass(frozen=True, slots=True)
class AskedText:
    """A whole text, and from where to where it was asked for."""

    text: str
    start: int
    end: int
    max_tokens: int | None = None
    missing: str | None = None
    """What a link's ``#`` names and the text does not have; Obsidian opens the whole note then, and so do we."""

    @classmethod
    def of(cls, text: str, part: Part, *, linked: str = "") -> "AskedText":
        """Ask for a part of a text, or else for the place that the link to it names.

        Raises:
            Invalid: when there are no such lines, or lines and section are both given.
            SectionNotFound, BlockNotFound, Ambiguous: when the section is not there, or not the only one.

        """
        if part.section and part.names_lines:
            raise Invalid("Either lines or a section can be read, not both.", hint="Leave out section, or the lines.")
        if part.section:
            return cls(text, *place_of(text, part.section), part.max_tokens)
        missing = None
        if linked and not part.names_lines:
            try:
                return cls(text, *place_of(text, linked), part.max_tokens)
            except NotFound:
                missing = linked
        return cls(text, *lines_span(text, part.start_line, part.end_line), part.max_tokens, missing)

    @property
    def lines(self) -> int:
        """How many lines the whole text has."""
        return lines_in(self.text)

    @property
    def is_whole(self) -> bool:
        """Tell whether all of the text was asked for."""
        return (self.start, self.end) == (0, len(self.text))

    @property
    def last_line(self) -> int:
        """The last line that was asked for."""
        return lines_in(self.text[: self.end])

    def fitting(self, room: int, measure: Measure = len, *, behind: int = 0) -> Piece:
        """Return what fits into a reply that has so much room left, leaving out what stands before ``behind``."""
        start = min(max(self.start, behind), self.end) if behind else self.start
        if self.max_tokens is None:
            return piece_of(self.text, start, self.end, room, measure)
        return piece_of(self.text, start, self.end, self.max_tokens * _BYTES_A_TOKEN, utf8_length)
