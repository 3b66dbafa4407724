"""The running text around a few places of a note, found without reading the blocks of all that stands before them."""

import re
from collections.abc import Sequence

from sidecar.parse.block_rules import SPECIAL
from sidecar.parse.blocks import Run
from sidecar.parse.scanner import scan

__all__ = ["near_runs"]

_FEW = 8
"""Beyond so many places reading the whole text once is less work."""
_LASTING_HTML = re.compile(r"<(?:[!?]|pre|script|style|textarea)", re.IGNORECASE)
"""What may open a block of HTML that goes on over empty lines."""
_FENCE = re.compile(r"^```([^`\n]*)$", re.MULTILINE)


def near_runs(text: str, start: int, spans: Sequence[tuple[int, int]]) -> list[Run] | None:
    """Return the runs of a text from ``start`` on, a line's start, that these places stand in, and perhaps others.

    They are those that :func:`scan` finds, without their headings; a place that is in none stands in code or HTML.
    The places are given in order. ``None``: only a scan from the beginning can tell.
    """
    # One character is found many times faster than two.
    if len(spans) > _FEW or ("%" in text and "%%" in text) or ("$" in text and "$$" in text):
        return None
    if ("~" in text and "~~~" in text) or ("<" in text and _LASTING_HTML.search(text)):
        return None
    gap = "\n\r\n" if "\r" in text else "\n\n"
    runs: list[Run] = []
    behind = start
    for begin, end in spans:
        if begin < behind:
            continue
        first = _first_of_piece(text, start, begin, gap)
        if _may_be_in_fence(text, start, first):
            return None
        if first < behind:
            runs = [run for run in runs if run.start < first]
        behind = text.find(gap, end)
        behind = behind if behind >= 0 else len(text)
        runs += _runs_of(text[first:behind], first)
    return runs


def _first_of_piece(text: str, start: int, place: int, gap: str) -> int:
    """Return the last line's start before a place at which nothing is open but what lasts over empty lines.

    An empty line ends paragraphs, tables, quotes and HTML, and a line behind it that is not indented ends lists,
    footnotes and indented code.
    """
    at = text.rfind(gap, start, place)
    while at >= 0:
        first = at + len(gap)
        if text[first] not in " \t\r\n":
            return first
        at = text.rfind(gap, start, first - 1)
    return start


def _may_be_in_fence(text: str, start: int, place: int) -> bool:
    """Tell whether a fence of code may be open at the start of a line: it is, or where fences stand hides it.

    At the start of its line a fence ends whatever is open but HTML.
    """
    count = text.count("```", start, place) if "`" in text[start:place] else 0
    if not count:
        return False
    fences = _FENCE.findall(text, start, place)
    if len(fences) != count or "<" in text:
        return True
    is_open = False
    for language in fences:
        is_open = not is_open or bool(language.removesuffix("\r").strip(" \t"))
    return is_open


def _runs_of(piece: str, offset: int) -> list[Run]:
    if piece[:1] not in SPECIAL and "\n" not in piece:  # most paragraphs are one line
        return [Run(offset, offset + len(piece), None, table=False, block_end=True)]
    return [Run(run.start + offset, run.end + offset, None, run.table, run.block_end) for run in scan(piece).runs]
