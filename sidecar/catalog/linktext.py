"""Links as Obsidian writes them: the text that leads to a file, and the link around it (L1-L3, G1, G2)."""

import re
from collections.abc import Iterator
from typing import Literal, TypeAlias

from sidecar.catalog.resolve import Names, resolve
from sidecar.errors import Invalid
from sidecar.model.path import VaultPath

__all__ = ["LinkFormat", "linktext", "markdown_link", "wikilink"]

LinkFormat: TypeAlias = Literal["shortest", "relative", "absolute"]
"""Obsidian's setting ``newLinkFormat``."""

_BREAKS_WIKILINK = re.compile(r"[#|\r\n]|\[\[|\]\]|\]$")
_ENCODED = re.compile(r"[^0-9A-Za-z_/!+,\-.;=@'\x80-\U0010ffff]")
_ENCODED_IN_SUBPATH = re.compile(r"[^0-9A-Za-z_/!+,\-.;=@'\x80-\U0010ffff#^]")
_LINE_BREAKS = re.compile(r"[\r\n]+")


def linktext(
    target: VaultPath, source: VaultPath, names: Names, link_format: LinkFormat = "shortest", *, omit_md: bool = True
) -> str:
    """Return the linkpath that leads from ``source`` to ``target`` in the user's format (L1-L3).

    ``names`` must hold ``target`` already. Where Obsidian's own text would lead to another file (a sibling shadowed by
    a note at the root, ``v1.2.md`` beside a file ``v1.2``), a longer one that does not is returned.
    """
    spellings = list(_spellings(target, source, names, link_format, omit_md=omit_md))
    found = [(text, resolve(text, source, names)) for text in spellings]
    safe = (text for text, meant in found if meant.candidates == (target,))
    nearest = (text for text, meant in found if meant.target == target)
    return next(safe, None) or next(nearest, None) or spellings[0]


def _spellings(
    target: VaultPath, source: VaultPath, names: Names, link_format: LinkFormat, *, omit_md: bool
) -> Iterator[str]:
    """Texts that may lead to ``target``, best first."""
    for path in (target.without_md, target) if omit_md else (target,):
        name = path.rpartition("/")[2]
        if link_format == "relative":
            text = _relative(path, source.folder)
            yield text
            if not text.startswith("../"):
                yield f"./{text}"
        elif link_format == "shortest" and names.get(target.name.lower()) == (target,):
            yield name
        yield path


def _relative(path: str, folder: str) -> str:
    to, start = path.split("/"), folder.split("/") if folder else []
    shared = 0
    while shared < min(len(start), len(to) - 1) and start[shared] == to[shared]:
        shared += 1
    return "/".join([".."] * (len(start) - shared) + to[shared:])


def wikilink(
    target: VaultPath,
    source: VaultPath,
    names: Names,
    *,
    subpath: str = "",
    display: str | None = None,
    link_format: LinkFormat = "shortest",
) -> str:
    """Return ``[[linktext#subpath|display]]``; a display that only repeats the text lends it its casing (G1).

    For an embed put ``!`` before it.

    Raises:
        Invalid: when the file's name cannot stand in a wikilink (F2); :func:`markdown_link` can write it.

    """
    path = "" if target == source and subpath else linktext(target, source, names, link_format)
    if _BREAKS_WIKILINK.search(path):
        raise Invalid(
            f"'{target}' cannot be written as a [[link]]: its name holds '#', '|' or double brackets.",
            hint="Rename the file, or use a Markdown link.",
        )
    text = path + subpath
    shown = _in_wikilink(display or "")
    if not shown:
        return f"[[{text}]]"
    if not subpath and f"{shown}.md".lower() == f"{text}.md".lower():
        return f"[[{shown}]]"
    return f"[[{text}|{shown}]]"


def _in_wikilink(display: str) -> str:
    """Part brackets that would open or close a link (B5, B6)."""
    text = _LINE_BREAKS.sub(" ", display).strip()
    text = re.sub(r"\[(?=\[)", "[ ", text)
    return re.sub(r"\](?=\]|$)", "] ", text)


def markdown_link(
    target: VaultPath,
    source: VaultPath,
    names: Names,
    *,
    subpath: str = "",
    display: str | None = None,
    link_format: LinkFormat = "shortest",
) -> str:
    """Return ``[display](path#subpath)`` in a form that Obsidian reads back (G2); ``.md`` stays.

    Without a display the basename is shown. For an embed put ``!`` before it.
    """
    path = "" if target == source and subpath else linktext(target, source, names, link_format, omit_md=False)
    shown = re.sub(r"[\\\[\]]", r"\\\g<0>", _LINE_BREAKS.sub(" ", display or target.basename))
    return f"[{shown}]({_encode(_ENCODED, path)}{_encode(_ENCODED_IN_SUBPATH, subpath)})"


def _encode(unsafe: re.Pattern[str], text: str) -> str:
    return unsafe.sub(lambda match: f"%{ord(match[0]):02X}", text)
