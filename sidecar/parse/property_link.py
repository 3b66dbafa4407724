"""Where properties stand in the text, and the links they hold (contract B21)."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping

from sidecar.model.note import Json, Link, LinkKind, Tag
from sidecar.parse.wikilink import target_of_whole

__all__ = ["property_links", "property_tags", "strings_in"]

_KEY = re.compile(r"""^(?:"([^"\r\n]++)"|'([^'\r\n]++)'|([^\s#"'\-:][^:\r\n]*+))[ \t]*+:(?=[ \t\r\n])""", re.MULTILINE)
_BREAK = re.compile(r"\n")


def property_links(text: str, body_start: int, values: Mapping[str, Json]) -> tuple[Link, ...]:
    """Return a link for each value, or item of a list, that is one whole link and nothing else.

    ``start`` is where the link stands in the text; where YAML writes it otherwise (escapes, folded lines), the start of
    the property's line.
    """
    links: list[Link] = []
    if "[" not in text[:body_start]:
        return ()
    places = _Places(text, body_start)
    for name, value in values.items():
        for dotted, said in strings_in(name, value):
            written = said.strip()
            if target := target_of_whole(written):
                line, start = places.find(written, name)
                links.append(Link(LinkKind.PROPERTY, written, *target, line, start, property=dotted))
    return tuple(links)


def property_tags(text: str, body_start: int, names: tuple[str, ...]) -> tuple[Tag, ...]:
    """Give the tags of the properties the lines they stand in."""
    if not names:
        return ()
    places = _Places(text, body_start)
    key = next((key for key in places.keys if key.lower() == "tags"), "tags")
    return tuple([Tag(name, places.find(name, key)[0], in_property=True) for name in names])


class _Places:
    """The block of properties, searched forward from the line of each property."""

    def __init__(self, text: str, end: int) -> None:
        self._text, self._end = text, end
        self.keys: dict[str, int] = {}
        for found in _KEY.finditer(text, 0, end):
            self.keys.setdefault((found[1] or found[2] or found[3]).rstrip(), found.start())
        self._from: dict[str, int] = {}
        self._breaks = [at.start() for at in _BREAK.finditer(text, 0, end)]

    def find(self, written: str, key: str) -> tuple[int, int]:
        """Return line and offset of the next place where ``written`` stands in the property ``key``."""
        at_key = self.keys.get(key, 0)
        at = self._text.find(written, self._from.get(key, at_key + len(key)), self._end)
        if at < 0:
            at = at_key
        else:
            self._from[key] = at + len(written)
        return bisect_left(self._breaks, at) + 1, at


def strings_in(name: str, value: Json) -> Iterator[tuple[str, str]]:
    """Yield all texts in a value with their dotted keys, in order; a stack, since YAML may nest without end."""
    pending: list[tuple[str, Json]] = [(name, value)]
    while pending:
        dotted, item = pending.pop()
        if isinstance(item, str):
            yield dotted, item
        elif isinstance(item, list):
            pending.extend((f"{dotted}.{index}", item[index]) for index in range(len(item) - 1, -1, -1))
        elif isinstance(item, dict):
            pending.extend((f"{dotted}.{key}", inner) for key, inner in reversed(item.items()))
