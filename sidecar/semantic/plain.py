"""Markdown without its marks: the words that carry a text's meaning."""

import re

__all__ = ["plain", "says_something"]

_WIKILINK = re.compile(r"!?\[\[([^\[\]|\n]*)(?:\|([^\[\]\n]*))?\]\]")
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)")
_CHECKBOX = re.compile(r"^[ \t>]*(?:[-*+]|\d+[.)])[ \t]+(?:\[.\][ \t]+)?", re.MULTILINE)
_NOISE = re.compile(
    r"""
    (?:https?|ftp|obsidian|file|data|mailto):\S+
    |</?[A-Za-z][^<>\n]{0,200}>
    |[ \t]\^[A-Za-z0-9-]+[ \t]*$
    |\[\^[^\]\s]+\]|^[ \t>]*\[![\w-]+\][+-]?
    |[A-Za-z0-9+/=_-]{65,}
    |(?<!\w)[_*]+|[_*]+(?!\w)|[*`~=#>|\\]+|-{2,}|(?<![^\s|]):?-+:?(?![^\s|])|%%
    """,
    re.VERBOSE | re.MULTILINE,
)
"""Addresses, tags of HTML, block ids, footnotes, kinds of callouts, data in one line, and marks of Markdown."""
_LETTER = re.compile(r"[^\W\d_]")


def plain(text: str) -> str:
    """Return a line's words as they are shown: links by their text, everything that only steers left out."""
    if "[" in text:
        text = _WIKILINK.sub(lambda link: link[2] or link[1].rpartition("/")[2], text)
        text = _LINK.sub(r"\1", text)
    return " ".join(_NOISE.sub(" ", _CHECKBOX.sub("", text)).split())


def says_something(text: str) -> bool:
    """Tell whether a text holds a word; numbers, such as a day's, mean nothing to a model."""
    return _LETTER.search(text) is not None
