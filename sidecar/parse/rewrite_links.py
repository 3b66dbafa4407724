"""Links that lead by another path, with not one byte changed beside it (contract M2-M5, B2, B12, G2)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote

from sidecar.model.note import Json, Link, LinkKind
from sidecar.model.path import VaultPath
from sidecar.parse.edit_properties import set_property
from sidecar.parse.frontmatter import read_properties
from sidecar.parse.property_link import strings_in
from sidecar.parse.wikilink import DESTINATION

__all__ = ["Rewrite", "is_wikilink", "rewrite_links"]

_SIZE = re.compile(r"\d+(?:x\d+)?")
_SUBPATH = re.compile(r"\\?#|%23")
_SUBPATH_AS_IS = re.compile(r"\\?#")
_UNSAFE = re.compile(r"[^0-9A-Za-z_/!+,\-.;=@'\x80-\U0010ffff]")
_UNSAFE_IN_ANGLES = re.compile(r"[<>\\%#\x00-\x1f\x7f]")
_BRACKETS = re.compile(r"[\\\[\]]")


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A link that is to lead by another path: its file was at ``was`` and is at ``now``."""

    link: Link
    linkpath: str
    """As it stands in a wikilink; a Markdown link encodes it."""
    was: VaultPath
    now: VaultPath


class _Edit(NamedTuple):
    start: int
    end: int
    text: str


def is_wikilink(raw: str) -> bool:
    """Tell a link in double brackets from one in Markdown's form."""
    return raw.endswith("]]")


def rewrite_links(text: str, rewrites: Sequence[Rewrite], newline: str = "\n") -> str:
    """Return a note's text, or that of a canvas card, with the links of ``rewrites`` leading by their new paths.

    The links are those that ``parse_note`` or ``links_in`` found in this very text. Syntax, subpath, title, angle
    brackets, quotes and escapes stay (M2); the shown text stays too, unless it is the file's old name (M3).

    Raises:
        Refused: when a property is written in a way in which its link cannot be changed safely.

    """
    in_text = [rewrite for rewrite in rewrites if rewrite.link.kind is not LinkKind.PROPERTY]
    in_properties = [rewrite for rewrite in rewrites if rewrite.link.kind is LinkKind.PROPERTY]
    edits = [edit for rewrite in in_text for edit in _edits(rewrite, text, rewrite.link.start)]
    text = _edited(text, edits)
    return _with_properties(text, in_properties, newline) if in_properties else text


def _edited(text: str, edits: Iterable[_Edit]) -> str:
    pieces, done = [], 0
    for edit in sorted(edits):
        pieces += [text[done : edit.start], edit.text]
        done = edit.end
    return "".join([*pieces, text[done:]])


def _edits(rewrite: Rewrite, text: str, start: int) -> list[_Edit]:
    """Return the changes to the link that stands in ``text`` at ``start``."""
    raw = text[start : start + len(rewrite.link.raw)]
    path, shown = _wikilink_spans(raw) if is_wikilink(raw) else _markdown_spans(raw, rewrite.link.display or "")
    new_path = (
        rewrite.linkpath if is_wikilink(raw) else _encoded(rewrite.linkpath, in_angles=raw[path.start - 1] == "<")
    )
    edits = [_Edit(path.start, path.end, new_path)]
    if (name := _new_name(rewrite, shown.text)) is not None:
        edits.append(_Edit(shown.start, shown.end, name if is_wikilink(raw) else _BRACKETS.sub(r"\\\g<0>", name)))
    return [_Edit(start + edit.start, start + edit.end, edit.text) for edit in edits]


def _wikilink_spans(raw: str) -> tuple[_Edit, _Edit]:
    """Return path and shown text of a wikilink, each without the spaces around it."""
    inside, end = raw.index("[[") + 2, len(raw) - 2
    bar = raw.find("|", inside, end)
    link_end = end if bar < 0 else bar - (raw[bar - 1] == "\\")
    mark = raw.find("#", inside, link_end)
    path = _stripped(raw, inside, link_end if mark < 0 else mark)
    return path, _stripped(raw, end if bar < 0 else bar + 1, end)


