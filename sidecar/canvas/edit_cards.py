"""What an edit does to cards: add, change, remove, put into a group and take out again."""

from collections.abc import Iterable, Mapping
from typing import Final

from sidecar.canvas.board import Board, Named, with_field
from sidecar.canvas.containment import holds
from sidecar.canvas.defaults import NODE_DEFAULTS, PAYLOAD, natural_size, rounded, type_of, without
from sidecar.canvas.layout.geometry import GEOMETRY, GRID, Box, Occupied, box_of
from sidecar.canvas.model import NODE_KEY_ORDER
from sidecar.canvas.operations import Operation
from sidecar.canvas.text_size import text_size
from sidecar.errors import Invalid
from sidecar.model.note import Json

__all__ = ["add", "group", "remove", "ungroup", "update"]

_TYPES: Final = (*PAYLOAD, "group")
_PLAIN: Final = ("id", "type", *GEOMETRY, "color")
"""The fields that every card has; all that can be set on one of an unknown type."""
_OF_ONE_TYPE: Final = frozenset({*PAYLOAD.values(), "subpath", "label", "background", "backgroundStyle"})


def add(board: Board, operation: Operation) -> None:
    """Put a new card on the canvas; one without x and y gets its place at the end."""
    given = operation.fields.items()
    stated = {key: value for key, value in given if key not in ("id", "near") and value is not None}
    card = without({key: rounded(value) for key, value in stated.items()}, NODE_DEFAULTS)
    card_type = card.get("type") or type_of(card)
    if card_type not in _TYPES:
        raise Invalid(
            f"Its type is {card_type!r}." if card_type else "It has no type.",
            hint="Give one of 'text', 'file', 'url' or, for a group, 'label'.",
        )
    card["type"] = card_type
    _refuse_strangers(card, card, str(card_type))
    if ("x" in card) != ("y" in card):
        raise Invalid("It has only one of x and y.", hint="Give both, or none to let the card find its place.")
    size = natural_size(card)
    if size is None and not all(key in card for key in GEOMETRY):
        raise Invalid("A group needs x, y, width and height.", hint="Use 'group' to draw one around cards.")
    if size is not None:
        card = {"width": size.width, "height": size.height, **card}
    near = [board.find(name) for name in operation.names("near")]
    key = board.add(card, operation.text("id"))
    if "x" not in card:
        board.floating[key] = near


def _refuse_strangers(fields: Iterable[str], card: Mapping[str, Json], card_type: str) -> None:
    """Refuse fields that a type of card does not have, and a card without what its type needs."""
    allowed = NODE_KEY_ORDER.get(card_type, _PLAIN)
    strange = next((name for name in fields if name not in allowed), None)
    if strange:
        raise Invalid(
            f"A card of type {card_type} has no '{strange}'.", hint="Give 'type' as well to change what a card is."
        )
    payload = PAYLOAD.get(card_type)
    if payload and payload not in card:
        raise Invalid(f"A card of type {card_type} needs '{payload}'.")


def update(board: Board, operation: Operation) -> None:
    """Change a card; a group that only moves takes its cards along, a longer text makes its card higher if it can."""
    key = board.find(operation.text("card"))
    old = board.cards[key]
    wanted = {name: rounded(value) for name, value in operation.fields.items() if name not in ("card", "near")}
    card_type = str(wanted.get("type") or old.get("type") or "")
    if wanted.get("type") and card_type not in _TYPES:
        raise Invalid(f"There is no type '{card_type}'; use {', '.join(_TYPES)}.")
    card = _changed(old, wanted, card_type)
    _refuse_strangers((name for name, value in wanted.items() if value not in (None, "")), card, card_type)
    near = [board.find(name) for name in operation.names("near")]
    if near and card_type == "group":
        raise Invalid("A group cannot be put near something.", hint="Give x and y; its cards move with it.")
    if card_type == "group" and not wanted.keys() & {"width", "height"}:
        _carry(board, key, card)
    elif "text" in wanted and "height" not in wanted and key not in board.floating:
        card = _grown(board, key, card)
    board.put(key, card)
    if near:
        board.floating[key] = near
    elif "x" in wanted and "y" in wanted:
        board.floating.pop(key, None)


def _changed(old: Mapping[str, Json], wanted: Mapping[str, Json], card_type: str) -> dict[str, Json]:
    """Return a card with the wanted fields; nothing, null or a default takes a field away, as the app does (J4)."""
    allowed = NODE_KEY_ORDER.get(card_type, _PLAIN)
    is_other = card_type != old.get("type")
    card = {name: value for name, value in old.items() if not (is_other and name in _OF_ONE_TYPE - set(allowed))}
    for name, value in wanted.items():
        if name not in GEOMETRY and value in NODE_DEFAULTS.get(name, ()):
            card.pop(name, None)
        elif value is not None:
            card = with_field(card, name, value, allowed)
    return card


def _carry(board: Board, key: str, card: Mapping[str, Json]) -> None:
    """Let the cards in a group go where the group goes, as in the app."""
    old, new = board.box(key), box_of(card)
    if old is None or new is None or (old.x, old.y) == (new.x, new.y):
        return
    for other, box in board.boxes().items():
        if other != key and holds(old, box) and not (box == old and board.type_of(other) == "group"):
            moved = box.moved(new.x - old.x, new.y - old.y)
            board.put(other, {**board.cards[other], "x": _whole(moved.x), "y": _whole(moved.y)})


def _whole(value: float) -> Json:
    return int(value) if float(value).is_integer() else value


def _grown(board: Board, key: str, card: dict[str, Json]) -> dict[str, Json]:
    """Make a card higher for a longer text, where it then still touches nothing and stays in its groups."""
    box, text = box_of(card), card.get("text")
    if box is None or not isinstance(text, str):
        return card
    height = text_size(text, int(box.width)).height
    if height <= box.height:
        return card
    grown = Box(box.x, box.y, box.width, height)
    others = board.boxes()
    groups = {other for other in board.groups() if other in others and holds(others[other], box)}
    occupied = Occupied(other for name, other in others.items() if name != key and name not in groups)
    fits = occupied.blocker(grown, GRID) is None and all(holds(others[group], grown) for group in groups)
    return {**card, "height": height} if fits else card


def remove(board: Board, operation: Operation) -> list[Named]:
    """Take a card away with its edges; what a group holds stays."""
    key = board.find(operation.text("card"))
    named = board.named(key)
    board.remove(key)
    return [named]


def ungroup(board: Board, operation: Operation) -> list[Named]:
    """Take a group away and leave what it holds."""
    key = board.find(operation.text("card"))
    if board.type_of(key) != "group":
        raise Invalid(f"'{operation.text('card')}' is no group.", hint="Use 'remove' to take a card away.")
    return remove(board, operation)


def group(board: Board, operation: Operation) -> None:
    """Draw a new group around cards when all have their places."""
    members = list(dict.fromkeys(board.find(name) for name in operation.names("cards")))
    taken = {member: frame for frame, held in board.frames.items() for member in held}
    twice = next((member for member in members if member in taken), None)
    if twice is not None:
        raise Invalid(f"'{board.named(twice).name}' is in another new group already.")
    placeless = [key for key in members if key not in board.floating and key not in board.frames and not board.box(key)]
    if placeless:
        raise Invalid(f"'{board.named(placeless[0]).name}' has no place on the canvas that can be drawn.")
    card = {key: text for key in ("color", "label") if (text := operation.text(key))}
    key = board.add({"type": "group", **card}, operation.text("id"))
    board.frames[key] = members
