"""A map drawn on a canvas or brought up to date there: what a person placed, changed or took away stays so."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sidecar.canvas.model import Canvas
from sidecar.canvas.text_size import text_size
from sidecar.model.note import Json
from sidecar.model.path import VaultPath
from sidecar.services.canvas_lines import MapLine
from sidecar.services.canvas_places import LEGEND, settled
from sidecar.services.canvas_record import id_of
from sidecar.services.canvas_sheet import Fields, Sheet
from sidecar.services.canvas_wanted import WantedCard, WantedMap

__all__ = ["Refreshed", "refreshed"]

_SIDES: Final = ("fromSide", "toSide")


@dataclass(frozen=True, slots=True)
class Refreshed:
    """A canvas with its map, and what was done for that."""

    canvas: Canvas
    added: tuple[VaultPath, ...]
    removed: tuple[VaultPath, ...]
    kept: tuple[VaultPath, ...]
    """Notes that the source no longer names; a person has placed, changed or joined their cards."""
    left_away: tuple[VaultPath, ...]
    """Notes that the source names; a person took their cards away."""
    lines: int
    """How many links are drawn."""


def refreshed(canvas: Canvas, wanted: WantedMap) -> Refreshed:
    """Return the canvas with the map on it.

    What the last run made and nobody changed since follows the wish; it moves only when another layout or grouping is
    asked for, or its group is another now. Everything else on the canvas keeps its place and its bytes. A card that
    stands there for a note, whoever made it, is the note's card.
    """
    work = _Work(canvas, wanted)
    work.take_away()
    work.put_cards()
    work.put_lines()
    settled(work.sheet, wanted)
    return Refreshed(
        work.sheet.canvas_with_record(wanted.wish, wanted.colors),
        tuple(work.added),
        tuple(work.removed),
        tuple(work.kept),
        tuple(work.left_away),
        work.drawn,
    )


class _Work:
    def __init__(self, canvas: Canvas, wanted: WantedMap) -> None:
        self.sheet = Sheet(canvas, wanted.wish)
        self.wanted = wanted
        self.added: list[VaultPath] = []
        self.removed: list[VaultPath] = []
        self.kept: list[VaultPath] = []
        self.left_away: list[VaultPath] = []
        self.drawn = 0

    def take_away(self) -> None:
        """Take away what was made for notes that are no longer wanted, unless a person has made it theirs."""
        wanted = {card.path for card in self.wanted.cards}
        joined = {
            str(edge.get(end))
            for _, edge in self.sheet.edges
            if str(edge.get("id")) not in self.sheet.own_lines
            for end in ("fromNode", "toNode")
        }
        for key in [key for key in self.sheet.cards if key in self.sheet.made]:
            card = self.sheet.cards[key]
            kind = card.get("type")
            if (kind == "group" and key in self.sheet.untouched and self.sheet.redraws) or (
                key == LEGEND and key in self.sheet.untouched and self.wanted.legend is None
            ):
                self.sheet.drop(key)
            elif kind == "file" and card.get("file") not in wanted:
                path = VaultPath(str(card.get("file")))
                if key in self.sheet.untouched and key not in joined:
                    self.sheet.drop(key)
                    self.removed.append(path)
                else:
                    self.kept.append(path)

    def put_cards(self) -> None:
        """Put cards on the canvas for notes that have none, colour those that are ours, and tell what colours mean."""
        for card in self.wanted.cards:
            key = self.sheet.card_of.get(card.path)
            if key is None:
                self._add_card(card)
            elif key in self.sheet.untouched:
                self.sheet.color(key, card.color)
                if self.sheet.redraws:
                    self.sheet.lift(key)
        text = self.wanted.legend
        if text is None or LEGEND in self.sheet.taken:
            return
        if LEGEND not in self.sheet.cards:
            self.sheet.add(LEGEND, {"type": "text", "text": text}, text_size(text))
        elif LEGEND in self.sheet.untouched and (self.sheet.redraws or self.sheet.cards[LEGEND].get("text") != text):
            self.sheet.cards[LEGEND]["text"] = text
            self.sheet.lift(LEGEND, text_size(text))

    def _add_card(self, card: WantedCard) -> None:
        key = id_of("card", card.path)
        if key in self.sheet.taken or key in self.sheet.cards:
            self.left_away.append(card.path)
            return
        self.sheet.add(key, {"type": "file", "file": str(card.path)}, card.size)
        self.sheet.color(key, card.color)
        self.sheet.card_of[card.path] = key
        self.added.append(card.path)

    def put_lines(self) -> None:
        """Draw a line for each link; those a person drew, changed or took away stay as they are."""
        between: dict[frozenset[str], int] = {}
        for number, (_, edge) in enumerate(self.sheet.edges):
            between.setdefault(frozenset({str(edge.get("fromNode")), str(edge.get("toNode"))}), number)
        there, names = len(self.sheet.edges), {str(edge.get("id")) for _, edge in self.sheet.edges}
        wanted: set[int] = set()
        for line in self.wanted.lines:
            start, end = self.sheet.card_of.get(line.start), self.sheet.card_of.get(line.end)
            if start is None or end is None:
                continue
            key = id_of("line", *sorted((line.start, line.end)))
            standing = between.get(frozenset({start, end}))
            if standing is None and key not in self.sheet.taken and key not in names:
                self.sheet.edges.append((None, self._line(key, start, end, line)))
                self.sheet.own_lines.add(key)
                self.drawn += 1
            elif standing is not None:
                wanted.add(standing)
                self.drawn += 1
                old = self.sheet.edges[standing][1]
                if str(old.get("id")) in self.sheet.own_lines:
                    sides: Fields = {side: old[side] for side in _SIDES if side in old}
                    same_way = old.get("fromNode") == start
                    new = self._line(str(old.get("id")), start, end, line)
                    if {k: v for k, v in old.items() if k not in sides} != new:
                        self.sheet.edges[standing] = (None, {**new, **sides} if same_way else new)
        self.sheet.edges = [
            (part, edge)
            for number, (part, edge) in enumerate(self.sheet.edges)
            if number in wanted or number >= there or not self._is_idle(edge)
        ]

    def _is_idle(self, edge: Mapping[str, Json]) -> bool:
        """Tell whether a line is ours, and no longer wanted."""
        name = str(edge.get("id"))
        if name in self.sheet.own_lines:
            self.sheet.made.pop(name, None)
            return True
        return False

    @staticmethod
    def _line(key: str, start: str, end: str, line: MapLine) -> Fields:
        more: Fields = {"fromEnd": "arrow"} if line.both_ways else {}
        return {"id": key, "fromNode": start, "toNode": end, **more, **({"label": line.label} if line.label else {})}
