"""Whether a file still holds what a change did to it, though someone has gone on writing."""

import re

from sidecar.journal.merge import merge

__all__ = ["holds"]

_MOST_BY_WORDS = 100_000
"""Bytes of a file that is compared word by word; finding what words have in common is quadratic."""


def holds(before: bytes, after: bytes, found: bytes) -> bool:
    """Tell whether ``found`` is ``after`` with other edits, and not ``before`` with others.

    Where others wrote in the very same place nothing can be said, and the answer is ``False``.
    """
    if found in (before, after):
        return found == after
    answer = _compared(before, after, found)
    if answer is None and max(len(before), len(after), len(found)) <= _MOST_BY_WORDS:
        words = [_words(text) for text in (before, after, found)]
        answer = _compared(*map(_as_lines, words))
        if answer is None:
            # Read backwards, an insertion that could stand in two places stands in the other one.
            answer = _compared(*(_as_lines(text[::-1]) for text in words))
    return answer is True


def _compared(before: bytes, after: bytes, found: bytes) -> bool | None:
    """Tell whether the change can be taken out of ``found``; ``None`` when it could be made there just as well."""
    out, still = merge(after, found, before), merge(before, found, after)
    can_go, can_come = out not in (None, found), still not in (None, found)
    return None if can_go == can_come else can_go


def _words(text: bytes) -> list[bytes]:
    return re.findall(rb"[\w\x80-\xff]+|[^\w\x80-\xff]", text)


def _as_lines(words: list[bytes]) -> bytes:
    return b"".join(word.replace(b"\n", b"\r\r") + b"\n" for word in words)
