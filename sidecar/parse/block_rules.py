"""How a line begins: the patterns by which the scanner tells one block from another."""

import re
from typing import NamedTuple

__all__ = [
    "BLOCK",
    "CODE",
    "COMMENT_MARK",
    "DELIMITER_ROW",
    "FENCE_END",
    "MATH",
    "ONE_LINE",
    "SETEXT",
    "SPACES",
    "SPECIAL",
    "Leaf",
    "html_leaf",
]

SPECIAL = frozenset(" \t\r#>`~$<%=-*+0123456789|:[_") | {""}
"""First characters of the lines that need a closer look; no other line can be more than text."""

SPACES = re.compile(r"[ \t]*+")

BLOCK = re.compile(
    r"""
    (?P<quote>>)
    |(?P<heading>\#{1,6}(?=[ \t]|$))
    |(?P<fence>`{3,}+(?=[^`]*$)|~{3,}+)
    |(?P<rule>(?:(?:\*[ \t]*+){3,}+|(?:-[ \t]*+){3,}+|(?:_[ \t]*+){3,}+)$)
    |(?P<item>(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$))
    |(?P<math>\$\$)
    |(?P<html><(?=[!?/A-Za-z]))
    |(?P<comment>%%(?!%))
    |(?P<footnote>\[\^[^\]\s]++\]:)
    """,
    re.VERBOSE,
)
SETEXT = re.compile(r"(=++|-++)[ \t]*+$")
DELIMITER_ROW = re.compile(r"(?=[^|]*\|)\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+$")
FENCE_END = re.compile(r"(`{3,}+|~{3,}+)[ \t]*+$")
COMMENT_MARK = re.compile(r"(?<!%)%%(?!%)")
"""B27: exactly two."""


class Leaf(NamedTuple):
    """A block whose lines are not text. ``end`` closes it; without one, a fence or an empty line does."""

    end: re.Pattern[str] | None = None
    fence: str = ""
    tail: bool = False
    """Text behind the end counts again."""


CODE = Leaf()
MATH = Leaf(end=re.compile(r"\$\$"), tail=True)
ONE_LINE = Leaf()
"""A block of HTML that ends in the line that opens it."""
_HTML = Leaf()

_COMMENT_END = re.compile(r"-->")
_HTML_NAMES = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt"
    "|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu"
    "|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr"
    "|track|ul"
)
_HTML_BLOCKS: tuple[tuple[re.Pattern[str], re.Pattern[str] | None], ...] = (
    (re.compile(r"<!--"), _COMMENT_END),
    (re.compile(rf"</?(?:{_HTML_NAMES})(?=[ \t>]|/>|$)", re.IGNORECASE), None),
    (
        re.compile(r"<(?:script|pre|style|textarea)(?=[ \t>]|$)", re.IGNORECASE),
        re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE),
    ),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
    (re.compile(r"<![A-Za-z]"), re.compile(r">")),
)
"""What opens a block of HTML, and what closes it; ``None``: an empty line."""
_TAG_LINE = re.compile(
    r"""<(?:/[A-Za-z][A-Za-z0-9-]*+[ \t]*+
      |[A-Za-z][A-Za-z0-9-]*+
       (?:[ \t]++[A-Za-z_:][\w.:-]*+(?:[ \t]*+=[ \t]*+(?:[^\s"'=<>`]++|'[^']*+'|"[^"]*+"))?+)*+
       [ \t]*+/?)>[ \t]*+$""",
    re.VERBOSE,
)
"""One whole tag alone on a line opens a block too, but not inside a paragraph."""


def html_leaf(line: str, at: int, *, in_paragraph: bool) -> Leaf | None:
    """Tell which block of HTML a line opens; ``None``: its HTML is part of the text.

    A comment that ends in its own line is part of the text, since it hides nothing else of the line.
    """
    for opening, ending in _HTML_BLOCKS:
        if found := opening.match(line, at):
            if ending is None:
                return _HTML
            if not ending.search(line, found.end()):
                return Leaf(end=ending, tail=ending is _COMMENT_END)
            return None if ending is _COMMENT_END else ONE_LINE
    return _HTML if not in_paragraph and _TAG_LINE.match(line, at) else None
