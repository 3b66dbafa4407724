"""A canvas while it is being edited: cards by key, edges, and what changed or still needs a place."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sidecar.canvas.card_names import CardNames, keys_of
from sidecar.canvas.containment import holds
from sidecar.canvas.ids import IdMaker
from sidecar.canvas.layout.geometry import Box, box_of
from sidecar.canvas.layout.sides import Sides, facing_sides
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
from sidecar.errors import Invalid, NotFound
from sidecar.model.note import Json
from sidecar.model.path import VaultPath

__all__ = ["Board", "Named", "with_field"]


@dataclass(frozen=True, slots=True)
class Named:
    """A card or group, and what to call it."""

    id: str
    name: str


def with_field(card: Mapping[str, Json], name: str, value: Json, order: Sequence[str]) -> dict[str, Json]:
    """Return a card or edge with a field set: in its place, a new one behind the field that it follows (J3)."""
    if name in card:
        return {**card, name: value}
    earlier = order[: order.index(name)] if name in order else ()
    before = next((key for key in reversed(earlier) if key in card), None)
    if before is None:
        return {**card, name: value}
    grown: dict[str, Json] = {}
    for key, content in card.items():
        grown[key] = content
        if key == before:
            grown[name] = value
    return grown


class Board:
    """One canvas under change.

    A card's key is its id, or its place in the list when it has none of its own. What is not changed keeps its bytes.
    """

    def __init__(self, canvas: Canvas, path: VaultPath, titles: Mapping[str, str]) -> None:
        self._canvas = canvas
        keys = keys_of(canvas.nodes)
        self._parts = dict(zip(keys, canvas.nodes, strict=True))
        self.cards: dict[str, dict[str, Json]] = {key: dict(fields_of(node)) for key, node in self._parts.items()}
        self._lines = {str(number): edge for number, edge in enumerate(canvas.edges)}
        self.edges: dict[str, dict[str, Json]] = {key: dict(fields_of(edge)) for key, edge in self._lines.items()}
        parts = [*self.cards.values(), *self.edges.values()]
        self.taken = {part_id for part in parts if isinstance(part_id := part.get("id"), str)}
        self._shared = {
            name for name, count in Counter(str(card.get("id")) for card in self.cards.values()).items() if count > 1
        }
        self.maker = IdMaker(path, self.taken)
        self._names = CardNames(titles)
        for key, card in self.cards.items():
            self._names.add(key, card)
        self.ids: dict[str, str] = {}
        self.frames: dict[str, list[str]] = {}
        """New groups that are still to be drawn around what they shall hold."""
        self.floating: dict[str, list[str]] = {}
        """Cards that need a place, with what they shall be near."""
        self.recolored: set[str] = set()
        """Edges that were there and have another colour now."""
        self._given_ids: dict[str, str] = {}
        self._new: dict[str, None] = {}
        self._changed: dict[str, None] = {}

    @property
    def added(self) -> list[str]:
        """The new cards and groups."""
        return list(self._new)

    @property
    def changed(self) -> list[str]:
        """The cards that were there and are others now."""
        return list(self._changed)

    def find(self, name: str) -> str:
        """Return the key of the card that is called so, also by the name that an earlier call had for its id.

        Raises:
            NotFound: when there is none.
            Ambiguous: when there are several.

        """
        try:
            return self._names.find(name)
        except NotFound:
            stored = self.maker.of_name(name)
            if stored in self.cards:
                return stored
            raise

    def named(self, key: str) -> Named:
        """Return what to call a card."""
        return Named(str(self.cards[key].get("id") or key), self._names.shown(key))

    def own_id(self, key: str) -> str:
        """Return the id by which an edge can name a card.

        Raises:
            Invalid: when the card has none, or shares it.

        """
        name = self.cards[key].get("id")
        if not isinstance(name, str) or not name or name in self._shared:
            raise Invalid(f"The card '{key}' has no id of its own, so that no edge can lead to it.")
        return name

    def type_of(self, key: str) -> str:
        """Return a card's type, ``""`` when it has none."""
        return str(self.cards[key].get("type") or "")

    def box(self, key: str) -> Box | None:
        """Return where a card stands, ``None`` for one that still needs a place."""
        return None if key in self.floating or key in self.frames else box_of(self.cards[key])

    def boxes(self) -> dict[str, Box]:
        """Return where everything stands that has a place."""
        return {key: box for key in self.cards if (box := self.box(key))}

    def groups(self) -> Iterator[str]:
        """Yield the groups."""
        return (key for key in self.cards if self.type_of(key) == "group")

    def add(self, card: dict[str, Json], given_id: str) -> str:
        """Put a new card on the canvas and return its key.

        Raises:
            Invalid: when its id is taken.

        """
        key = self.maker.of_name(given_id) if given_id else self.maker.of_content(card)
        if key in self.taken:
            raise Invalid(
                f"The id '{given_id}' is taken.",
                hint="Choose another, or change the card that has it with 'update'.",
                candidates=[key],
            )
        if given_id:
            self.ids[given_id] = key
            self._given_ids[key] = given_id
        self.taken.add(key)
        self.cards[key] = {"id": key, **card}
        self._new[key] = None
        self._names.add(key, self.cards[key], *((given_id,) if given_id else ()))
        return key

    def put(self, key: str, card: dict[str, Json]) -> None:
        """Replace a card's fields."""
        if card == self.cards[key]:
            return
        self._names.forget(key)
        self.cards[key] = card
        self._names.add(key, card, *((self._given_ids[key],) if key in self._given_ids else ()))
        if key not in self._new:
            self._changed[key] = None

    def remove(self, key: str) -> None:
        """Take a card away with its edges; those to a card that shares its id stay."""
        name = self.cards.pop(key).get("id")
        self._names.forget(key)
        for held in (self.floating, self.frames, self._new, self._changed):
            held.pop(key, None)
        for lists in (self.floating, self.frames):
            for other, names in lists.items():
                lists[other] = [one for one in names if one != key]
        for frame in [frame for frame, members in self.frames.items() if not members]:
            self.remove(frame)
        if name is not None and name not in self._shared:
            ends = ((line, edge.get("fromNode"), edge.get("toNode")) for line, edge in self.edges.items())
            for line in [line for line, start, end in ends if name in (start, end)]:
                del self.edges[line]

    def connect(self, edge: dict[str, Json]) -> str:
        """Draw a new edge and return its key."""
        key = self.maker.of_content(edge)
        self.taken.add(key)
        self.edges[key] = {"id": key, **edge}
        return key

    def links(self) -> list[tuple[str, str]]:
        """Return the edges by the keys of their cards."""
        by_id: dict[Json, str] = {str(card.get("id")): key for key, card in reversed(self.cards.items())}
        ends = [(by_id.get(str(e.get("fromNode"))), by_id.get(str(e.get("toNode")))) for e in self.edges.values()]
        return [(start, end) for start, end in ends if start and end]

    def canvas(self, sides: Sides) -> Canvas:
        """Return the canvas as it is now: new groups below what they hold, everything else new on top."""
        nodes = [key for key in self.cards if key not in self._new or self.type_of(key) != "group"]
        boxes = self.boxes()
        frames = [key for key in self.cards if key not in nodes]
        for frame in sorted(frames, key=lambda key: -_area(boxes.get(key))):
            nodes.insert(self._lowest_within(boxes.get(frame), frame, nodes, boxes), frame)
        by_id = {str(self.cards[key].get("id")): box for key, box in reversed(boxes.items())}
        for line, edge in self.edges.items():
            if line in self._lines:
                continue
            start, end = by_id.get(str(edge["fromNode"])), by_id.get(str(edge["toNode"]))
            if start and end:
                found = sides.get((str(edge["fromNode"]), str(edge["toNode"])))
                edge["fromSide"], edge["toSide"] = found or facing_sides(start, end)
        return replace(
            self._canvas,
            nodes=tuple(self._part(key) for key in nodes),
            edges=tuple(self._line(key) for key in self.edges),
        )

    @staticmethod
    def _lowest_within(frame: Box | None, key: str, nodes: Sequence[str], boxes: Mapping[str, Box]) -> int:
        within = (
            number
            for number, other in enumerate(nodes)
            if frame and other != key and other in boxes and holds(frame, boxes[other])
        )
        return next(within, len(nodes))

    def _part(self, key: str) -> CanvasNode:
        card = self.cards[key]
        if key in self._new:
            return node_of(in_order(card, NODE_KEY_ORDER[self.type_of(key)]))
        return node_of(card) if key in self._changed else self._parts[key]

    def _line(self, key: str) -> CanvasEdge:
        line = self._lines.get(key)
        if line is not None and fields_of(line) == self.edges[key]:
            return line
        return edge_of(self.edges[key] if line else in_order(self.edges[key], Edge.key_order))


def _area(box: Box | None) -> float:
    return box.width * box.height if box else 0.0
