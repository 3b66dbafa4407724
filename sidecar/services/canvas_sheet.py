"""A canvas while its map is brought up to date: its cards and lines, which of them are ours, and what needs a place."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from sidecar.canvas.board import with_field
from sidecar.canvas.card_names import keys_of
from sidecar.canvas.layout.geometry import Box, Size, box_of
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
from sidecar.model.note import Json
from sidecar.services.canvas_record import MapRecord, MapWish, digest_of, record_of, with_record

__all__ = ["Fields", "Sheet"]

Fields: TypeAlias = dict[str, Json]


class Sheet:
    """What stands on a canvas; ours is what the last run made and nobody changed since."""

    def __init__(self, canvas: Canvas, wish: MapWish) -> None:
        self.canvas = canvas
        keys = keys_of(canvas.nodes)
        self.parts: dict[str, CanvasNode] = dict(zip(keys, canvas.nodes, strict=True))
        self.cards: dict[str, Fields] = {key: dict(fields_of(node)) for key, node in self.parts.items()}
        self.edges: list[tuple[CanvasEdge | None, Fields]] = [(edge, dict(fields_of(edge))) for edge in canvas.edges]
        record = record_of(canvas)
        present = {str(part.get("id")) for part in (*self.cards.values(), *(edge for _, edge in self.edges))}
        # Who took all of it away wants no map, or a new one: nothing is held back then.
        if record is None or (record.made and present.isdisjoint(record.made)):
            record = MapRecord(wish)
        old, new = record.wish, wish
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

    def drop(self, key: str) -> None:
        """Take a card away, with its lines."""
        del self.cards[key]
        self.made.pop(key, None)
        self.untouched.discard(key)
        self.card_of = {path: card for path, card in self.card_of.items() if card != key}
        for _, edge in [one for one in self.edges if key in (one[1].get("fromNode"), one[1].get("toNode"))]:
            self.made.pop(str(edge.get("id")), None)
        self.edges = [one for one in self.edges if key not in (one[1].get("fromNode"), one[1].get("toNode"))]

    def add(self, key: str, fields: Fields, size: Size) -> None:
        """Put a card of ours on the canvas; it needs a place."""
        self.cards[key] = {"id": key, **fields}
        self.untouched.add(key)
        self.sizes[key] = size

    def color(self, key: str, color: str | None) -> None:
        """Give a card a colour, or none."""
        card = self.cards[key]
        if color is None:
            card.pop("color", None)
        elif card.get("color") != color:
            self.cards[key] = with_field(card, "color", color, NODE_KEY_ORDER[str(card["type"])])

    def lift(self, key: str, size: Size | None = None) -> None:
        """Take a card of ours from its place, so that it gets another one."""
        box = box_of(self.cards[key])
        size = size or (Size(int(box.width), int(box.height)) if box else None)
        if size is not None:
            self.sizes[key] = size

    def put(self, key: str, box: Box) -> None:
        """Put a card in its place."""
        place: Fields = {"x": int(box.x), "y": int(box.y), "width": int(box.width), "height": int(box.height)}
        self.cards[key] = {**self.cards[key], **place}

    def canvas_with_record(self, wish: MapWish, colors: Mapping[str, str]) -> Canvas:
        """Return the canvas, with what is to be known in the next run."""
        made = dict.fromkeys(self.made, "")
        made |= {key: digest_of(self.cards[key]) for key in self.untouched if key in self.cards}
        lines = {str(edge.get("id")): edge for _, edge in self.edges}
        made |= {key: digest_of(lines[key]) for key in self.own_lines if key in lines}
        present = self.cards.keys() | lines.keys()
        record = MapRecord(
            wish,
            {key: digest for key, digest in made.items() if key in present},
            tuple(sorted(self.taken)),
            colors,
        )
        nodes = tuple(self._node(key, card) for key, card in self.cards.items())
        edges = tuple(
            part if part is not None else edge_of(in_order(edge, Edge.key_order)) for part, edge in self.edges
        )
        return with_record(replace(self.canvas, nodes=nodes, edges=edges), record)

    def _node(self, key: str, card: Fields) -> CanvasNode:
        part = self.parts.get(key)
        if part is not None and fields_of(part) == card:
            return part
        return node_of(card if part is not None else in_order(card, NODE_KEY_ORDER[str(card["type"])]))
