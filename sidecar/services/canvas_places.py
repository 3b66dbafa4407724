"""Where the cards of a map go: into a group that stands, into a new one, or beside the others."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from sidecar.canvas.edge_labels import label_sizes
from sidecar.canvas.layout.arrange import Drawing, Layout, arrange
from sidecar.canvas.layout.geometry import GAP, GRID, Box, Occupied, Size, box_of, enclose, snap
from sidecar.canvas.layout.nested import HEAD, MARGIN
from sidecar.canvas.layout.sides import facing_sides
from sidecar.canvas.picture import zoom_of
from sidecar.canvas.settle import Unsettled, settle
from sidecar.services.canvas_record import id_of
from sidecar.services.canvas_sheet import Sheet
from sidecar.services.canvas_wanted import WantedMap

__all__ = ["LEGEND", "settled"]

LEGEND: Final = id_of("legend")
_ENOUGH: Final = 0.7
"""Letters of a picture may be smaller by so much where all of a card's text is shown then."""


def settled(sheet: Sheet, wanted: WantedMap) -> None:
    """Give everything on the sheet that needs a place one; groups that hold nothing go."""
    places = _Places(sheet, wanted)
    places.choose_groups()
    places.settle()


class _Places:
    def __init__(self, sheet: Sheet, wanted: WantedMap) -> None:
        self.sheet = sheet
        self.wanted = wanted
        self.homes: dict[str, str] = {}
        """For a card that needs a place the group that stands and shall hold it."""
        self.frames: dict[str, list[str]] = {}
        """The cards of each new group."""

    def choose_groups(self) -> None:
        """Choose the group of each card that needs a place: one that stands, or a new one."""
        standing = {
            str(card.get("label")): key
            for key, card in self.sheet.cards.items()
            if card.get("type") == "group" and box_of(card)
        }
        boxes = {key: box for key, card in self.sheet.cards.items() if (box := box_of(card))}
        for card in self.wanted.cards:
            key = self.sheet.card_of.get(card.path)
            if key is None or card.group is None:
                continue
            home = standing.get(card.group)
            around = _around(boxes.get(key), standing, boxes)
            # Outside of all groups it stands where there was no room in its own.
            is_elsewhere = home not in around and not self.sheet.untouched.isdisjoint(around)
            if key not in self.sheet.sizes and key in self.sheet.untouched and is_elsewhere:
                self.sheet.lift(key)
            if key in self.sheet.sizes and home is not None:
                self.homes[key] = home
            elif key in self.sheet.sizes:
                group = id_of("group", card.group)
                if group not in self.sheet.cards and group not in self.sheet.taken:
                    self.sheet.cards = {group: {"id": group, "type": "group", "label": card.group}, **self.sheet.cards}
                    self.sheet.untouched.add(group)
                if group in self.sheet.cards and not box_of(self.sheet.cards[group]):
                    self.frames.setdefault(group, []).append(key)

    def settle(self) -> None:
        """Give what needs it a place."""
        for group in [key for key in self.sheet.untouched if self._is_empty(key)]:
            self.sheet.drop(group)
        fixed = {
            key: box
            for key, card in self.sheet.cards.items()
            if key not in self.sheet.sizes and key not in self.frames and (box := box_of(card))
        }
        links = [(str(edge.get("fromNode")), str(edge.get("toNode"))) for _, edge in self.sheet.edges]
        known = [(a, b) for a, b in links if a in self.sheet.cards and b in self.sheet.cards]
        drawing = self._drawing(fixed, known)
        for key, box in drawing.boxes.items():
            self.sheet.put(key, box)
        everything = {key: box for key, card in self.sheet.cards.items() if (box := box_of(card))}
        for number, (part, edge) in enumerate(self.sheet.edges):
            ends = str(edge.get("fromNode")), str(edge.get("toNode"))
            is_new = part is None and "fromSide" not in edge
            moved = str(edge.get("id")) in self.sheet.own_lines and not drawing.boxes.keys().isdisjoint(ends)
            if (is_new or moved) and ends[0] in everything and ends[1] in everything:
                sides = drawing.sides.get(ends) or facing_sides(everything[ends[0]], everything[ends[1]])
                self.sheet.edges[number] = (None, {**edge, "fromSide": sides[0], "toSide": sides[1]})
        for group in [key for key in self.frames if key in self.sheet.cards and not box_of(self.sheet.cards[key])]:
            del self.sheet.cards[group]

    def _is_empty(self, key: str) -> bool:
        card = self.sheet.cards[key]
        box = box_of(card)
        if card.get("type") != "group" or box is None or key in self.homes.values():
            return False
        return not any(
            _holds(box, other)
            for name, one in self.sheet.cards.items()
            if name != key and name not in self.sheet.sizes and (other := box_of(one))
        )

    def _drawing(self, fixed: Mapping[str, Box], links: Sequence[tuple[str, str]]) -> Drawing:
        legend = self.sheet.sizes.pop(LEGEND, None)
        if self.homes:
            groups = [key for key in fixed if self.sheet.cards[key].get("type") == "group"]
            near = {card: [home] for card, home in self.homes.items()}
            drawing = settle(Unsettled(self.sheet.sizes, near, self.frames), links, fixed, groups)
            drawing = self._grown(drawing, fixed)
        else:
            moments = {
                key: card.moment
                for card in self.wanted.cards
                if card.moment and (key := self.sheet.card_of.get(card.path))
            }
            layout = Layout(self.wanted.wish.layout)
            labels = label_sizes(((str(e.get("fromNode")), str(e.get("toNode"))), e) for _, e in self.sheet.edges)
            drawing = arrange(
                self.sheet.sizes,
                links,
                layout=layout,
                groups=self.frames,
                fixed=fixed,
                moments=moments,
                labels=labels,
            )
            if not fixed and drawing.boxes:
                frame = enclose(drawing.boxes.values())  # a new map begins where the app looks first
                moved = {key: box.moved(-frame.x, -frame.y) for key, box in drawing.boxes.items()}
                drawing = replace(drawing, boxes=moved)
        if legend is None:
            return drawing
        boxes = {**fixed, **drawing.boxes}
        return replace(drawing, boxes={**drawing.boxes, LEGEND: _corner(_readable(legend, boxes), boxes)})

    def _grown(self, drawing: Drawing, fixed: Mapping[str, Box]) -> Drawing:
        """Let groups of ours grow around cards for which there was no room in them."""
        boxes = {**fixed, **drawing.boxes}
        changed = dict(drawing.boxes)
        outside = {
            card
            for card, home in self.homes.items()
            if home in self.sheet.untouched and card in boxes and not _holds(boxes[home], boxes[card])
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


def _readable(size: Size, boxes: Mapping[str, Box]) -> Size:
    """Return the size of the legend: on a large map larger, so that all of it can be read in a picture of the map."""
    if not boxes:
        return size
    frame = enclose(boxes.values())
    times = max(1.0, _ENOUGH * zoom_of(replace(frame, width=frame.width + 4 * GAP + 2 * size.width)))
    return Size(snap(size.width * times), snap(size.height * times))


def _corner(size: Size, boxes: Mapping[str, Box]) -> Box:
    """Return the place for the legend: left of everything, at the top."""
    left = min((box.x for box in boxes.values()), default=0)
    top = min((box.y for box in boxes.values()), default=0)
    return Box(-snap(-(left - 2 * GAP - size.width)), -snap(-top), size.width, size.height)
