"""Leaves parts of a text out without moving the rest."""

import re
from collections.abc import Iterable

__all__ = ["blanked"]

_ANYTHING = re.compile(r"[^\r\n]")


def blanked(text: str, parts: Iterable[tuple[int, int]]) -> str:
    """Return the text with spaces in those parts, given in order; lines and offsets stay."""
    pieces, at = [], 0
    for start, end in parts:
        pieces += [text[at:start], _ANYTHING.sub(" ", text[start:end])]
        at = end
    return "".join([*pieces, text[at:]])
