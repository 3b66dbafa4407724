"""The links in the formulas of bases, which Obsidian resolves like any other (contract section 8)."""

from collections.abc import Callable, Iterator

from sidecar.bases.links import Literal, literals_in
from sidecar.errors import SidecarError
from sidecar.model.note import Link, LinkKind
from sidecar.model.path import VaultPath
from sidecar.parse.note import links_in
from sidecar.parse.text import read_text
from sidecar.services.views import View

__all__ = ["base_links"]

_LINKING = frozenset({"file", "hasLink", "link", "linksTo"})
"""Functions whose argument is a link or a path."""


def base_links(
    view: View, read: Callable[[VaultPath], bytes], base: VaultPath
) -> Iterator[tuple[Link, VaultPath | None]]:
    """Go through the links of one base with where they lead; a base that cannot be read has none.

    A text in quotes is a link when it is one whole link, the argument of a function that takes one, or a file's path.
    """
    try:
        text = read_text(read(base))[0]
    except SidecarError:
        return
    for literal, start in literals_in(text):
        link = _link(view, literal)
        if link is not None:
            line = text.count("\n", 0, start) + 1
            linkpath, mark, subpath = link
            found = Link(LinkKind.WIKILINK, literal.text, linkpath, mark + subpath, None, line, start)
            yield found, view.resolve(linkpath, base).target


def _link(view: View, literal: Literal) -> tuple[str, str, str] | None:
    text = literal.text
    if (links := links_in(text)) and links[0].raw == text:
        return links[0].linkpath, "", links[0].subpath
    if literal.call in _LINKING:
        return text.partition("#")
    return (text, "", "") if view.state(VaultPath(text)) is not None else None
