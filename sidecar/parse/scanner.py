"""Finds the blocks of a Markdown text: headings, list items, and the runs of text whose inline syntax counts."""

from typing import NamedTuple

from sidecar.model.note import Heading
from sidecar.parse.block_rules import SPECIAL
from sidecar.parse.blocks import Blocks, Fence, Item, Run
from sidecar.parse.frontmatter import block_of

__all__ = ["Fence", "Item", "Run", "Scan", "headings_of", "scan"]


class Scan(NamedTuple):
    """The blocks of a text. Items inside ``%%`` comments are left out, their runs are not (B17)."""

    first_line: int
    starts: list[int]
    """Offsets of the starts of the scanned lines."""
    headings: list[Heading]
    runs: list[Run]
    items: list[Item]
    fences: list[Fence]


def headings_of(text: str) -> tuple[Heading, ...]:
    """Return the headings of a whole file; none stand in properties, code, comments, HTML, quotes or lists (C08)."""
    block = block_of(text)
    return tuple(scan(text, block.end if block else 0).headings)


def scan(text: str, start: int = 0) -> Scan:
    """Find the blocks of ``text`` from ``start`` on, which is the start of a line."""
    blocks = Blocks(text, start)
    number = first = text.count("\n", 0, start) + 1
    position = start
    starts = []
    for line in text[start:].split("\n"):
        starts.append(position)
        # Most lines of most notes are plain text or empty and in no container: they skip the machine.
        if not blocks.plain:
            blocks.feed(line, position, number)
        elif line[:1] not in SPECIAL:
            if blocks.run_start < 0:
                blocks.run_start = position
            blocks.run_end = position + len(line)
        elif line:
            blocks.feed(line, position, number)
        else:
            blocks.close_run()
        position += len(line) + 1
        number += 1
    blocks.close_run()
    blocks.close_fence(len(text))
    return Scan(first, starts, blocks.headings, blocks.runs, blocks.items, blocks.fences)
