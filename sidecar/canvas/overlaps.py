"""Cards that lie on one another, and cards or groups that lie across the border of a group."""

from collections.abc import Iterator, Sequence

from sidecar.canvas.containment import holds
from sidecar.canvas.layout.geometry import Box, Occupied, box_of
from sidecar.canvas.model import CanvasNode, fields_of

__all__ = ["overlapping"]


def overlapping(nodes: Sequence[CanvasNode]) -> Iterator[tuple[int, int]]:
    """Yield, by their places in the list, each card that overlaps another, with one that it overlaps.

    A card wholly inside a group is its member, not on top of it.
    """
    cards: dict[int, Box] = {}
    groups: dict[int, Box] = {}
    for number, node in enumerate(nodes):
        fields = fields_of(node)
        box = box_of(fields)
        if box:
            (groups if fields.get("type") == "group" else cards)[number] = box
    yield from _on_cards(cards)
    for number, box in [*cards.items(), *groups.items()]:
        for group, frame in groups.items():
            nested = holds(frame, box) or (number in groups and holds(box, frame))
            if box.meets(frame) and not nested and not (number in groups and group > number):
                yield number, group
                break


def _on_cards(cards: dict[int, Box]) -> Iterator[tuple[int, int]]:
    occupied = Occupied()
    number_of: dict[Box, int] = {}
    for number, box in cards.items():
        below = occupied.blocker(box, 0)
        if below:
            yield number, number_of[below]
        occupied.add(box)
        number_of.setdefault(box, number)