def _markdown_spans(raw: str, display: str) -> tuple[_Edit, _Edit]:
    inside = raw.index("[") + 1
    shown = _Edit(inside, inside + len(display), display)
    found = DESTINATION.match(raw, shown.end + 1)
    if found is None:
        raise ValueError("this is no link of the text")
    group = found.lastindex or 1
    destination = found[group]
    mark = (_SUBPATH if _is_decodable(destination) else _SUBPATH_AS_IS).search(destination)
    return _stripped(raw, found.start(group), found.start(group) + mark.start() if mark else found.end(group)), shown


def _is_decodable(text: str) -> bool:
    try:
        unquote(text, errors="strict")
    except UnicodeDecodeError:
        return False
    return True


def _stripped(text: str, start: int, end: int) -> _Edit:
    part = text[start:end]
    start += len(part) - len(part.lstrip())
    return _Edit(start, start + len(part.strip()), part.strip())


def _encoded(path: str, *, in_angles: bool) -> str:
    unsafe = _UNSAFE_IN_ANGLES if in_angles else _UNSAFE
    return unsafe.sub(lambda match: f"%{ord(match[0]):02X}", path)


def _new_name(rewrite: Rewrite, shown: str) -> str | None:
    """Return the shown text that a renamed file asks for (M3); the size of an embed is not its name (B3)."""
    if rewrite.was.name == rewrite.now.name or (_SIZE.fullmatch(shown) and rewrite.link.raw.startswith("!")):
        return None
    return {rewrite.was.basename: rewrite.now.basename, rewrite.was.name: rewrite.now.name}.get(shown)


def _with_properties(text: str, rewrites: Sequence[Rewrite], newline: str) -> str:
    """Rewrite links in place where their YAML allows, else the whole property; what else is said stays (B21)."""
    raws = {r.link.property or "": _edited(r.link.raw, _edits(r, r.link.raw, 0)) for r in rewrites}
    values = read_properties(text).values
    goal = _said(values, raws)
    in_place = [
        _in_place(text, rewrite, raws) for rewrite in rewrites if text.startswith(rewrite.link.raw, rewrite.link.start)
    ]
    edited = _edited(text, in_place)
    if _said(read_properties(edited).values) == goal:
        return edited
    for name in [key for key, value in values.items() if any(dotted in raws for dotted, _ in strings_in(key, value))]:
        text = set_property(text, name, _with_strings(name, values[name], raws), newline)
    return text


def _in_place(text: str, rewrite: Rewrite, raws: Mapping[str, str]) -> _Edit:
    start, raw = rewrite.link.start, raws[rewrite.link.property or ""]
    quote = text[:start].rstrip(" \t")[-1:]
    if quote == "'":
        raw = raw.replace("'", "''")
    elif quote == '"':
        raw = raw.replace("\\", "\\\\").replace('"', '\\"')
    return _Edit(start, start + len(rewrite.link.raw), raw)


def _said(values: Mapping[str, Json], raws: Mapping[str, str] | None = None) -> list[tuple[str, str]]:
    """List all texts of the properties, those of ``raws`` with their new links."""
    said = [found for name, value in values.items() for found in strings_in(name, value)]
    return [(dotted, _with_link(text, raws.get(dotted)) if raws else text) for dotted, text in said]


def _with_strings(dotted: str, value: Json, raws: Mapping[str, str]) -> Json:
    if isinstance(value, str):
        return _with_link(value, raws.get(dotted))
    if isinstance(value, list):
        return [_with_strings(f"{dotted}.{n}", item, raws) for n, item in enumerate(value)]
    if isinstance(value, dict):
        return {key: _with_strings(f"{dotted}.{key}", item, raws) for key, item in value.items()}
    return value


def _with_link(text: str, raw: str | None) -> str:
    """Put a link in the place of the one that the text is, spaces around it kept."""
    return text if raw is None else text.replace(text.strip(), raw, 1)
