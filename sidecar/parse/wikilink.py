"""The two ways to write a link, and what they point to (contract B1-B15)."""

import re
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import unquote

__all__ = ["DESTINATION", "WIKILINK", "Target", "markdown_target", "target_of_whole", "wikilink_target"]

WIKILINK = re.compile(r"\[\[(?!\[)((?:[^\[\]\r\n]++|\[(?!\[)|\](?!\]))*+)\]\]")
"""Only ``]]`` ends it, an inner ``[[`` starts anew, and it stays in its line (B5-B7)."""


def _balanced(depth: int) -> str:
    inner = rf"|\({_balanced(depth - 1)}\)" if depth else ""
    return rf"(?:[^\s()\\]++|\\\S{inner})*+"


_TITLE = r""""(?:[^"\\]++|\\.)*+"|'(?:[^'\\]++|\\.)*+'|\((?:[^()\\]++|\\.)*+\)"""
DESTINATION = re.compile(rf"\(\s*+(?:<((?:[^<>\\\r\n]++|\\.)*+)>|(?!<)({_balanced(4)}))(?:\s++(?:{_TITLE}))?+\s*+\)")
"""The part of a Markdown link in parentheses. A raw space ends the destination (B11), a title is skipped (B12)."""
_MARKDOWN_LINK = re.compile(rf"\[((?:[^\[\]\\]++|\\.)*+)\]{DESTINATION.pattern}")

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]++:")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_HARD_SPACES = {0x00A0: " ", 0x202F: " "}


class Target(NamedTuple):
    """Where a link leads, and the text it shows."""

    linkpath: str
    subpath: str
    display: str | None


def _target(link: str, display: str | None) -> Target | None:
    if not link.isascii():
        link = link.translate(_HARD_SPACES)
    linkpath, mark, subpath = link.partition("#")
    linkpath = linkpath.strip()
    subpath = mark + subpath.rstrip()
    return Target(linkpath, subpath, display) if linkpath or subpath.strip("# ") else None


def wikilink_target(inner: str) -> Target | None:
    r"""Read what stands between the brackets of a wikilink; ``None`` when it is empty (B15).

    ``\|`` counts as ``|``, the way it is written in tables (B2). A size after the last ``|`` of an embed stays in
    ``display`` as it is (B3).
    """
    if "|" not in inner:
        return _target(inner, None)
    link, _, display = inner.partition("|")
    return _target(link.removesuffix("\\"), display.replace("\\|", "|").strip() or None)


def markdown_target(found: re.Match[str], text: str) -> Target | None:
    """Read a match of :data:`DESTINATION`; ``None`` for external and empty destinations (B10, B13, B14)."""
    link = found[found.lastindex or 1]
    if not link or _SCHEME.match(link):
        return None
    if "\\" in link:
        link = _ESCAPE.sub(r"\1", link)
    if "%" in link:
        # Obsidian leaves what it cannot decode as it is.
        with suppress(UnicodeDecodeError):
            link = unquote(link, errors="strict")
    return _target(link, text or None)


def target_of_whole(value: str) -> Target | None:
    """Read a text that is one whole link, as properties hold them (B21)."""
    if found := WIKILINK.fullmatch(value):
        return wikilink_target(found[1])
    if found := _MARKDOWN_LINK.fullmatch(value):
        destination = DESTINATION.match(value, found.end(1) + 1)
        return markdown_target(destination, found[1]) if destination else None
    return None
