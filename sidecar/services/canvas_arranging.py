"""Canvases laid out anew: all of one, a group, or some cards; what is pinned, or not meant, stays where it is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from sidecar.canvas.card_names import CardNames, keys_of
from sidecar.canvas.codec import dumps
from sidecar.canvas.containment import holders, holds
from sidecar.canvas.edge_labels import label_sizes
from sidecar.canvas.layout.arrange import Drawing, Layout, arrange
from sidecar.canvas.layout.geometry import GRID, Box, Occupied, Size, box_of, enclose, snap
from sidecar.canvas.layout.insert import insert
from sidecar.canvas.layout.nested import HEAD, MARGIN
from sidecar.canvas.layout.sides import facing_sides
from sidecar.canvas.model import Canvas, CanvasEdge, CanvasNode, edge_of, fields_of, node_of
from sidecar.canvas.settle import Unsettled, settle
from sidecar.errors import Invalid
from sidecar.model.note import Json
from sidecar.model.path import VaultPath
from sidecar.services.caller import Caller
from sidecar.services.canvas_reading import titles_on
from sidecar.services.canvas_values import day_in, moments_of
from sidecar.services.canvas_writing import CanvasPlan, CanvasWriter, CanvasWritten
from sidecar.services.views import View

__all__ = ["CanvasArranged", "CanvasArranging"]

_MOST: Final = 400
"""Cards that are laid out in one call."""


@dataclass(frozen=True, slots=True)
class CanvasArranged:
    """A canvas that was laid out anew: how many cards moved, and how many stayed."""

    written: CanvasWritten
    moved: int
    stayed: int


class CanvasArranging:
    """Lays canvases out."""

    def __init__(self, writer: CanvasWriter) -> None:
        self._writer = writer

    async def arrange(
        self,
        caller: Caller,
        *,
        path: str,
        layout: Layout = Layout.AUTO,
        only: Sequence[str] = (),
        pinned: Sequence[str] = (),
        expected_checksum: str | None = None,
        reason: str | None = None,
    ) -> CanvasArranged:
        """Lay out all cards, or what is in the group of ``only``, or these cards; pinned ones stay.

        Raises:
            NotFound, Ambiguous: when the canvas or a card is not there, or a name fits several.
            Invalid: when the cards of ``only`` are not in one group, or there are too many.
            Refused: when the user's rules forbid it.
            Stale: when the canvas is no longer the version of ``expected_checksum``.

        """

        def plan(view: View) -> CanvasPlan[tuple[int, int]]:
            file = self._writer.found.open(view, path)
            self._writer.versions.check(file.path, file.data, expected_checksum)
            board = _Board(view, file.canvas)
            stay = {key for name in pinned for key in board.with_contents(board.names.find(name))}
            chosen = [board.names.find(name) for name in only]
            moves = board.of_all(layout, stay) if not chosen else board.of_some(layout, chosen, stay)
            after = file.source.encode(dumps(board.moved(moves)))
            count = sum(box != board.boxes[key] for key, box in moves.boxes.items())
            summary = f"Arrange {file.path}: {count} cards"
            return CanvasPlan(file.path, file.data, after, summary, (count, len(board.boxes) - count))

        written, (moved, stayed) = await self._writer.write(caller, plan, tool="canvas_arrange", reason=reason)
        return CanvasArranged(written, moved, stayed)


class _Board:
    """A canvas as the layout sees it; what has no place that can be drawn stays out of it."""

    def __init__(self, view: View, canvas: Canvas) -> None:
        self.canvas = canvas
        keys = keys_of(canvas.nodes)
        self.cards = {key: fields_of(node) for key, node in zip(keys, canvas.nodes, strict=True)}
        self.names = CardNames(titles_on(view, canvas))
        for key, card in self.cards.items():
            self.names.add(key, card)
        self.boxes = {key: box for key, card in self.cards.items() if (box := box_of(card))}
        self.groups = {key: box for key, box in self.boxes.items() if self.cards[key].get("type") == "group"}
        self.holder = holders(self.boxes, self.groups)
        self.members: dict[str, list[str]] = {}
        for held, group in self.holder.items():
            self.members.setdefault(group, []).append(held)
        by_id = {str(self.cards[key].get("id")): key for key in reversed(keys)}
        ends = [[by_id.get(str(fields_of(e).get(end))) for end in ("fromNode", "toNode")] for e in canvas.edges]
        self.ends = [(a, b) if a in self.boxes and b in self.boxes else None for a, b in ends]
        self.links = [(str(end[0]), str(end[1])) for end in self.ends if end]
        labelled = zip(self.ends, map(fields_of, canvas.edges), strict=True)
        self.labels = label_sizes(((str(ends[0]), str(ends[1])), edge) for ends, edge in labelled if ends)
        self.view = view

    def with_contents(self, key: str) -> set[str]:
        """Return a card, or a group with all that it holds."""
        found, waiting = {key}, [key]
        for one in waiting:
            more = [card for card in self.members.get(one, ()) if card not in found]
            found.update(more)
            waiting += more
        return found

    def of_all(self, layout: Layout, stay: set[str]) -> Drawing:
        """Lay out everything that is not to stay; groups are drawn around what they hold."""
        free = [key for key in self.boxes if key not in stay]
        if not free:
            return Drawing({})
        fixed = {key: box for key, box in self.boxes.items() if key in stay}
        frames = {key: self.members[key] for key in free if key in self.groups and key in self.members}
        sizes = self._sizes(key for key in free if key not in frames)
        if not fixed:
            drawing = arrange(
                sizes,
                self.links,
                layout=layout,
                groups=frames,
                moments=self._moments(sizes, layout),
                labels=self.labels,
            )
            corner, before = enclose(drawing.boxes.values()), enclose(self.boxes.values())
            dx, dy = -snap(-before.x) - corner.x, -snap(-before.y) - corner.y
            return replace(drawing, boxes={key: box.moved(dx, dy) for key, box in drawing.boxes.items()})
        return settle(Unsettled(sizes, {}, frames), self.links, fixed, [key for key in fixed if key in self.groups])

    def of_some(self, layout: Layout, chosen: Sequence[str], stay: set[str]) -> Drawing:
        """Lay out what is in a group, or some cards; nothing else moves, and the group grows where there is room."""
        frame = chosen[0] if len(chosen) == 1 and chosen[0] in self.groups else None
        meant = list(self.members.get(frame, ())) if frame is not None else list(dict.fromkeys(chosen))
        meant = [key for key in meant if key in self.boxes]
        if len({self.holder.get(key) for key in meant}) > 1:
            raise Invalid("These cards are not all in the same group.", hint="Arrange each group by itself.")
        if not meant:
            return Drawing({})
        within = {key for one in meant for key in self.with_contents(one)}
        if within & stay:
            return self._around_pinned(within, stay, frame or self.holder.get(meant[0]))
        frames = {key: self.members[key] for key in within if key in self.groups and key in self.members}
        sizes = self._sizes(key for key in within if key not in frames)
        links = [(a, b) for a, b in self.links if a in within and b in within]
        drawing = arrange(
            sizes, links, layout=layout, groups=frames, moments=self._moments(sizes, layout), labels=self.labels
        )
        drawn = enclose(drawing.boxes.values())
        if frame is None:
            home = enclose(self.boxes[key] for key in meant)
            spot = self._room(Box(home.x, home.y, drawn.width, drawn.height), home, within, self.holder.get(meant[0]))
            dx, dy = spot.x - drawn.x, spot.y - drawn.y
            return replace(drawing, boxes={key: box.moved(dx, dy) for key, box in drawing.boxes.items()})
        home = self.boxes[frame]
        size = Box(home.x, home.y, snap(drawn.width + 2 * MARGIN), snap(drawn.height + HEAD + MARGIN))
        spot = self._room(size, home, {*within, frame}, self.holder.get(frame))
        dx, dy = spot.x + MARGIN - drawn.x, spot.y + HEAD - drawn.y
        boxes = {key: box.moved(dx, dy) for key, box in drawing.boxes.items()}
        return replace(drawing, boxes={**boxes, frame: spot})

    def _around_pinned(self, within: set[str], stay: set[str], home: str | None) -> Drawing:
        free = [key for key in within if key not in stay and key not in self.groups]
        fixed = {key: box for key, box in self.boxes.items() if key not in free}
        near = {key: [home] for key in free} if home is not None else {key: sorted(within & stay) for key in free}
        return settle(Unsettled(self._sizes(free), near), self.links, fixed, list(self.groups))

    def _room(self, wanted: Box, home: Box, moving: set[str], holder: str | None) -> Box:
        """Return a place of that size where nothing else is: where it was, if it can be, else near to that."""
        around = set()
        while holder is not None and holder not in around:
            around.add(holder)
            holder = self.holder.get(holder)
        frames = [self.boxes[key] for key in around]
        others = {key: box for key, box in self.boxes.items() if key not in moving and key not in around}
        occupied = Occupied(others.values())
        corners = [
            Box(x, y, wanted.width, wanted.height)
            for x in (home.x, home.right - wanted.width)
            for y in (home.y, home.bottom - wanted.height)
        ]
        for spot in corners:
            if occupied.blocker(spot, GRID) is None and all(holds(frame, spot) for frame in frames):
                return spot
        if frames:
            raise Invalid(
                "There is no room for that in the group around it.", hint="Arrange that group, or the whole canvas."
            )
        size = Size(int(wanted.width), int(wanted.height))
        links = {("\0new", self._outermost(b)) for a, b in self.links if a in moving and b not in moving}
        links |= {("\0new", self._outermost(a)) for a, b in self.links if b in moving and a not in moving}
        placed = insert({"\0new": size}, links, others).get("\0new")
        if placed is not None:
            return placed
        below = enclose(others.values())
        return Box(-snap(-below.x), snap(below.bottom + 2 * MARGIN), wanted.width, wanted.height)

    def _outermost(self, key: str) -> str:
        while key in self.holder:
            key = self.holder[key]
        return key

    def _sizes(self, keys: Iterable[str]) -> dict[str, Size]:
        sizes = {key: Size(int(self.boxes[key].width), int(self.boxes[key].height)) for key in keys}
        if len(sizes) > _MOST:
            raise Invalid(
                f"{len(sizes)} cards are too many to be laid out at once; the most are {_MOST}.",
                hint="Arrange one group after the other: only=group.",
            )
        return sizes

    def _moments(self, keys: Iterable[str], layout: Layout) -> Mapping[str, str]:
        """Return the day of each card: that of its note, or the first in its text."""
        if layout is not Layout.TIMELINE:
            return {}
        files = {key: VaultPath(str(file)) for key in keys if (file := self.cards[key].get("file"))}
        days = moments_of(self.view, sorted(set(files.values())))
        found = {key: days[path] for key, path in files.items() if path in days}
        return found | {key: day for key in keys if key not in files and (day := day_in(self.cards[key].get("text")))}

    def moved(self, drawing: Drawing) -> Canvas:
        """Return the canvas with everything in its new place, and lines on the sides that face each other now."""
        boxes = {**self.boxes, **drawing.boxes}
        changed = {key for key, box in drawing.boxes.items() if box != self.boxes[key]}
        nodes = (self._node(key, node, changed, boxes) for key, node in zip(self.cards, self.canvas.nodes, strict=True))
        edges: list[CanvasEdge] = []
        for edge, ends in zip(self.canvas.edges, self.ends, strict=True):
            start, end = (str(ends[0]), str(ends[1])) if ends else ("", "")
            if changed.isdisjoint((start, end)):
                edges.append(edge)
                continue
            sides = drawing.sides.get((start, end)) or facing_sides(boxes[start], boxes[end])
            edges.append(edge_of({**fields_of(edge), "fromSide": sides[0], "toSide": sides[1]}))
        return replace(self.canvas, nodes=tuple(nodes), edges=tuple(edges))

    def _node(self, key: str, node: CanvasNode, changed: set[str], boxes: Mapping[str, Box]) -> CanvasNode:
        if key not in changed:
            return node
        box = boxes[key]
        place: dict[str, Json] = {"x": int(box.x), "y": int(box.y), "width": int(box.width), "height": int(box.height)}
        return node_of({**fields_of(node), **place})
