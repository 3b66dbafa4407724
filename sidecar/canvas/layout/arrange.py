"""From cards and edges to a drawing: groups, what stands already, and the layout that was asked for."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from sidecar.canvas.layout.choose import MOST, Direction, Layout, Pencil
from sidecar.canvas.layout.curve import Labels
from sidecar.canvas.layout.geometry import GAP, Box, Size, enclose, snap
from sidecar.canvas.layout.insert import insert
from sidecar.canvas.layout.nested import HEAD, MARGIN, Nest
from sidecar.canvas.layout.ports import ported
from sidecar.canvas.layout.regroup import regrouped
from sidecar.canvas.layout.sides import Sides, facing_sides

__all__ = ["Direction", "Drawing", "Layout", "arrange"]

_BUDGET: Final = 800_000
"""Comparisons of lines with one another and with cards that are made to better a drawing with groups."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Where everything is, by id, and the sides of each edge; what stood before is not in it."""

    boxes: Mapping[str, Box]
    sides: Sides = field(default_factory=dict)


def arrange(
    sizes: Mapping[str, Size],
    edges: Iterable[tuple[str, str]],
    *,
    layout: Layout = Layout.AUTO,
    groups: Mapping[str, Sequence[str]] | None = None,
    fixed: Mapping[str, Box] | None = None,
    direction: Direction | None = None,
    moments: Mapping[str, str] | None = None,
    labels: Labels | None = None,
) -> Drawing:
    """Place the cards of ``sizes`` and the groups of ``groups``, which name their members; ``fixed`` boxes stay.

    Nothing overlaps, all is on the grid with the gap between, and the same input in any order gives the same drawing.
    ``labels`` says how much room the label of an edge takes; such edges are made long enough for it.
    ``edges`` may lead to and from what is fixed. Groups that cannot be drawn (see :class:`Nest`) are left out.
    With ``fixed`` boxes new cards go beside their neighbours; ``layout`` then only rules cards without any.
    """
    held = sorted({edge for edge in edges if edge[0] != edge[1]})
    nest = Nest(sizes, fixed or {}, groups or {})
    standing = {**(fixed or {}), **nest.standing}
    pencil = Pencil(layout, direction, moments or {}, labels or {})

    def outside(free: Mapping[str, Size], links: Sequence[tuple[str, str]]) -> dict[str, Box]:
        if not standing:
            return pencil.draw(free, links)
        # A group's members are linked with what stands; to be beside it is then the group's business.
        lifted = [(nest.outermost(start), nest.outermost(end)) for start, end in held]
        placed = insert(free, lifted, standing) if len(free) <= MOST else {}
        rest = {card: size for card, size in free.items() if card not in placed}
        if rest:
            placed.update(_below(pencil.draw(rest, links), [*standing.values(), *placed.values()]))
        return placed

    boxes = nest.draw(held, pencil.draw, outside)
    pencil.forget_turned(boxes)
    if not standing and nest.drawn and layout in (Layout.AUTO, Layout.MAP) and direction is None:
        before, budget = boxes, _BUDGET
        boxes = regrouped(boxes, nest.drawn, held, labels or {}, budget=budget, margin=MARGIN, head=HEAD)
        pencil.forget_moved(before, boxes)
    if boxes and not standing:
        frame = enclose(boxes.values())
        boxes = {card: box.moved(-frame.x, -frame.y) for card, box in boxes.items()}
    everything = {**standing, **boxes}
    usual = {
        (start, end): pencil.sides.get((start, end)) or facing_sides(everything[start], everything[end])
        for start, end in held
        if start in everything and end in everything
    }
    cards = {card: box for card, box in everything.items() if card not in (groups or {})}
    new = [edge for edge in usual if edge[0] in boxes or edge[1] in boxes]
    return Drawing({**boxes, **nest.standing}, ported(cards, usual, new, labels or {}))


def _below(boxes: Mapping[str, Box], standing: Sequence[Box]) -> dict[str, Box]:
    frame, around = enclose(boxes.values()), enclose(standing)
    dx, dy = -snap(-around.x) - frame.x, snap(around.bottom + 2 * GAP) - frame.y
    return {card: box.moved(dx, dy) for card, box in boxes.items()}
