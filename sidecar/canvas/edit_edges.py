"""What an edit does to edges: draw them and take them away."""

from collections.abc import Mapping

from sidecar.canvas.board import Board, with_field
from sidecar.canvas.model import Edge
from sidecar.canvas.operations import Operation
from sidecar.errors import Invalid
from sidecar.model.note import Json

__all__ = ["connect", "disconnect"]


def connect(board: Board, operation: Operation) -> None:
    """Draw an edge; one with the same cards and label stays and only takes the colour."""
    start, end = _ends(board, operation)
    more: dict[str, Json] = {key: text for key in ("color", "label") if (text := operation.text(key))}
    for line, edge in board.edges.items():
        same = (edge.get("fromNode"), edge.get("toNode")) == (start, end)
        if same and (edge.get("label") or "") == operation.text("label"):
            if "color" in more and edge.get("color") != more["color"]:
                board.edges[line] = with_field(edge, "color", more["color"], Edge.key_order)
                board.recolored.add(line)
            return
    board.connect({"fromNode": start, "toNode": end, **more})


def disconnect(board: Board, operation: Operation) -> None:
    """Take away all edges from one card to another, or those with the label or colour given."""
    start, end = _ends(board, operation)
    found = [
        line
        for line, edge in board.edges.items()
        if _joins(edge, start, end)
        and all((edge.get(key) or "") == operation.text(key) for key in ("label", "color") if operation.text(key))
    ]
    if not found:
        raise Invalid(
            f"No such edge leads from '{operation.text('from')}' to '{operation.text('to')}'.",
            hint="Look at the edges with canvas_read; their direction counts.",
        )
    for line in found:
        del board.edges[line]


def _joins(edge: Mapping[str, Json], start: str, end: str) -> bool:
    """Tell whether an edge leads from one card to the other; one with two arrows or none leads both ways."""
    ends = edge.get("fromNode"), edge.get("toNode")
    both_ways = (edge.get("fromEnd") == "arrow") == (edge.get("toEnd") != "none")
    return ends == (start, end) or (both_ways and ends == (end, start))


def _ends(board: Board, operation: Operation) -> tuple[str, str]:
    return board.own_id(board.find(operation.text("from"))), board.own_id(board.find(operation.text("to")))
