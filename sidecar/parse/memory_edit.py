"""The edits of the Claude API's memory tool on a file's text, with the very words that its documentation gives."""

from collections.abc import Sequence
from dataclasses import dataclass

from sidecar.errors import Invalid
from sidecar.parse.text import SourceText

__all__ = ["MOST_LINES", "NumberedText", "inserted", "numbered", "replaced"]

MOST_LINES = 999_999
"""Line numbers are written six characters wide."""
_LONGEST_VIEW = 16_000
_AROUND = 2


@dataclass(frozen=True, slots=True)
class NumberedText:
    """Lines with their numbers; ``cut_after`` is the last that is shown where there was no room for all."""

    text: str
    lines: int
    cut_after: int | None = None


def numbered(text: str, first: int | None = None, last: int | None = None) -> NumberedText:
    """Write lines ``first`` to ``last``, both from 1 and included, with numbers; of a whole text what a reply may hold.

    Raises:
        Invalid: when there are no such lines.

    """
    lines = _lines(text)
    if first is not None:
        last = len(lines) if last is None or last == -1 else last
        if not 1 <= first <= last <= max(1, len(lines)):
            raise Invalid(
                f"Error: Invalid `view_range` parameter: [{first}, {last}]. It should be within the range of lines of "
                f"the file: [1, {len(lines)}]"
            )
        return NumberedText(_with_numbers(lines[first - 1 : last], first), len(lines))
    shown, room = 0, _LONGEST_VIEW
    for line in lines:
        room -= len(line) + 1
        if room < 0 and shown:
            break
        shown += 1
    return NumberedText(_with_numbers(lines[:shown], 1), len(lines), shown if shown < len(lines) else None)


def replaced(path: str, source: SourceText, old: str, new: str) -> tuple[str, str]:
    """Replace the one place that holds ``old``; return the text, and its lines around the change with numbers.

    Line breaks in ``old`` fit those of the file, and those of ``new`` become them.

    Raises:
        Invalid: when the text is nowhere, or in several places, with their lines.

    """
    text = source.text
    wanted = old if old and old in text else source.in_style(old)
    places = _places(text, wanted) if wanted else []
    if not places:
        raise Invalid(f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")
    if len(places) > 1:
        numbers = ", ".join(str(text.count("\n", 0, at) + 1) for at in places)
        raise Invalid(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {numbers}. "
            "Please ensure it is unique"
        )
    at = places[0]
    put = source.in_style(new)
    after = text[:at] + put + text[at + len(wanted) :]
    first = text.count("\n", 0, at)
    lines = _lines(after)
    begin, end = max(0, first - _AROUND), first + put.count("\n") + 1 + _AROUND
    return after, _with_numbers(lines[begin:end], begin + 1)


def inserted(source: SourceText, line: int, text: str) -> str:
    """Put text behind a line, 0 meaning above all; the file keeps ending with or without a line break.

    Raises:
        Invalid: when there is no such line.

    """
    lines = _kept(source.text)
    if not 0 <= line <= len(lines):
        raise Invalid(
            f"Error: Invalid `insert_line` parameter: {line}. It should be within the range of lines of the file: "
            f"[0, {len(lines)}]"
        )
    before, behind = "".join(lines[:line]), "".join(lines[line:])
    new = source.in_style(text)
    if before and not before.endswith("\n"):
        return before + source.newline + new.removesuffix(source.newline)
    if not new.endswith("\n") and (behind or before or not source.text):
        new += source.newline
    return before + new + behind


def _lines(text: str) -> Sequence[str]:
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def _kept(text: str) -> list[str]:
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1].removesuffix("\n")
    return lines if lines[-1] else lines[:-1]


def _with_numbers(lines: Sequence[str], first: int) -> str:
    return "\n".join(f"{number:>6}\t{line}" for number, line in enumerate(lines, first))


def _places(text: str, wanted: str) -> list[int]:
    found, at = [], text.find(wanted)
    while at >= 0:
        found.append(at)
        at = text.find(wanted, at + len(wanted))
    return found
