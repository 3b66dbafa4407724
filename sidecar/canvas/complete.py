"""A whole canvas from what an agent gave: ids, types, sizes, places and sides are filled in (contract J3-J8)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from sidecar.canvas.defaults import EDGE_DEFAULTS, MEMBERS, NODE_DEFAULTS, natural_size, rounded, type_of, without
from sidecar.canvas.edge_labels import label_sizes
from sidecar.canvas.ids import IdMaker
from sidecar.canvas.layout.arrange import arrange
from sidecar.canvas.layout.geometry import GEOMETRY, Box, Size, box_of
from sidecar.canvas.layout.sides import Sides, facing_sides
from sidecar.canvas.model import NODE_KEY_ORDER, Canvas, Edge, edge_of, in_order, node_of
from sidecar.model.note import Json
from sidecar.model.path import VaultPath

__all__ = ["Completed", "complete"]

_Fields = dict[str, Json]

_NO_ID: Final = (None, "")


@dataclass(frozen=True, slots=True)
class Completed:
    """A canvas ready to be checked and written."""

    canvas: Canvas
    ids: Mapping[str, str]
    """The id that was stored for each id of the caller's, where they differ."""

    @property
    def names(self) -> Mapping[str, str]:
        """The caller's id for each stored one: what :func:`sidecar.canvas.check.check` should call them."""
        return {new: old for old, new in self.ids.items()}


def complete(nodes: Sequence[Mapping[str, Json]], edges: Sequence[Mapping[str, Json]], path: VaultPath) -> Completed:
    """Fill in what is missing and put everything in Obsidian's form; the result depends on nothing else.

    * Ids: 16 hex digits stay; any other id names the part within the call and is stored as a hash (J6).
    * Type: from the one key of ``text``, ``file``, ``url`` or ``label`` that is there.
    * Size and place (J8): cards without ``x`` and ``y`` are drawn by their edges, as a map, a tree or a flow; where
      others have places, beside those they are linked with. A card that has them stays there (rounded, J4).
    * A group without ``x`` and ``y`` may list the ids it shall hold as ``nodes`` (not stored) and is drawn around
      them. Without that its geometry is its own business: it stays missing.
    * Sides: those that face each other (J7). Groups come first, larger ones below smaller (J8). Edges are sorted by
      the cards they join, so that the order in which they are given does not show.

    What cannot be filled in stays as it was given, for ``check`` to name; so does a group's ``nodes``.
    """
    maker = IdMaker(path)
    cards = [without(node, NODE_DEFAULTS) for node in nodes]
    node_ids = _name_cards(cards, maker)
    lines = [without(edge, EDGE_DEFAULTS) for edge in edges]
    edge_ids = _name_lines(lines, maker, node_ids)
    for card in cards:
        node_type = card.get("type") or type_of(card)
        if node_type:
            card["type"] = node_type
        _fill_size(card)
    sides = _fill_places(cards, lines, node_ids)
    boxes = {str(card.get("id")): box for card in reversed(cards) if (box := box_of(card))}
    for line in lines:
        _fill_sides(line, boxes, sides)
    canvas = Canvas(
        nodes=tuple(
            node_of(in_order(card, NODE_KEY_ORDER.get(str(card.get("type")), ()))) for card in _groups_first(cards)
        ),
        edges=tuple(edge_of(in_order(line, Edge.key_order)) for line in _sorted(lines, cards)),
    )
    ids = {**edge_ids, **node_ids}
    return Completed(canvas, MappingProxyType({old: new for old, new in ids.items() if old != new}))


