"""Pieces of a text that fit a reply: whole lines, counted from 1, and the line to go on with."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from sidecar.errors import Invalid

__all__ = ["Measure", "Piece", "escaped_length", "lines_in", "lines_span", "piece_of", "utf8_length"]

Measure = Callable[[str], int]
"""What a text costs; the cost of two texts together is the sum of theirs."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The beginning of what was asked for."""

    text: str
    first_line: int
    last_line: int
    is_cut: bool
    """Whether more was asked for than is here."""
    next_line: int | None
    """Where the rest begins; ``None`` when there is none, or only the rest of a line too long to show."""
    is_torn: bool
    """Whether the last line is too long, so that only its beginning is here."""


def escaped_length(text: str) -> int:
    """Measure a text as it stands in JSON."""
    return len(json.dumps(text, ensure_ascii=False)) - 2


def utf8_length(text: str) -> int:
    """Measure a text in bytes, which is nearer to tokens than characters are."""
    return len(text.encode("utf-8", "surrogatepass"))


def lines_in(text: str) -> int:
    """Count the lines of a text; a line break at its very end begins no further one."""
    return text.count("\n") + (bool(text) and not text.endswith("\n"))


def lines_span(text: str, first: int | None, last: int | None) -> tuple[int, int]:
    """Return start and end of these lines, both counted from 1 and both included.

    Raises:
        Invalid: when there are no such lines; ``data`` has ``lines``, how many there are.

    """
    known = lines_in(text)
    if first is not None and first > max(known, 1):
        raise Invalid(
            f"There is no line {first}: the text has {known}.",
            hint=f"Its last line is {known}.",
            data={"lines": known},
        )
    first, wanted = 1 if first is None else first, known if last is None else last
    if first < 1 or (last is not None and last < first):
        raise Invalid(
            f"There are no lines {first} to {wanted}: the text has {known}.",
            hint="start_line and end_line count from 1 and are both included.",
            data={"lines": known},
        )
    start = _line_start(text, 0, first - 1)
    return start, _line_start(text, start, min(wanted, known) - first + 1)


def piece_of(text: str, start: int, end: int, room: int, measure: Measure) -> Piece:
    """Return as many whole lines of ``text[start:end]`` as fit into ``room``.

    When not even the first fits, its beginning is all there is.
    """
    first = text.count("\n", 0, start) + 1
    stop, used = start, 0
    while stop < end:
        line_end = min(_line_start(text, stop, 1), end)
        used += measure(text[stop:line_end]) if line_end - stop <= room else room + 1
        if used > room:
            break
        stop = line_end
    is_torn = stop == start < end
    if is_torn:
        stop += _longest_beginning(text[start : min(_line_start(text, start, 1), end)], room, measure)
    shown = text[start:stop]
    last = max(first, first + lines_in(shown) - 1)
    is_cut = stop < end
    has_more = is_cut and (not is_torn or _line_start(text, start, 1) < end)
    return Piece(shown, first, last, is_cut, last + 1 if has_more else None, is_torn)


def _line_start(text: str, at: int, lines: int) -> int:
    """Return the offset so many lines behind ``at``, the text's end at most."""
    for _ in range(lines):
        line_end = text.find("\n", at)
        if line_end < 0:
            return len(text)
        at = line_end + 1
    return at


def _longest_beginning(line: str, room: int, measure: Measure) -> int:
    low, high = 0, min(len(line), max(room, 0))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if measure(line[:middle]) <= room else (low, middle - 1)
    return low
