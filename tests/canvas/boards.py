"""Small canvases for the tests of what reads and edits them."""

import json
from typing import Any

from sidecar.canvas.codec import loads
from sidecar.canvas.model import Canvas


def card(name: str, x: float = 0, y: float = 0, **fields: Any) -> dict[str, Any]:
    """Return a text card of 200 by 60 whose text is its id, unless the fields say otherwise."""
    kind = fields.pop("type", "text")
    text = {"text": name} if kind == "text" else {}
    return {"id": name, "type": kind, **text, "x": x, "y": y, "width": 200, "height": 60, **fields}


def line(start: str, end: str, **fields: Any) -> dict[str, Any]:
    sides = {"fromSide": "right", "toSide": "left"}
    return {"id": f"{start}-{end}", "fromNode": start, "toNode": end, **sides, **fields}


def written(nodes: list[Any], edges: list[Any]) -> str:
    """Return the text of a canvas as the app writes it."""

    def rows(parts: list[Any]) -> str:
        return ",\n".join("\t\t" + json.dumps(part, separators=(",", ":"), ensure_ascii=False) for part in parts)

    return '{\n\t"nodes":[\n' + rows(nodes) + '\n\t],\n\t"edges":[\n' + rows(edges) + "\n\t]\n}"


def board(nodes: list[Any], edges: list[Any]) -> Canvas:
    return loads(written(nodes, edges))
