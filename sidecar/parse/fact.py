"""Observations ``- [category] text #tag (context)`` and relations ``- type [[Target]] (context)`` of list items.

Both are read from the first line of an item outside of quotes. One character in brackets is a task (contract B25), and
a callout, a footnote, a link, a date or a time of day is no category. A bullet of prose that mentions a link is no
relation: before the link stands one word, or several in quotes, and behind it nothing but the context.
"""

import re
from collections.abc import Iterable

from sidecar.model.note import Observation, Relation
from sidecar.parse.block_id import without_block_id
from sidecar.parse.scanner import Item
from sidecar.parse.tag import FoundTag
from sidecar.parse.wikilink import WIKILINK, wikilink_target

__all__ = ["observations_of", "relations_of"]

_CATEGORY = re.compile(r"\[(?![!^])([^\[\]()\r\n]{2,})\][ \t]++(?=\S)")
_CLOCK = re.compile(r"\d+:\d\d")
_TYPE = re.compile(
    r"""(?:"([^"\[\]\r\n]++)"|'([^'\[\]\r\n]++)'|(?=[^\W\d_])([^\s!-,.-/:-@\[-^`{-~]++))[ \t]++(?=\[\[)"""
)


def observations_of(text: str, items: Iterable[Item], tags: Iterable[FoundTag]) -> tuple[Observation, ...]:
    """Return the observations among the list items of a text."""
    found = []
    for item in items:
        if item.quoted or not text.startswith("[", item.start):
            continue
        match = _CATEGORY.match(text, item.start, item.end)
        category = match[1].strip() if match else ""
        if match and len(category) > 1 and _is_category(category):
            said = text[match.end() : item.end]
            content, context = _split_context(said)
            if not content:
                content, context = said.strip(), None
            found.append((category, content, context, match.end(), item))
    if not found:
        return ()
    by_line: dict[int, list[FoundTag]] = {}
    for tag in tags:
        by_line.setdefault(tag.line, []).append(tag)
    return tuple(
        [
            Observation(
                category,
                content,
                tuple([tag.name for tag in by_line.get(item.line, ()) if tag.start >= start]),
                context,
                item.line,
            )
            for category, content, context, start, item in found
        ]
    )


def relations_of(text: str, items: Iterable[Item]) -> tuple[Relation, ...]:
    """Return the relations among the list items of a text."""
    found = []
    for item in items:
        if item.quoted or not (kind := _TYPE.match(text, item.start, item.end)):
            continue
        link = WIKILINK.match(text, kind.end(), item.end)
        name = (kind[1] or kind[2] or kind[3]).strip()
        if not link or not name or not wikilink_target(link[1]):
            continue
        rest, context = _split_context(text[link.end() : item.end])
        if not rest:
            found.append(Relation(name, link[1], context, item.line))
    return tuple(found)


def _is_category(text: str) -> bool:
    return any(map(str.isalpha, text)) and not _CLOCK.match(text)


def _split_context(text: str) -> tuple[str, str | None]:
    """Cut the last balanced parentheses off a line; a block id behind them is no part of either."""
    text = without_block_id(text.strip())
    if not text.endswith(")"):
        return text, None
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        if text[at] == ")":
            depth += 1
        elif text[at] == "(":
            depth -= 1
            if depth == 0:
                opens = at == 0 or text[at - 1].isspace()
                context = text[at + 1 : -1].strip()
                return (text[:at].rstrip(), context) if opens and context else (text, None)
    return text, None