def _name(value: Json) -> str | None:
    """Return an id as text; agents also count their cards."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) else None


def _name_cards(cards: Sequence[_Fields], maker: IdMaker) -> dict[str, str]:
    ids: dict[str, str] = {}
    for card in cards:
        name = _name(card.get("id", ""))
        if name:
            card["id"] = ids[name] = maker.of_name(name)
        elif card.get("id", "") in _NO_ID:
            card["id"] = maker.of_content(card)
    return ids


def _name_lines(lines: Sequence[_Fields], maker: IdMaker, node_ids: Mapping[str, str]) -> dict[str, str]:
    """Let edges name their cards by the stored ids, and give them ids that no card has."""
    ids: dict[str, str] = {}
    for line in lines:
        for key in ("fromNode", "toNode"):
            end = _name(line.get(key))
            if end is not None:
                line[key] = node_ids.get(end, end)
        name = _name(line.get("id", ""))
        if name:
            line["id"] = ids[name] = maker.of_name(name, "edge") if name in node_ids else maker.of_name(name)
        elif line.get("id", "") in _NO_ID:
            line["id"] = maker.of_content(line)
    return ids


def _fill_size(card: _Fields) -> None:
    card.update({key: rounded(card[key]) for key in GEOMETRY if key in card})
    size = natural_size(card)
    if size is not None:
        card.setdefault("width", size.width)
        card.setdefault("height", size.height)


def _fill_places(cards: Sequence[_Fields], lines: Sequence[_Fields], ids: Mapping[str, str]) -> Sides:
    """Give each card without one a place; return the sides by which the layout joins them."""
    names = _unique_names(cards)
    card_of = dict(zip(names, cards, strict=True))
    floating = {name: card for name, card in card_of.items() if "x" not in card and "y" not in card}
    fixed = {name: box for name, card in card_of.items() if (box := box_of(card))}
    groups = {name: held for name, card in floating.items() if (held := _members(card, card_of, ids))}
    sizes = {
        name: Size(int(box.width), int(box.height))
        for name, card in floating.items()
        if card.get("type") != "group" and (box := box_of({**card, "x": 0, "y": 0}))
    }
    edges = [(str(line.get("fromNode")), str(line.get("toNode"))) for line in lines]
    known = [edge for edge in edges if edge[0] in card_of and edge[1] in card_of]
    labels = label_sizes(zip(edges, lines, strict=True))
    drawing = arrange(sizes, known, groups=groups, fixed=fixed, labels=labels)
    for name, box in drawing.boxes.items():
        _put(card_of[name], box)
    return drawing.sides


def _unique_names(cards: Sequence[_Fields]) -> list[str]:
    """Name each card by its id; where an id comes twice, which is a fault, the later ones by their number as well."""
    names: dict[str, None] = {}
    for number, card in enumerate(cards):
        name = str(card.get("id"))
        names[f"{name} {number}" if name in names else name] = None
    return list(names)


def _members(card: _Fields, card_of: Mapping[str, _Fields], ids: Mapping[str, str]) -> list[str] | None:
    """Return the cards that a group shall hold, ``None`` when it does not say or names one that is not there."""
    named = card.get(MEMBERS)
    if card.get("type") != "group" or not isinstance(named, list):
        return None
    names = [_name(member) or "" for member in named]
    held = [ids.get(name, name) for name in names]
    return list(dict.fromkeys(held)) if all(name in card_of for name in held) else None


def _put(card: _Fields, box: Box) -> None:
    if card.get("type") == "group":
        card.pop(MEMBERS, None)
    card.update(x=int(box.x), y=int(box.y), width=int(box.width), height=int(box.height))


def _fill_sides(line: _Fields, boxes: Mapping[str, Box], sides: Sides) -> None:
    ends = str(line.get("fromNode")), str(line.get("toNode"))
    start, end = boxes.get(ends[0]), boxes.get(ends[1])
    if start and end:
        from_side, to_side = sides.get(ends) or facing_sides(start, end)
        line.setdefault("fromSide", from_side)
        line.setdefault("toSide", to_side)


def _groups_first(cards: Sequence[_Fields]) -> list[_Fields]:
    def rank(card: _Fields) -> float:
        box = box_of(card)
        return -(box.width * box.height) if card.get("type") == "group" and box else 1.0 - (card.get("type") == "group")

    return sorted(cards, key=rank)


def _sorted(lines: Sequence[_Fields], cards: Sequence[_Fields]) -> list[_Fields]:
    order = {str(card.get("id")): number for number, card in reversed(list(enumerate(cards)))}

    def rank(line: _Fields) -> tuple[int, int, str]:
        start, end = (order.get(str(line.get(key)), len(cards)) for key in ("fromNode", "toNode"))
        return start, end, json.dumps(line, sort_keys=True)

    return sorted(lines, key=rank)
