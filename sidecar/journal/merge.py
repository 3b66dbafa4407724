"""Three-way merge of lines, on bytes: line breaks and a missing final one stay exactly as they were."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

__all__ = ["merge"]


@dataclass(frozen=True, slots=True, order=True)
class _Edit:
    """Lines ``start`` to ``end`` of the base become ``lines``."""

    start: int
    end: int
    lines: tuple[bytes, ...]


def merge(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Return ``base`` with the edits of both sides, or ``None`` when they touch the same lines.

    Edits of neighbouring lines do not conflict; two insertions at one place do, since their order is unknown.
    """
    lines = _lines(base)
    edits = sorted({*_edits(lines, ours), *_edits(lines, theirs)})
    if _any_conflict(edits):
        # Of two equal lines around what is removed either may be the one that goes: the other may touch nothing.
        edits = sorted({_moved_up(lines, edit) for edit in edits})
        if _any_conflict(edits):
            return None
    merged = list(_apply(lines, edits))
    if any(not line.endswith(b"\n") for line in merged[:-1]):
        return None  # one side removed the final line break, the other added lines behind it
    return b"".join(merged)


def _lines(data: bytes) -> list[bytes]:
    """Split behind each LF only: a lone CR could become half of a CRLF when lines are put together anew."""
    return re.findall(rb"[^\n]*\n|[^\n]+", data)


def _edits(base: Sequence[bytes], side: bytes) -> Iterator[_Edit]:
    """List what turns the base into one side. Equal heads and tails are cut off first: matching is quadratic."""
    lines = _lines(side)
    limit = min(len(base), len(lines))
    head = next((n for n in range(limit) if base[n] != lines[n]), limit)
    tail = next((n for n in range(limit - head) if base[-1 - n] != lines[-1 - n]), limit - head)
    old, new = base[head : len(base) - tail], lines[head : len(lines) - tail]
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            yield _Edit(head + i1, head + i2, tuple(new[j1:j2]))


def _moved_up(base: Sequence[bytes], edit: _Edit) -> _Edit:
    """Return the removal of earlier lines that leaves the same text; an edit that is no removal stays as it is."""
    start, end = edit.start, edit.end
    while not edit.lines and 0 < start < end and base[start - 1] == base[end - 1]:
        start, end = start - 1, end - 1
    return _Edit(start, end, edit.lines)


def _any_conflict(edits: Sequence[_Edit]) -> bool:
    return any(_conflict(first, second) for first, second in pairwise(edits))


def _conflict(first: _Edit, second: _Edit) -> bool:
    """Tell whether two different edits, in order, claim the same lines or both insert into the same gap."""
    return second.start < first.end or first.start == first.end == second.start == second.end


def _apply(base: Sequence[bytes], edits: Sequence[_Edit]) -> Iterator[bytes]:
    position = 0
    for edit in edits:
        yield from base[position : edit.start]
        yield from edit.lines
        position = edit.end
    yield from base[position:]
