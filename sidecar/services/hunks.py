"""What differs between two versions of a file, as hunks of lines for people to look at."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import islice
from typing import Literal, TypeAlias

from sidecar.parse.text import NotText, decode

__all__ = ["Hunk", "HunkLine", "LineCounts", "hunks_of", "line_counts", "shortened", "with_hunks"]

_AROUND = 3
"""Lines shown before and behind a difference."""
_MOST_MATCHED = 4_000
"""Lines in which differences are looked for; matching takes quadratic time, so that more are shown as replaced."""

LineCounts: TypeAlias = tuple[int, int]
"""How many lines were added, and how many removed."""
_Change: TypeAlias = tuple[int, int, int, int]
"""Old lines from, to, and the new ones from, to that take their place."""


@dataclass(frozen=True, slots=True)
class HunkLine:
    """One line: kept, added or removed; its line break is left out."""

    kind: Literal[" ", "+", "-"]
    text: str


@dataclass(frozen=True, slots=True)
class Hunk:
    """Differences that stand close together, with the lines around them. Lines count from 1."""

    old_start: int
    new_start: int
    lines: tuple[HunkLine, ...]


def hunks_of(before: bytes, after: bytes) -> tuple[Hunk, ...] | None:
    """Return the differences in order; ``None`` when one of both is no text."""
    texts = _texts(before, after)
    if texts is None:
        return None
    old, new = texts
    return tuple(_hunk(old, new, group) for group in _groups(tuple(_changes(old, new))))


def with_hunks(before: bytes, after: bytes, chosen: Collection[int]) -> bytes:
    """Return the text ``before`` with only those of its differences from ``after`` that are in these hunks."""
    old, new = (re.findall(rb"[^\n]*\n|[^\n]+", data) for data in (before, after))
    texts = _texts(before, after)
    groups = tuple(_groups(tuple(_changes(*texts)))) if texts is not None else ()
    if len(chosen) == len(groups):
        return after
    taken: list[bytes] = []
    position = 0
    for number, group in enumerate(groups):
        if number in chosen:
            for i1, i2, j1, j2 in group:
                taken += (*old[position:i1], *new[j1:j2])
                position = i2
    return b"".join((*taken, *old[position:]))


def line_counts(before: bytes, after: bytes) -> LineCounts | None:
    """Return how many lines were added and removed; ``None`` when one of both is no text."""
    texts = _texts(before, after)
    if texts is None:
        return None
    changes = tuple(_changes(*texts))
    return sum(j2 - j1 for _, _, j1, j2 in changes), sum(i2 - i1 for i1, i2, _, _ in changes)


def shortened(hunks: Sequence[Hunk], most: int) -> tuple[tuple[Hunk, ...], int]:
    """Return the first ``most`` lines of the hunks, and how many lines were left out."""
    kept: list[Hunk] = []
    left = most
    for hunk in hunks:
        if left <= 0:
            break
        kept.append(Hunk(hunk.old_start, hunk.new_start, hunk.lines[:left]))
        left -= len(hunk.lines)
    total = sum(len(hunk.lines) for hunk in hunks)
    return tuple(kept), max(0, total - most)


def _texts(before: bytes, after: bytes) -> tuple[list[str], list[str]] | None:
    try:
        return _lines(decode(before).text), _lines(decode(after).text)
    except NotText:
        return None


def _lines(text: str) -> list[str]:
    """Split behind each LF, as the journal's merge does; breaks stay, so that a changed one is a difference."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[_Change]:
    limit = min(len(old), len(new))
    head = next((n for n in range(limit) if old[n] != new[n]), limit)
    tail = next((n for n in range(limit - head) if old[-1 - n] != new[-1 - n]), limit - head)
    left, right = old[head : len(old) - tail], new[head : len(new) - tail]
    if not left and not right:
        return
    if not left or not right or len(left) + len(right) > _MOST_MATCHED:
        yield head, len(old) - tail, head, len(new) - tail
        return
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag != "equal":
            yield head + i1, head + i2, head + j1, head + j2


def _groups(changes: Sequence[_Change]) -> Iterator[list[_Change]]:
    """Put changes together whose lines around them would meet."""
    group: list[_Change] = []
    for change in changes:
        if group and change[0] - group[-1][1] > 2 * _AROUND:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _hunk(old: Sequence[str], new: Sequence[str], group: Sequence[_Change]) -> Hunk:
    start = max(0, group[0][0] - _AROUND)
    new_start = group[0][2] - (group[0][0] - start)
    lines: list[HunkLine] = []
    position = start
    for i1, i2, j1, j2 in group:
        lines += (HunkLine(" ", _shown(line)) for line in islice(old, position, i1))
        lines += (HunkLine("-", _shown(line)) for line in islice(old, i1, i2))
        lines += (HunkLine("+", _shown(line)) for line in islice(new, j1, j2))
        position = i2
    lines += (HunkLine(" ", _shown(line)) for line in islice(old, position, position + _AROUND))
    return Hunk(start + 1, new_start + 1, tuple(lines))


def _shown(line: str) -> str:
    return line.removesuffix("\n").removesuffix("\r")
