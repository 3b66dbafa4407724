"""The few replacements that make one text of another, for an editor that keeps cursor and folds."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

__all__ = ["TextEdit", "edits_between"]

_MOST_PAIRS = 1_000_000
"""With more pairs of lines to compare than this, all between the first and the last difference is one edit."""


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Put ``text`` in place of what stands from ``start`` to ``end`` of the old text, in UTF-16 code units."""

    start: int
    end: int
    text: str


def edits_between(old: str, new: str) -> tuple[TextEdit, ...]:
    """Return edits of the old text, first to last and apart from one another, that make it the new one."""
    found = [(start, end, text) for start, end, text in _edits(old, new) if start != end or text]
    counted, at, edits = 0, 0, list[TextEdit]()
    for start, end, text in found:
        counted += _units(old[at:start])
        length = _units(old[start:end])
        edits.append(TextEdit(counted, counted + length, text))
        counted, at = counted + length, end
    return tuple(edits)


def _edits(old: str, new: str) -> Iterator[tuple[int, int, str]]:
    old_lines, new_lines = old.splitlines(keepends=True), new.splitlines(keepends=True)
    head = _common(old_lines, new_lines)
    tail = _common(old_lines[: head - len(old_lines) - 1 : -1], new_lines[: head - len(new_lines) - 1 : -1])
    a, b = old_lines[head : len(old_lines) - tail], new_lines[head : len(new_lines) - tail]
    at = sum(map(len, old_lines[:head]))
    if len(a) * len(b) > _MOST_PAIRS:
        yield _narrowed(at, "".join(a), "".join(b))
        return
    starts = [at]
    for line in a:
        starts.append(starts[-1] + len(line))
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag != "equal":
            yield _narrowed(starts[i1], "".join(a[i1:i2]), "".join(b[j1:j2]))


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    """Return how many lines or characters at the beginning of both are alike."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _narrowed(at: int, old: str, new: str) -> tuple[int, int, str]:
    """Return the replacement of one piece without what is alike at its ends."""
    head = _common(old, new)
    old, new = old[head:], new[head:]
    tail = _common(old[::-1], new[::-1])
    return at + head, at + head + len(old) - tail, new[: len(new) - tail]


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2
