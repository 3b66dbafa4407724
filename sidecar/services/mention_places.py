"""Mentions with the text around them, read from the files at the moment they are shown."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from sidecar.errors import SidecarError
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.parse.file import first_part
from sidecar.parse.text import read_text
from sidecar.services.facts import created_ns
from sidecar.services.mention import Mention, Spot
from sidecar.services.text_cards import TextCard, text_cards
from sidecar.services.views import View

__all__ = ["shown"]

_AROUND = 140
"""Characters of a long line that are shown before and behind a mention."""
_OF_CARD = 200
_CUT = "…"


@dataclass(frozen=True, slots=True)
class _Place:
    column: int
    context: str
    start: int
    end: int
    card_text: str | None = None


@dataclass(frozen=True, slots=True)
class _Source:
    """A file as it is now."""

    text: str
    cards: dict[str, TextCard]
    title: str
    modified_ns: int
    created_ns: int
    hidden: bool


def shown(view: View, read: Callable[[VaultPath], bytes], spots: Iterable[Spot]) -> Iterator[Mention]:
    """Go through the mentions of these places; those in files that are gone by now, or private, are left out.

    Where a file has changed since, the mention is shown in the line where it stands now, if it still does.
    """
    spots = tuple(spots)
    titles = view.titles_of({spot.source for spot in spots})
    sources: dict[VaultPath, _Source | None] = {}
    for spot in spots:
        if spot.source not in sources:
            sources[spot.source] = _source(view, read, spot.source, titles.get(spot.source, spot.source.basename))
        source = sources[spot.source]
        if source is None:
            continue
        place = _place(spot, source)
        yield Mention(
            id=spot.id,
            path=spot.source,
            title=source.title,
            target=spot.target,
            direction=spot.direction,
            kind=spot.kind,
            line=spot.line,
            column=place.column,
            context=place.context,
            start=place.start,
            end=place.end,
            as_written=spot.written,
            modified_ns=source.modified_ns,
            created_ns=source.created_ns,
            subpath=spot.subpath,
            alias=spot.display,
            heading=spot.heading,
            property=spot.property,
            card=spot.card,
            card_text=place.card_text,
            hidden=source.hidden,
        )


def _source(view: View, read: Callable[[VaultPath], bytes], path: VaultPath, title: str) -> _Source | None:
    try:
        text = read_text(first_part(read(path)))[0]
    except SidecarError:
        return None
    kind = kind_of(path)
    if kind is FileKind.NOTE and not view.sees_text(path, text):
        return None
    cards = {card.id: card for card in text_cards(text)} if kind is FileKind.CANVAS else {}
    state = view.state(path)
    modified = state.mtime_ns if state else 0
    return _Source(text, cards, title, modified, created_ns(view, path, modified), view.hides_from_agents(path))


def _place(spot: Spot, source: _Source) -> _Place:
    if spot.card is None:
        return _in_text(spot, source.text)
    card = source.cards.get(spot.card)
    if card is None:  # a card that shows a file, or a group with a background
        return _Place(1, spot.written, 0, len(spot.written))
    place = _in_text(spot, card.text)
    beginning = card.text if len(card.text) <= _OF_CARD else card.text[: _OF_CARD - 1].rstrip() + _CUT
    return _Place(place.column, place.context, place.start, place.end, beginning)


def _in_text(spot: Spot, text: str) -> _Place:
    start = spot.start
    if not text.startswith(spot.written, start):
        # The file has changed since, or YAML writes a property's link in another way than it is read.
        line_start = _start_of(text, spot.line) if spot.card is None else 0
        found = text.find(spot.written, line_start)
        if found < 0:
            return _Place(1, _line_at(text, line_start)[: 2 * _AROUND], 0, 0)
        start = found
    line_start = text.rfind("\n", 0, start) + 1
    line = _line_at(text, line_start)
    begin = start - line_start
    end = min(begin + len(spot.written), len(line))
    first, last = max(0, begin - _AROUND), min(len(line), end + _AROUND)
    before = _CUT if first else ""
    context = f"{before}{line[first:last]}{_CUT if last < len(line) else ''}"
    return _Place(begin + 1, context, begin - first + len(before), end - first + len(before))


def _line_at(text: str, start: int) -> str:
    end = text.find("\n", start)
    return text[start : end if end >= 0 else len(text)].rstrip()


def _start_of(text: str, line: int) -> int:
    at = 0
    for _ in range(line - 1):
        found = text.find("\n", at)
        if found < 0:
            return at
        at = found + 1
    return at
