"""To and from the dataclasses of the package ``json-canvas``, for people who script with it.

The package cannot read a file, has no place for keys it does not know, writes a colour as ``{"value": "1"}`` and every
absent field as ``null``. So: colours become plain text again, nulls are dropped, and what the package cannot hold does
not travel to it: unknown keys of root, nodes and edges, nodes of unknown types, faulty parts, and the layout of the
text. Keep the canvas you came from where that matters.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

from json_canvas import json_canvas

from sidecar.canvas.model import (
    NODE_KEY_ORDER,
    Canvas,
    CanvasEdge,
    CanvasNode,
    Edge,
    FileNode,
    GroupNode,
    LinkNode,
    TextNode,
    Unknown,
    edge_of,
    in_order,
    node_of,
)
from sidecar.model.note import Json

__all__ = ["from_json_canvas", "to_json_canvas"]

_CLASSES: Final = {
    "text": json_canvas.TextNode,
    "file": json_canvas.FileNode,
    "link": json_canvas.LinkNode,
    "group": json_canvas.GroupNode,
}


def to_json_canvas(canvas: Canvas) -> json_canvas.Canvas:
    """Return the canvas as the package holds it, without what it has no place for (see the module)."""
    return json_canvas.Canvas(
        nodes=[_package_part(node) for node in canvas.nodes if not isinstance(node, Unknown)],
        edges=[_package_part(edge) for edge in canvas.edges if not isinstance(edge, Unknown)],
    )


def from_json_canvas(canvas: json_canvas.Canvas) -> Canvas:
    """Return the package's canvas as ours: colours repaired, nulls dropped, faults kept for ``check`` to name."""
    return Canvas(
        nodes=tuple(_ordered_node(_repaired(asdict(node))) for node in canvas.nodes or ()),
        edges=tuple(_ordered_edge(_repaired(asdict(edge))) for edge in canvas.edges or ()),
    )


def _package_part(part: TextNode | FileNode | LinkNode | GroupNode | Edge) -> object:
    known = {key: value for key, value in part.to_json().items() if key in part.key_order}
    color = known.get("color")
    package_color = None if color is None else json_canvas.Color(value=color)
    kind = json_canvas.Edge if isinstance(part, Edge) else _CLASSES[part.type]
    return kind(**{**known, "color": package_color})


def _repaired(fields: Mapping[str, Json]) -> dict[str, Json]:
    color = fields.get("color")
    plain = color.get("value") if isinstance(color, dict) else color
    return {key: value for key, value in {**fields, "color": plain}.items() if value is not None}


def _ordered_node(fields: Mapping[str, Json]) -> CanvasNode:
    return node_of(in_order(fields, NODE_KEY_ORDER.get(str(fields.get("type")), ())))


def _ordered_edge(fields: Mapping[str, Json]) -> CanvasEdge:
    return edge_of(in_order(fields, Edge.key_order))
