"""A file's text cut into what a condition may be held to: lines, blocks, sections, tasks (S8, S9)."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from sidecar.model.search import Place
from sidecar.parse.block_rules import SPECIAL
from sidecar.parse.scanner import Scan, scan
from sidecar.parse.task import tasks_of

__all__ = ["Span", "cuts_of", "pieces_of"]

Span: TypeAlias = tuple[int, int]

_FILLED_LINES = re.compile(r"(?:[^\n]*\S[^\n]*(?:\n|\Z))+")
_OPEN = " "
_MAY_GO_ON = ("```", "~~~", "%%", "$$")
_MARKUP = re.compile(r"<[!?/A-Za-z]")
"""They open a block that empty lines and headings do not end."""
_NEXT_HEADING = re.compile(r"\n#{1,6}[ \t]")
_HEADING_WITHIN = re.compile(r"\n[ \t]*#{1,6}(?:[ \t\r\n]|\Z)")
_BEHIND_EMPTY = re.compile(r"\n[ \t\r]*\n(?=\S)")
_PERHAPS_UNDERLINED = re.compile(r"\n[^\n\w]*[-=][ \t\r]*(?:\n|\Z)")


def pieces_of(text: str, parts: Sequence[Span], place: Place) -> list[Span]:
    """Return the spans of all places of a kind in order; each of ``parts`` is a Markdown text of its own.

    A block is a paragraph, heading, table, list item or block of code; a section goes from one heading to the next,
    whatever their levels; a task is its item's own text behind the checkbox.
    """
    if place in (Place.CONTENT, Place.FILE):
        return [(parts[0][0], parts[-1][1])] if parts else []
    return [(start + s, start + e) for start, end in parts for s, e in _pieces(text[start:end], place)]


def cuts_of(text: str, start: int, place: Place) -> list[int]:
    """Return starts of lines behind ``start`` that no place of the kind reaches across; told without a scan.

    Between two of them the places are the same as in the whole text: what begins at the margin, as a heading or behind
    an empty line, depends on nothing above it.
    """
    end = _end_of_certainty(text, start)
    if place is Place.SECTION:
        return [found.start() + 1 for found in _NEXT_HEADING.finditer(text, start, end)]
    return [found.end() for found in _BEHIND_EMPTY.finditer(text, start, end)]


def _end_of_certainty(text: str, start: int) -> int:
    # Most texts have none of these characters, and one is found many times faster than three.
    ends = [at for mark in _MAY_GO_ON if mark[0] in text and (at := text.find(mark, start)) >= 0]
    if (at := text.find("<", start)) >= 0 and (found := _MARKUP.search(text, at)):
        ends.append(found.start())
    return min(ends, default=len(text))


def _pieces(text: str, place: Place) -> Iterator[Span]:
    match place:
        case Place.LINE:
            return _lines(text)
        case Place.BLOCK:
            return _paragraph(text) or _blocks(text, scan(text))
        case Place.SECTION if text and _is_one_section(text):
            return iter([(0, len(text))])
        case Place.SECTION:
            starts = [0, *(heading.start for heading in scan(text).headings), len(text)]
            return ((start, end) for start, end in pairwise(starts) if start < end)
        case _:
            return _tasks(text, place)


def _is_one_section(text: str) -> bool:
    """Tell of most texts without a scan that no heading stands behind their beginning; ``False`` is not certain."""
    if "#" in text.lstrip("#") and (_HEADING_WITHIN.search(text) or _end_of_certainty(text, 0) < len(text)):
        return False
    return not _PERHAPS_UNDERLINED.search(text)


def _lines(text: str) -> Iterator[Span]:
    start = 0
    for line in text.split("\n"):
        yield start, start + len(line)
        start += len(line) + 1


def _paragraph(text: str) -> Iterator[Span] | None:
    """Return the one block of a text in which the scanner would find nothing but plain lines; most blocks are such."""
    said = text.rstrip("\n")
    if not said or any(not line or line[0] in SPECIAL for line in said.split("\n")):
        return None
    return iter([(0, len(said))])


def _blocks(text: str, found: Scan) -> Iterator[Span]:
    headings = {heading.start: heading.end for heading in found.headings}
    whole = [(fence.start, fence.end) for fence in found.fences]
    for run in found.runs:
        start = text.rfind("\n", 0, run.start) + 1
        whole.append((start, headings.get(start, run.end)))
    at = 0
    for start, end in [*sorted(whole), (len(text), len(text))]:
        # Math, HTML, comments and rules are no runs of text: what is left of them between empty lines is a block.
        yield from (rest.span() for rest in _FILLED_LINES.finditer(text, at, max(start, at)))
        if start < end:
            yield start, end
        at = max(at, end)


def _tasks(text: str, place: Place) -> Iterator[Span]:
    found = scan(text)
    items = {item.line: item for item in found.items}
    starts = [run.start for run in found.runs]
    for task in tasks_of(text, found.items):
        if place is not Place.TASK and (task.status == _OPEN) is not (place is Place.TASK_TODO):
            continue
        item = items[task.line]
        run = bisect_left(starts, item.start)
        end = found.runs[run].end if run < len(starts) and starts[run] == item.start else item.end
        yield text.index("]", item.start) + 1, end
