"""Edits of a note's text that change only what they name (contract Y7; cases C04, C06-C08, C11)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sidecar.errors import Ambiguous, Invalid, Refused
from sidecar.model.note import Heading
from sidecar.parse.find_replace import Replacement, check_same_block, find_replace
from sidecar.parse.frontmatter import block_of
from sidecar.parse.scanner import headings_of
from sidecar.parse.section import SectionNotFound, find_section, read_name, same_heading
from sidecar.parse.text import SourceText

__all__ = [
    "Replacement",
    "SectionEdit",
    "append",
    "append_to_section",
    "find_replace",
    "insert_after_heading",
    "insert_before_section",
    "prepend",
    "prepend_to_section",
    "replace_section",
]

_BLANK_LINES = re.compile(r"(?:[ \t]*\r?\n)*")
_BLANK_LINE = re.compile(r"(?:[ \t]*\r?\n)?")
_BLANK_LINE_FIRST = re.compile(r"[ \t]*\r?\n")
_GAP_END = re.compile(r"\n[ \t]*\r?\n[ \t]*\Z")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]")
_BLANK_END = re.compile(r"(?:\r?\n[ \t]*)+\Z")
_BEGINS_WITH_HEADING = re.compile(r"\s*#{1,6}[ \t]")
_ATX = re.compile(r" {0,3}#{1,6}(?:\s|\Z)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*\r?(?:\n|\Z)")
_BLANK = " \t\r\n"
_NEW_LEVEL = 2


@dataclass(frozen=True, slots=True)
class SectionEdit:
    """The edited text, and whether the section had to be added."""

    text: str
    created: bool


def append(source: SourceText, content: str) -> str:
    """Add text on a line of its own at the end; the file keeps ending with or without a line break (case C11).

    Raises:
        Refused: when the text would change how the note above it is read.

    """
    return _spliced(source, len(source.text), len(source.text), content)


def prepend(source: SourceText, content: str) -> str:
    """Add text on lines of its own at the start, behind the properties.

    Raises:
        Refused: when it would be read as properties, or would swallow the headings behind it.

    """
    at = _body_start(source.text)
    return _spliced(source, at, at, content)


def append_to_section(source: SourceText, section: str | Sequence[str], content: str) -> str:
    """Add text at the end of what stands under a heading itself, so above its subsections (cases C07, C11).

    Text that begins with a heading is a further subsection and goes behind the others.

    Raises:
        SectionNotFound: with the nearest headings.
        Ambiguous: with the path and line of each section of that name.
        Refused: when the text would change how the note around it is read.

    """
    found = find_section(source.text, section)
    limit = found.end if _BEGINS_WITH_HEADING.match(content) else found.own_end
    body = source.text[found.heading.end : limit]
    if not body.strip(_BLANK):
        return _filled(source, found.heading, limit, content)
    at = found.heading.end + _end_of_text(body)
    return _spliced(source, at, at, content)


def prepend_to_section(source: SourceText, section: str | Sequence[str], content: str) -> str:
    """Add text at the start of what stands under a heading; an empty line below the heading stays there.

    Raises:
        SectionNotFound: with the nearest headings.
        Ambiguous: with the path and line of each section of that name.
        Refused: when the text would change how the note around it is read.

    """
    found = find_section(source.text, section)
    if not source.text[found.heading.end : found.own_end].strip(_BLANK):
        return _filled(source, found.heading, found.own_end, content)
    at = _behind_blank_line(source.text, found.heading.end)
    return _spliced(source, at, at, content)


def insert_before_section(source: SourceText, section: str | Sequence[str], content: str) -> str:
    """Add text above a section's heading, with an empty line between it and what stands around it.

    It fails as :func:`append_to_section` does.
    """
    at = find_section(source.text, section).heading.start
    above = source.text[_body_start(source.text) : at]
    return _spliced(source, at, at, _set_apart(content, above, source.text[at:]))


def insert_after_heading(source: SourceText, section: str | Sequence[str], content: str) -> str:
    """Add text right below a section's heading, with an empty line between it and what stood there.

    An empty line below the heading stays there, and a list goes on without one. It fails as
    :func:`append_to_section` does.
    """
    found = find_section(source.text, section)
    if not source.text[found.heading.end : found.own_end].strip(_BLANK):
        return _filled(source, found.heading, found.own_end, content)
    at = _behind_blank_line(source.text, found.heading.end)
    return _spliced(source, at, at, _set_apart(content, "", source.text[at:]))


def replace_section(
    source: SourceText, section: str | Sequence[str], content: str, *, subsections: bool = True
) -> SectionEdit:
    """Put text in place of what stands under a heading, subsections too unless told otherwise (cases C06, C08).

    The heading stays, and so do the empty lines below it and above the next one. When the name is nowhere in the
    note and resembles no heading of it, the section is added at the end; paths never are.

    Raises:
        SectionNotFound: when the name resembles headings of the note, which it lists.
        Ambiguous: with the path and line of each section of that name.
        Refused: when the text would change how the note around it is read.

    """
    text = source.text
    try:
        found = find_section(text, section)
    except SectionNotFound as missing:
        if missing.near or _is_path(text, section):
            raise
        name = section if isinstance(section, str) else section[0]
        return SectionEdit(_with_new_section(source, name, content), created=True)
    heading, end = found.heading, found.end if subsections else found.own_end
    new = _without_heading(_trimmed(content), heading.level, heading.text)
    body = text[heading.end : end]
    if not body.strip(_BLANK):
        return SectionEdit(_filled(source, heading, end, new), created=False)
    core_end = heading.end + _end_of_text(body)
    lead = _match_length(_BLANK_LINES, text, heading.end)
    if not new and lead and end < len(text):
        core_end = end  # one gap is enough between two headings
    return SectionEdit(_spliced(source, heading.end + lead, core_end, new), created=False)


def _filled(source: SourceText, heading: Heading, limit: int, content: str) -> str:
    """Put text under a heading that has none, with the same gap behind it as before it."""
    at = _behind_blank_line(source.text, heading.end)
    has_gap_before, has_gap_behind = at > heading.end, at < limit
    if content and has_gap_before and not has_gap_behind and limit < len(source.text):
        content = _with_line_end(content, "\n") + "\n"
    return _spliced(source, at, at, content)


def _set_apart(content: str, above: str, behind: str) -> str:
    """Give a text the empty lines that keep it apart from its neighbours; the items of one list need none."""
    if not content.strip(_BLANK):
        return content
    lines = content.strip(_BLANK).splitlines()
    if above.strip(_BLANK) and not _ends_with_gap(above) and not _BLANK_LINE_FIRST.match(content):
        last = above.rstrip(_BLANK).rpartition("\n")[2]
        content = content if _ITEM.match(last) and _ITEM.match(lines[0]) else f"\n{content}"
    if behind and not _BLANK_LINE_FIRST.match(behind) and not _ends_with_gap(content):
        is_list = _ITEM.match(lines[-1]) and _ITEM.match(behind)
        content = _with_line_end(content, "\n") + ("" if is_list else "\n")
    return content


def _ends_with_gap(text: str) -> bool:
    return bool(_GAP_END.search(text))


def _with_new_section(source: SourceText, name: str, content: str) -> str:
    level, title = read_name(name)
    if "\n" in title:
        raise Invalid("A heading is one line of text.", hint="Give the section's name without line breaks.")
    level = level or _NEW_LEVEL
    body = _without_heading(_trimmed(content), level, title)
    text = source.text
    above = text[_body_start(text) :].rstrip(" \t")
    gap = "" if not above.strip(_BLANK) or above.endswith(("\n\n", "\n\r\n")) else "\n"
    edited = _spliced(source, len(text), len(text), f"{gap}{'#' * level} {title}\n" + (f"\n{body}\n" if body else ""))
    if not any(heading.start >= len(text) for heading in headings_of(edited)):
        raise Refused(
            "The note ends inside a code block, comment or HTML that is never closed, so no section can follow.",
            hint="Close it first.",
        )
    return edited


def _body_start(text: str) -> int:
    block = block_of(text)
    return block.end if block else 0


def _is_path(text: str, section: str | Sequence[str]) -> bool:
    if not isinstance(section, str):
        return len(section) > 1
    above, slash, _ = section.rpartition("/")
    if "›" in section or not slash:
        return "›" in section
    try:
        find_section(text, above)
    except (SectionNotFound, Invalid):
        return False
    except Ambiguous:
        return True
    return True


def _spliced(source: SourceText, start: int, end: int, content: str) -> str:
    """Put text on lines of its own in place of ``start`` to ``end``, and check that the rest is read as before."""
    text, new = source.text, source.in_style(content)
    before, behind = text[:start], text[end:]
    if not text:
        return new
    if not behind and not text.endswith("\n"):
        new = new.rstrip("\r\n")
        before = before if new else before.rstrip("\r\n")
    elif new:
        new = _with_line_end(new, source.newline)
    if new and before and not before.endswith("\n"):
        before += source.newline
    headings = headings_of(text)
    is_underlined = any(h.start == end and not _ATX.match(behind) for h in headings)
    if new and not _ends_with_gap(new) and (is_underlined or _UNDERLINE.match(behind)):
        new += source.newline  # else the new lines would belong to the heading behind them, or become one
    gaps = ("", source.newline) if new else ("",)
    for gap in gaps:  # a line above must not become a heading because the text begins with ---
        edited = before + gap + new + behind
        if _is_read_as_before(headings, headings_of(edited), start, end, len(edited) - len(text)):
            return check_same_block(text, edited)
    raise Refused(
        "With this text the headings around it would be read differently.",
        hint="Close every code block, comment and HTML tag that the text opens.",
    )


def _is_read_as_before(old: Sequence[Heading], new: Sequence[Heading], start: int, end: int, shift: int) -> bool:
    above = [(h.level, h.text, h.start) for h in old if h.start < start]
    below = [(h.level, h.text, h.start + shift) for h in old if h.start >= end]
    return above == [(h.level, h.text, h.start) for h in new if h.start < start] and below == [
        (h.level, h.text, h.start) for h in new if h.start >= end + shift
    ]


def _without_heading(content: str, level: int, title: str) -> str:
    """Drop the section's own heading line when the content repeats it."""
    line, _, rest = content.partition("\n")
    found = read_name(line) if _BEGINS_WITH_HEADING.match(line) else (None, "")
    return _trimmed(rest) if found[0] == level and same_heading(title, found[1]) else content


def _trimmed(content: str) -> str:
    """Drop empty lines at both ends."""
    if not content.strip(_BLANK):
        return ""
    return _BLANK_END.sub("", content[_match_length(_BLANK_LINES, content, 0) :])


def _with_line_end(text: str, newline: str) -> str:
    return text if text.endswith("\n") else text + newline


def _end_of_text(body: str) -> int:
    """Return the offset behind the last line that is not empty."""
    line_end = body.find("\n", len(body.rstrip(_BLANK)))
    return len(body) if line_end < 0 else line_end + 1


def _behind_blank_line(text: str, at: int) -> int:
    return at + _match_length(_BLANK_LINE, text, at)


def _match_length(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() - at if found else 0
