"""A map drawn on a canvas or brought up to date there: what a person placed, changed or took away stays so."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from sidecar.canvas.board import with_field
from sidecar.canvas.card_names import keys_of
from sidecar.canvas.layout.arrange import Drawing, Layout, arrange
from sidecar.canvas.layout.geometry import GAP, GRID, Box, Occupied, Size, box_of, enclose, snap
from sidecar.canvas.layout.nested import HEAD, MARGIN
from sidecar.canvas.layout.sides import facing_sides
from sidecar.canvas.model import (
    NODE_KEY_ORDER,
    Canvas,
    CanvasEdge,
    CanvasNode,
    Edge,
    edge_of,
    fields_of,
    in_order,
    node_of,
)
from sidecar.canvas.settle import Unsettled, settle
from sidecar.canvas.text_size import text_size
from sidecar.model.note import Json
from sidecar.model.path import VaultPath
from sidecar.services.canvas_lines import MapLine
from sidecar.services.canvas_record import MapRecord, MapWish, digest_of, id_of, record_of, with_record

__all__ = ["Refreshed", "WantedCard", "WantedMap", "refreshed"]

_Fields = dict[str, Json]
_LEGEND: Final = id_of("legend")
_SIDES: Final = ("fromSide", "toSide")


@dataclass(frozen=True, slots=True)
class WantedCard:
    """A note that is to be on the map."""

    path: VaultPath
    size: Size
    color: str | None = None
    group: str | None = None
    moment: str | None = None


@dataclass(frozen=True, slots=True)
class WantedMap:
    """A map as it ought to be, without places."""

    wish: MapWish
    cards: Sequence[WantedCard]
    lines: Sequence[MapLine]
    legend: str | None = None
    colors: Mapping[str, str] = field(default_factory=dict)


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
    work.put_groups()
    work.place()
    return work.result()


class _Work:
    def __init__(self, canvas: Canvas, wanted: WantedMap) -> None:
        self.canvas = canvas
        self.wanted = wanted
        keys = keys_of(canvas.nodes)
        self.parts: dict[str, CanvasNode] = dict(zip(keys, canvas.nodes, strict=True))
        self.cards: dict[str, _Fields] = {key: dict(fields_of(node)) for key, node in self.parts.items()}
        self.edges: list[tuple[CanvasEdge | None, _Fields]] = [(edge, dict(fields_of(edge))) for edge in canvas.edges]
        record = record_of(canvas)
        present = {str(part.get("id")) for part in (*self.cards.values(), *(edge for _, edge in self.edges))}
        # Who took all of it away wants no map, or a new one: nothing is held back then.
        if record is None or (record.made and present.isdisjoint(record.made)):
            record = MapRecord(wanted.wish)
        old, new = record.wish, wanted.wish
        self.redraws = bool(record.made) and (old.layout, old.group_by) != (new.layout, new.group_by)
        self.made = dict(record.made)
        self.taken = dict.fromkeys((*record.gone, *(one for one in record.made if one not in present)))
        self.untouched = {
            key for key, card in self.cards.items() if key in self.made and self.made[key] == digest_of(card)
        }
        self.own_lines = {
            str(edge.get("id")) for _, edge in self.edges if self.made.get(str(edge.get("id")), "") == digest_of(edge)
        }
        self.card_of: dict[str, str] = {}
        for key, card in self.cards.items():
            if card.get("type") == "file" and isinstance(card.get("file"), str):
                self.card_of.setdefault(str(card["file"]), key)
        self.sizes: dict[str, Size] = {}
        """Cards that need a place."""
        self.homes: dict[str, str] = {}
        """For a card that needs a place the group that stands and shall hold it."""
        self.frames: dict[str, list[str]] = {}
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
            for _, edge in self.edges
            if str(edge.get("id")) not in self.own_lines
            for end in ("fromNode", "toNode")
        }
        for key in [key for key in self.cards if key in self.made]:
            card = self.cards[key]
            kind = card.get("type")
            if (kind == "group" and key in self.untouched and self.redraws) or (
                key == _LEGEND and key in self.untouched and self.wanted.legend is None
            ):
                self._drop(key)
            elif kind == "file" and card.get("file") not in wanted:
                path = VaultPath(str(card.get("file")))
                if key in self.untouched and key not in joined:
                    self._drop(key)
                    self.removed.append(path)
                else:
                    self.kept.append(path)

    def _drop(self, key: str) -> None:
        del self.cards[key]
        self.made.pop(key, None)
        self.untouched.discard(key)
        self.card_of = {path: card for path, card in self.card_of.items() if card != key}
        for _, edge in [one for one in self.edges if key in (one[1].get("fromNode"), one[1].get("toNode"))]:
            self.made.pop(str(edge.get("id")), None)
        self.edges = [one for one in self.edges if key not in (one[1].get("fromNode"), one[1].get("toNode"))]

    def put_cards(self) -> None:
        """Put cards on the canvas for notes that have none, colour those that are ours, and tell what colours mean."""
        for card in self.wanted.cards:
            key = self.card_of.get(card.path)
            if key is None:
                self._add_card(card)
            elif key in self.untouched:
                self._color(key, card.color)
                if self.redraws:
                    self._lift(key)
        text = self.wanted.legend
        if text is None or _LEGEND in self.taken:
            return
        if _LEGEND not in self.cards:
            self._new(_LEGEND, {"type": "text", "text": text}, text_size(text))
        elif _LEGEND in self.untouched and (self.redraws or self.cards[_LEGEND].get("text") != text):
            self.cards[_LEGEND]["text"] = text
            self._lift(_LEGEND, text_size(text))

    def _add_card(self, card: WantedCard) -> None:
        key = id_of("card", card.path)
        if key in self.taken or key in self.cards:
            self.left_away.append(card.path)
            return
        self._new(key, {"type": "file", "file": str(card.path)}, card.size)
        self._color(key, card.color)
        self.card_of[card.path] = key
        self.added.append(card.path)

    def _new(self, key: str, fields: _Fields, size: Size) -> None:
        self.cards[key] = {"id": key, **fields}
        self.untouched.add(key)
        self.sizes[key] = size

    def _color(self, key: str, color: str | None) -> None:
        card = self.cards[key]
        if color is None:
            card.pop("color", None)
        elif card.get("color") != color:
            self.cards[key] = with_field(card, "color", color, NODE_KEY_ORDER[str(card["type"])])

    def _lift(self, key: str, size: Size | None = None) -> None:
        """Take a card of ours from its place, so that it gets another one."""
        box = box_of(self.cards[key])
        size = size or (Size(int(box.width), int(box.height)) if box else None)
        if size is not None:
            self.sizes[key] = size

    def put_lines(self) -> None:
        """Draw a line for each link; those a person drew, changed or took away stay as they are."""
        between: dict[frozenset[str], int] = {}
        for number, (_, edge) in enumerate(self.edges):
            between.setdefault(frozenset({str(edge.get("fromNode")), str(edge.get("toNode"))}), number)
        there, names = len(self.edges), {str(edge.get("id")) for _, edge in self.edges}
        wanted: set[int] = set()
        for line in self.wanted.lines:
            start, end = self.card_of.get(line.start), self.card_of.get(line.end)
            if start is None or end is None:
                continue
            key = id_of("line", *sorted((line.start, line.end)))
            standing = between.get(frozenset({start, end}))
            if standing is None and key not in self.taken and key not in names:
                self.edges.append((None, self._line(key, start, end, line)))
                self.own_lines.add(key)
                self.drawn += 1
            elif standing is not None:
                wanted.add(standing)
                self.drawn += 1
                old = self.edges[standing][1]
                if str(old.get("id")) in self.own_lines:
                    sides: _Fields = {side: old[side] for side in _SIDES if side in old}
                    same_way = old.get("fromNode") == start
                    new = self._line(str(old.get("id")), start, end, line)
                    if {k: v for k, v in old.items() if k not in sides} != new:
                        self.edges[standing] = (None, {**new, **sides} if same_way else new)
        self.edges = [
            (part, edge)
            for number, (part, edge) in enumerate(self.edges)
            if number in wanted or number >= there or not self._is_idle(edge)
        ]

    def _is_idle(self, edge: Mapping[str, Json]) -> bool:
        """Tell whether a line is ours, and no longer wanted."""
        name = str(edge.get("id"))
        if name in self.own_lines:
            self.made.pop(name, None)
            return True
        return False

    @staticmethod
    def _line(key: str, start: str, end: str, line: MapLine) -> _Fields:
        more: _Fields = {"fromEnd": "arrow"} if line.both_ways else {}
        return {"id": key, "fromNode": start, "toNode": end, **more, **({"label": line.label} if line.label else {})}

    def put_groups(self) -> None:
        """Choose the group of each card that needs a place: one that stands, or a new one."""
        standing = {
            str(card.get("label")): key
            for key, card in self.cards.items()
            if card.get("type") == "group" and box_of(card)
        }
        boxes = {key: box for key, card in self.cards.items() if (box := box_of(card))}
        for card in self.wanted.cards:
            key = self.card_of.get(card.path)
            if key is None or card.group is None:
                continue
            home = standing.get(card.group)
            around = _around(boxes.get(key), standing, boxes)
            # Outside of all groups it stands where there was no room in its own.
            is_elsewhere = home not in around and not self.untouched.isdisjoint(around)
            if key not in self.sizes and key in self.untouched and is_elsewhere:
                self._lift(key)
            if key in self.sizes and home is not None:
                self.homes[key] = home
            elif key in self.sizes:
                group = id_of("group", card.group)
                if group not in self.cards and group not in self.taken:
                    self.cards = {group: {"id": group, "type": "group", "label": card.group}, **self.cards}
                    self.untouched.add(group)
                if group in self.cards and not box_of(self.cards[group]):
                    self.frames.setdefault(group, []).append(key)

    def place(self) -> None:
        """Give what needs it a place."""
        for group in [key for key in self.untouched if self._is_empty(key)]:
            self._drop(group)
        fixed = {
            key: box
            for key, card in self.cards.items()
            if key not in self.sizes and key not in self.frames and (box := box_of(card))
        }
        links = [(str(edge.get("fromNode")), str(edge.get("toNode"))) for _, edge in self.edges]
        known = [(a, b) for a, b in links if a in self.cards and b in self.cards]
        drawing = self._drawing(fixed, known)
        for key, box in drawing.boxes.items():
            self._put(key, box)
        everything = {key: box for key, card in self.cards.items() if (box := box_of(card))}
        for number, (part, edge) in enumerate(self.edges):
            ends = str(edge.get("fromNode")), str(edge.get("toNode"))
            is_new = part is None and "fromSide" not in edge
            moved = str(edge.get("id")) in self.own_lines and not drawing.boxes.keys().isdisjoint(ends)
            if (is_new or moved) and ends[0] in everything and ends[1] in everything:
                sides = drawing.sides.get(ends) or facing_sides(everything[ends[0]], everything[ends[1]])
                self.edges[number] = (None, {**edge, "fromSide": sides[0], "toSide": sides[1]})

    def _is_empty(self, key: str) -> bool:
        card = self.cards[key]
        box = box_of(card)
        if card.get("type") != "group" or box is None or key in self.homes.values():
            return False
        return not any(
            _holds(box, other)
            for name, one in self.cards.items()
            if name != key and name not in self.sizes and (other := box_of(one))
        )

    def _drawing(self, fixed: Mapping[str, Box], links: Sequence[tuple[str, str]]) -> Drawing:
        legend = self.sizes.pop(_LEGEND, None)
        if self.homes:
            groups = [key for key in fixed if self.cards[key].get("type") == "group"]
            near = {card: [home] for card, home in self.homes.items()}
            drawing = settle(Unsettled(self.sizes, near, self.frames), links, fixed, groups)
            drawing = self._grown(drawing, fixed)
        else:
            moments = {
                key: card.moment for card in self.wanted.cards if card.moment and (key := self.card_of.get(card.path))
            }
            layout = Layout(self.wanted.wish.layout)
            drawing = arrange(self.sizes, links, layout=layout, groups=self.frames, fixed=fixed, moments=moments)
            if not fixed and drawing.boxes:
                frame = enclose(drawing.boxes.values())  # a new map begins where the app looks first
                moved = {key: box.moved(-frame.x, -frame.y) for key, box in drawing.boxes.items()}
                drawing = replace(drawing, boxes=moved)
        if legend is None:
            return drawing
        return replace(drawing, boxes={**drawing.boxes, _LEGEND: _corner(legend, {**fixed, **drawing.boxes})})

    def _grown(self, drawing: Drawing, fixed: Mapping[str, Box]) -> Drawing:
        """Let groups of ours grow around cards for which there was no room in them."""
        boxes = {**fixed, **drawing.boxes}
        changed = dict(drawing.boxes)
        outside = {
            card
            for card, home in self.homes.items()
            if home in self.untouched and card in boxes and not _holds(boxes[home], boxes[card])
        }
        for card in sorted(outside):
            home = self.homes[card]
            frame = boxes[home]
            others = Occupied(
                box for key, box in boxes.items() if key != home and key not in outside and not _holds(frame, box)
            )
            for spot, larger in _larger(frame, boxes[card]):
                if others.blocker(larger, GRID) is None:
                    boxes[card] = changed[card] = spot
                    boxes[home] = changed[home] = larger
                    break
            outside.discard(card)
        return replace(drawing, boxes=changed)

    def _put(self, key: str, box: Box) -> None:
        place: _Fields = {"x": int(box.x), "y": int(box.y), "width": int(box.width), "height": int(box.height)}
        self.cards[key] = {**self.cards[key], **place}

    def result(self) -> Refreshed:
        """Return the canvas, and what is to be known in the next run."""
        for key in [key for key in self.cards if key in self.frames and not box_of(self.cards[key])]:
            del self.cards[key]
        made = dict.fromkeys(self.made, "")
        made |= {key: digest_of(self.cards[key]) for key in self.untouched if key in self.cards}
        lines = {str(edge.get("id")): edge for _, edge in self.edges}
        made |= {key: digest_of(lines[key]) for key in self.own_lines if key in lines}
        present = self.cards.keys() | lines.keys()
        record = MapRecord(
            self.wanted.wish,
            {key: digest for key, digest in made.items() if key in present},
            tuple(sorted(self.taken)),
            self.wanted.colors,
        )
        nodes = tuple(self._node(key, card) for key, card in self.cards.items())
        edges = tuple(
            part if part is not None else edge_of(in_order(edge, Edge.key_order)) for part, edge in self.edges
        )
        canvas = with_record(replace(self.canvas, nodes=nodes, edges=edges), record)
        return Refreshed(
            canvas,
            tuple(self.added),
            tuple(self.removed),
            tuple(self.kept),
            tuple(self.left_away),
            self.drawn,
        )

    def _node(self, key: str, card: _Fields) -> CanvasNode:
        part = self.parts.get(key)
        if part is not None and fields_of(part) == card:
            return part
        return node_of(card if part is not None else in_order(card, NODE_KEY_ORDER[str(card["type"])]))


def _around(box: Box | None, groups: Mapping[str, str], boxes: Mapping[str, Box]) -> list[str]:
    return [key for key in groups.values() if box is not None and _holds(boxes[key], box)]


def _holds(frame: Box, box: Box) -> bool:
    inside = frame.x <= box.x and frame.y <= box.y and box.right <= frame.right and box.bottom <= frame.bottom
    return inside and frame != box


def _larger(frame: Box, card: Box) -> list[tuple[Box, Box]]:
    """Return the places around what a group holds, each with the frame that would hold it too."""
    left, top, right, bottom = frame.x + MARGIN, frame.y + HEAD, frame.right - MARGIN, frame.bottom - MARGIN
    spots = (
        (left, snap(bottom + GAP)),
        (snap(right + GAP), top),
        (-snap(card.width + GAP - left), top),
        (left, -snap(card.height + GAP - top)),
    )
    places = [Box(x, y, card.width, card.height) for x, y in spots]
    return [(place, _stretched(frame, place)) for place in places]


def _stretched(frame: Box, card: Box) -> Box:
    """Return the frame as it has to be to hold a card too, with its margins."""
    x, y = min(frame.x, card.x - MARGIN), min(frame.y, card.y - HEAD)
    right, bottom = max(frame.right, card.right + MARGIN), max(frame.bottom, card.bottom + MARGIN)
    return Box(x, y, right - x, bottom - y)


def _corner(size: Size, boxes: Mapping[str, Box]) -> Box:
    """Return the place for the legend: left of everything, at the top."""
    left = min((box.x for box in boxes.values()), default=0)
    top = min((box.y for box in boxes.values()), default=0)
    return Box(-snap(-(left - 2 * GAP - size.width)), -snap(-top), size.width, size.height)
