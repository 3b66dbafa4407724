"""What a card or an edge is when it does not say: type, size, and values that need not be written (contract J4, J8)."""

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from sidecar.canvas.layout.geometry import GEOMETRY, Size, is_number
from sidecar.canvas.text_size import text_size
from sidecar.model.note import Json

__all__ = ["EDGE_DEFAULTS", "MEMBERS", "NODE_DEFAULTS", "PAYLOAD", "natural_size", "rounded", "type_of", "without"]

MEMBERS: Final = "nodes"
"""The key under which a caller may list what a group shall hold; it is never stored."""

PAYLOAD: Final[Mapping[str, str]] = MappingProxyType({"text": "text", "file": "file", "link": "url"})
"""For each type of card the field it cannot be without."""

NODE_DEFAULTS: Final[Mapping[str, tuple[Json, ...]]] = MappingProxyType(
    {
        "color": (None, ""),
        "label": (None, ""),
        "subpath": (None, ""),
        "background": (None, ""),
        "backgroundStyle": (None, "", "cover"),
        **dict.fromkeys(GEOMETRY, (None,)),
    }
)
EDGE_DEFAULTS: Final[Mapping[str, tuple[Json, ...]]] = MappingProxyType(
    {
        "color": (None, ""),
        "label": (None, ""),
        "fromSide": (None, ""),
        "toSide": (None, ""),
        "fromEnd": (None, "", "none"),
        "toEnd": (None, "", "arrow"),
    }
)

_TYPE_OF_KEY: Final = {
    **{key: node_type for node_type, key in PAYLOAD.items()},
    "label": "group",
    "background": "group",
    MEMBERS: "group",
}
_SIZES: Final = {"file": Size(400, 400), "link": Size(640, 360)}


def without(part: Mapping[str, Json], defaults: Mapping[str, tuple[Json, ...]]) -> dict[str, Json]:
    """Return an object without the values that Obsidian does not write (J4)."""
    return {key: value for key, value in part.items() if key not in defaults or value not in defaults[key]}


def type_of(card: Mapping[str, Json]) -> str | None:
    """Return the type that a card's keys show, ``None`` when they show none or several."""
    types = {node_type for key, node_type in _TYPE_OF_KEY.items() if card.get(key) is not None}
    return types.pop() if len(types) == 1 else None


def natural_size(card: Mapping[str, Json]) -> Size | None:
    """Return the size of a card that has none: of its text, or Obsidian's own (J8); ``None`` for a group."""
    width, text = card.get("width"), card.get("text")
    if card.get("type") == "text" and isinstance(text, str):
        return text_size(text, int(width) if is_number(width) and width > 0 else None)
    return _SIZES.get(str(card.get("type")))


def rounded(value: Json) -> Json:
    """Return a coordinate as Obsidian writes it, whole (J4); what is no number stays."""
    return math.floor(value + 0.5) if isinstance(value, float) and is_number(value) else value
