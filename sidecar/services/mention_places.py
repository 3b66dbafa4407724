"""Mentions with the text around them, read from the files at the moment they are shown."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from sidecar.errors import SidecarError
from sidecar.model.file import checksum
from sidecar.model.note import FileKind, Heading, Json, kind_of
from sidecar.model.path import VaultPath
from sidecar.parse.file import first_part
from sidecar.parse.scanner import headings_of, scan
from sidecar.parse.text import read_text
from sidecar.services.facts import created_in
from sidecar.services.mention import Direction, Mention, Spot
from sidecar.services.new_files import path_of_new_file
from sidecar.services.text_cards import TextCard, text_cards
from sidecar.services.views import View
from sidecar.vault.obsidian_settings import ObsidianSettings

__all__ = ["shown"]

_AROUND = 140
"""Characters of a long line that are shown before and behind a mention."""
_OF_CARD = 200
_CUT = "…"


@dataclass(frozen=True, slots=True)
class _Place:
    line: int
    column: int
    context: str
    start: int
    end: int
    offset: int
    """Where it begins in the text of the file or card."""
    card_text: str | None = None


@dataclass(frozen=True, slots=True)
class _Source:
    """A file as it is now."""

    text: str
    version: str
    cards: dict[str, TextCard]
    title: str
    modified_ns: int
    created_ns: int
    hidden: bool
    is_known: bool
    """Whether the catalog tells of this very text."""


def shown(
    view: View, read: Callable[[VaultPath], bytes], spots: Iterable[Spot], settings: ObsidianSettings
) -> Iterator[Mention]:
    """Go through the mentions of these places; what is gone by now, or in a file that is private now, is left out.

    Where a file has changed since, the mention is shown where it stands now.
    """
    spots = tuple(spots)
    paths = {spot.source for spot in spots}
    titles, properties = view.titles_of(paths), view.properties_of(paths)
    sources: dict[VaultPath, _Source | None] = {}
    for spot in spots:
        if spot.source not in sources:
            path = spot.source
            title = titles.get(path, path.basename)
            sources[path] = _source(view, read, path, title, properties.get(path, {}))
        source = sources[spot.source]
        place = _place(spot, source) if source is not None else None
        if source is None or place is None:
            continue
        yield Mention(
            id=spot.id,
            path=spot.source,
            title=source.title,
            target=spot.target,
            direction=spot.direction,
            kind=spot.kind,
            line=place.line,
            column=place.column,
            context=place.context,
            start=place.start,
            end=place.end,
            as_written=spot.written,
            modified_ns=source.modified_ns,
            created_ns=source.created_ns,
            subpath=spot.subpath,
            alias=spot.display,
            heading=_heading(view, spot, source, place) if spot.direction is Direction.MENTIONS else spot.heading,
            property=spot.property,
            card=spot.card,
            card_text=place.card_text,
            creates=path_of_new_file(settings, spot.linkpath, spot.source) if spot.target is None else None,
            hidden=source.hidden,
        )


def _source(
    view: View, read: Callable[[VaultPath], bytes], path: VaultPath, title: str, properties: Mapping[str, Json]
) -> _Source | None:
    try:
        data = read(path)
    except SidecarError:
        return None
    text = read_text(first_part(data))[0]
    kind = kind_of(path)
    if kind is FileKind.NOTE and not view.sees_text(path, text):
        return None
    cards = {card.id: card for card in text_cards(text)} if kind is FileKind.CANVAS else {}
    state = view.state(path)
    modified, version = state.mtime_ns if state else 0, checksum(data)
    return _Source(
        text,
        version,
        cards,
        title,
        modified,
        created_in(properties, modified),
        view.hides_from_agents(path),
        is_known=state is not None and state.hash == version,
    )


def _heading(view: View, spot: Spot, source: _Source, place: _Place) -> str | None:
    """Return the heading that a name stands under: to find all names no note is read as far as that."""
    headings: Sequence[Heading]
    if spot.card is not None:
        headings = scan(source.cards[spot.card].text).headings
    else:
        headings = view.headings(spot.source) if source.is_known else headings_of(source.text)
    before = bisect_right(headings, place.offset, key=attrgetter("start"))
    return headings[before - 1].text if before else None


def _place(spot: Spot, source: _Source) -> _Place | None:
    if spot.card is None:
        return _in_text(spot, source)
    card = source.cards.get(spot.card)
    if card is None:  # a card that shows a file, or a group with a background
        if source.version != spot.hash and spot.written not in source.text:
            return None
        return _Place(spot.line, 1, spot.written, 0, len(spot.written), spot.start)
    if not card.text.startswith(spot.written, spot.start):
        return None
    place = _around(card.text, spot.start, spot.written, spot.line)
    beginning = card.text if len(card.text) <= _OF_CARD else card.text[: _OF_CARD - 1].rstrip() + _CUT
    return replace(place, card_text=beginning)


def _in_text(spot: Spot, source: _Source) -> _Place | None:
    text = source.text
    if text.startswith(spot.written, spot.start):
        return _around(text, spot.start, spot.written, spot.line)
    if spot.property is not None and source.version == spot.hash:
        # YAML writes the link in another way than it is read.
        return _Place(
            spot.line, 1, _line_at(text, text.rfind("\n", 0, spot.start) + 1)[: 2 * _AROUND], 0, 0, spot.start
        )
    found = text.find(spot.written)
    return _around(text, found, spot.written, text.count("\n", 0, found) + 1) if found >= 0 else None


def _around(text: str, start: int, written: str, number: int) -> _Place:
    line_start = text.rfind("\n", 0, start) + 1
    line = _line_at(text, line_start)
    begin = start - line_start
    end = min(begin + len(written), len(line))
    first, last = max(0, begin - _AROUND), min(len(line), end + _AROUND)
    before = _CUT if first else ""
    context = f"{before}{line[first:last]}{_CUT if last < len(line) else ''}"
    return _Place(number, begin + 1, context, begin - first + len(before), end - first + len(before), start)


def _line_at(text: str, start: int) -> str:
    end = text.find("\n", start)
    return text[start : end if end >= 0 else len(text)].rstrip()
