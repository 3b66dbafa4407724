"""The place in a note that a section's name, or the part of a link behind ``#``, names (contract B22, B23)."""

import re

from sidecar.errors import NotFound
from sidecar.model.note import BlockId
from sidecar.parse.block_id import block_ids_of
from sidecar.parse.frontmatter import block_of
from sidecar.parse.scanner import Scan, scan
from sidecar.parse.section import find_section, sections_of
from sidecar.parse.subpath import block_of_subpath, heading_of_subpath

__all__ = ["BlockNotFound", "place_of"]

_ALONE = re.compile(r"[>\s]*\^[A-Za-z0-9-]+\s*")
_INDENT = re.compile(r"[ \t]*")
_TAB = 4
_MAX_LISTED = 20


class BlockNotFound(NotFound):
    """No block has this id; ``candidates`` lists those there are."""

    def __init__(self, wanted: str, known: tuple[BlockId, ...]) -> None:
        super().__init__(
            f"The note has no block '{wanted}'.",
            hint="Name one of its blocks." if known else "The note has no block ids; name a heading or lines.",
            candidates=[f"^{block.name}" for block in known[:_MAX_LISTED]],
        )


def place_of(text: str, name: str) -> tuple[int, int]:
    """Return start and end of what is named: a section with its heading and subsections, or a block.

    ``name`` is a heading's text, ``## Heading``, ``A/B``, or as in links ``#Heading``, ``#A#B``, ``^block``.

    Raises:
        SectionNotFound: with the nearest headings.
        BlockNotFound: with the blocks there are.
        Ambiguous: when several headings fit; a link's ``#`` means the first.
        Invalid: when the name is empty.

    """
    name = name.strip()
    plain = name.removeprefix("#")
    if plain.startswith("^"):
        return _block(text, plain)
    if name.startswith("#") and plain[:1] not in ("#", " ", "\t", ""):
        sections = sections_of(text)
        heading = heading_of_subpath((section.heading for section in sections), name)
        if heading is not None:
            return next((s.heading.start, s.end) for s in sections if s.heading is heading)
        found = find_section(text, plain.split("#") if "#" in plain else plain)
    else:
        found = find_section(text, name)
    return found.heading.start, found.end


def _block(text: str, name: str) -> tuple[int, int]:
    properties = block_of(text)
    scanned = scan(text, properties.end if properties else 0)
    known = block_ids_of(text, scanned)
    block = block_of_subpath(known, f"#{name}")
    if block is None:
        raise BlockNotFound(name, known)
    index = block.line - scanned.first_line
    at = scanned.starts[index]
    line_end = _line_end(text, at)
    if _ALONE.fullmatch(text, at, line_end):
        return _start_of_block_above(text, scanned, index), line_end
    start = max((run.start for run in scanned.runs if run.start <= line_end), default=at)
    first = max(i for i, begin in enumerate(scanned.starts) if begin <= start)
    is_item = any(item.line == scanned.first_line + first for item in scanned.items)
    return scanned.starts[first], _end_of_item(text, scanned, first, line_end) if is_item else line_end


def _start_of_block_above(text: str, scanned: Scan, index: int) -> int:
    """Return where the block begins to which an id alone on its line belongs: a quote, table, list or fence."""
    starts = scanned.starts
    top = index
    while top and not text[starts[top - 1] : starts[top]].strip():
        top -= 1
    for fence in scanned.fences:
        if top and fence.start <= starts[top - 1] < fence.end:
            return fence.start
    floor = max((heading.end for heading in scanned.headings if heading.end <= starts[top]), default=0)
    while top and starts[top] > floor and text[starts[top - 1] : starts[top]].strip():
        top -= 1
    return starts[top]


def _end_of_item(text: str, scanned: Scan, first: int, end: int) -> int:
    """Return where a list item ends with all that is indented below it."""
    indent = _indent(text, scanned.starts[first])
    for begin in scanned.starts[first + 1 :]:
        if begin < end:
            continue
        line_end = _line_end(text, begin)
        if not text[begin:line_end].strip():
            continue
        if _indent(text, begin) <= indent:
            break
        end = line_end
    return end


def _indent(text: str, at: int) -> int:
    found = _INDENT.match(text, at)
    return len(found[0].expandtabs(_TAB)) if found else 0


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1
