"""What a reader sees of Markdown text; the one place that imports marko."""

import html
import re
from functools import lru_cache

from marko import inline
from marko.element import Element
from marko.parser import Parser

from sidecar.parse.wikilink import WIKILINK, wikilink_target

__all__ = ["rendered_text"]

_MARKUP = re.compile(r"[*_`<\[\\&~=%!]")
_MAX_LENGTH = 1000
"""Beyond it a heading is taken as it stands: marko's time grows with the square of it."""


class _Wikilink(inline.InlineElement):
    priority = 7
    pattern = re.compile(rf"!?{WIKILINK.pattern}")


class _Marked(inline.InlineElement):
    priority = 6
    pattern = re.compile(r"(?:==(?=\S)(.+?)(?<=\S)==)")
    parse_children = True


class _Struck(inline.InlineElement):
    priority = 6
    pattern = re.compile(r"(?:~~(?=\S)(.+?)(?<=\S)~~)")
    parse_children = True


class _Comment(inline.InlineElement):
    priority = 7
    pattern = re.compile(r"(?<!%)%%(?!%)(.*?)%%")


def _parser() -> Parser:
    parser = Parser()
    for element in (_Wikilink, _Marked, _Struck, _Comment):
        parser.add_element(element)
    return parser


_PARSER = _parser()


@lru_cache(maxsize=4096)
def rendered_text(inline_text: str) -> str:
    """Return what is left of a heading's raw text when it is shown.

    HTML tags and comments go, emphasis and code lose their marks, links show their text, white space is one space.
    """
    if not _MARKUP.search(inline_text) or len(inline_text) > _MAX_LENGTH:
        return " ".join(inline_text.split())
    # As a closed heading nothing in the text can begin a block or be taken for closing marks.
    document = _PARSER.parse(f"# {' '.join(inline_text.split())} #\n")
    return " ".join("".join(_shown(child) for child in document.children).split())


def _shown(element: Element) -> str:
    children = element.children if hasattr(element, "children") else ""
    match element:
        case inline.InlineHTML() | _Comment():
            return ""
        case _Wikilink():
            return _link_text(str(children))
        case inline.RawText():
            return html.unescape(str(children))
    if isinstance(children, str):
        return children
    return "".join(_shown(child) for child in children)


def _link_text(inner: str) -> str:
    target = wikilink_target(inner)
    if target is None:
        return ""
    return target.display or " > ".join(part for part in (target.linkpath, *target.subpath.split("#")) if part)
