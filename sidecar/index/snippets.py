"""Excerpts: the piece of a text that shows best why it was found."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from sidecar.index.needles import Match, Needle, Needles, matches_in, needles
from sidecar.model.note import Heading

__all__ = ["Needle", "Needles", "Snippet", "needles", "snippet"]

_WIDTH = 240
_CUT = "…"
_JOINERS = "\u200d\ufe0e\ufe0f"
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_FLAG_LETTERS = range(0x1F1E6, 0x1F200)
_LOW_SURROGATES = range(0xDC00, 0xE000)
_LONGEST_CLUSTER = 32


@dataclass(frozen=True, slots=True)
class Snippet:
    """An excerpt, the line of the first match in it (else its first line), and the heading above that line."""

    text: str
    line: int
    heading: str | None


def snippet(
    text: str,
    wanted: Needles,
    width: int = _WIDTH,
    *,
    headings: Sequence[Heading] = (),
    first_line: int = 1,
    focus: tuple[int, int] | None = None,
) -> Snippet:
    """Cut out the piece of at most ``width`` characters with the most different needles, closest together.

    Whole lines where they fit; never half a character. ``text`` begins in line ``first_line`` of its file, in which
    the lines of ``headings`` count. With ``focus`` only what lies there is a match, or else the focus itself. Where
    nothing matches it is the beginning of the text.
    """
    matches = matches_in(text, wanted)
    if focus is not None:
        start = focus[1] - len(text[slice(*focus)].lstrip())
        inside = [match for match in matches if focus[0] <= match.start and match.end <= focus[1]]
        matches = inside or [Match(0, start, min(focus[1], start + width // 2))]
    if matches:
        first, last = _closest(matches, width)
        start, end = matches[first].start, min(max(m.end for m in matches[first : last + 1]), len(text))
    else:
        start = end = len(text) - len(text.lstrip())
    left, right = _lines_around(text, start, end, width)
    shown = text[left:right]
    at = left + len(shown) - len(shown.lstrip())
    cut_left, cut_right = text[:at].rpartition("\n")[2].strip(), text[right:].partition("\n")[0].strip()
    shown = _without_orphans(shown.strip()) if cut_left else shown.strip()
    shown = f"{_CUT if cut_left else ''}{shown}{_CUT if cut_right and shown else ''}"
    line = first_line + text.count("\n", 0, start)
    above = [heading.text for heading in headings if heading.line <= line]
    return Snippet(shown.replace("\r\n", "\n"), line, above[-1] if above else None)


def _closest(matches: Sequence[Match], width: int) -> tuple[int, int]:
    """Return the first and last match of the window with the most different needles, then the shortest, then first."""
    counts: dict[int, int] = {}
    best, best_rank = (0, 0), (0, 0)
    first = 0
    for last, match in enumerate(matches):
        counts[match.needle] = counts.get(match.needle, 0) + 1
        while first < last and (match.end - matches[first].start > width or counts[matches[first].needle] > 1):
            leaving = matches[first].needle
            counts[leaving] -= 1
            if not counts[leaving]:
                del counts[leaving]
            first += 1
        rank = (len(counts), matches[first].start - match.end)
        if last == 0 or rank > best_rank:
            best, best_rank = (first, last), rank
    return best


def _lines_around(text: str, start: int, end: int, width: int) -> tuple[int, int]:
    left, right = _line_start(text, start), _line_end(text, end)
    if right - left > width:
        return _piece_around(text, start, end, (left, right), max(width - 2 * len(_CUT), 1))
    while right < len(text) and _line_end(text, right + 1) - left <= width:
        right = _line_end(text, right + 1)
    while left > 0 and right - _line_start(text, left - 1) <= width:
        left = _line_start(text, left - 1)
    return left, right


def _piece_around(text: str, start: int, end: int, line: tuple[int, int], width: int) -> tuple[int, int]:
    spare = max(width - (end - start), 0)
    left = max(start - spare // 3, line[0])
    right = min(left + width, line[1])
    left = max(right - width, line[0])
    if left > line[0]:
        space = next(
            (i for i in range(left, start) if text[i].isspace() and not _splits(text, _behind_space(text, i))), None
        )
        left = space if space is not None else _whole(text, _behind_space(text, left), start)
    if right < line[1]:
        space = next((i for i in range(right, end, -1) if text[i].isspace()), None)
        right = space if space is not None else _whole_before(text, right, left)
    return left, right


def _without_orphans(text: str) -> str:
    """Drop marks at a cut that leant on white space, which the cut took away."""
    while text and (unicodedata.category(text[0]).startswith("M") or text[0] in _JOINERS):
        text = text[1:].lstrip()
    return text


def _behind_space(text: str, at: int) -> int:
    """Return where the text goes on after white space: what stands there must not lean on the space."""
    following = text[at : at + _LONGEST_CLUSTER]
    return at + len(following) - len(following.lstrip())


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at)
    return found if found >= 0 else len(text)


def _whole(text: str, at: int, latest: int) -> int:
    """Move a cut to the right until it splits no character, or else to the left of ``latest``."""
    whole = next((i for i in range(at, latest) if not _splits(text, i)), None)
    return _whole_before(text, latest, 0) if whole is None else whole


def _whole_before(text: str, at: int, earliest: int) -> int:
    """Move a cut to the left until it splits no character; a cluster of more than any script needs is cut."""
    return next((i for i in range(at, max(earliest, at - _LONGEST_CLUSTER), -1) if not _splits(text, i)), at)


def _splits(text: str, at: int) -> bool:
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    return (
        unicodedata.category(after).startswith("M")
        or after in _JOINERS
        or before == "\u200d"
        or ord(after) in _SKIN_TONES
        or ord(after) in _LOW_SURROGATES
        or (ord(after) in _FLAG_LETTERS and ord(before) in _FLAG_LETTERS)
    )
