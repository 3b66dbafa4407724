"""Places for new cards and frames on a canvas whose cards stay where they are (contract J8)."""

import math
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final

from sidecar.canvas.containment import holders, holds
from sidecar.canvas.layout.arrange import Drawing, arrange
from sidecar.canvas.layout.geometry import GAP, GRID, Box, Occupied, Size, snap
from sidecar.canvas.layout.insert import insert
from sidecar.canvas.layout.nested import HEAD, MARGIN

__all__ = ["Unsettled", "settle"]

_THICK: Final = 100_000.0
_MANY: Final = 60
"""In a group with more cards no gap is looked for."""


@dataclass(frozen=True, slots=True)
class Unsettled:
    """What needs a place, by id."""

    sizes: Mapping[str, Size] = field(default_factory=dict)
    """New cards."""
    near: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """For a new card the cards or groups it shall be beside, or within."""
    frames: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """New groups with what they shall hold, of which some may stand already."""


def settle(
    new: Unsettled, edges: Iterable[tuple[str, str]], boxes: Mapping[str, Box], groups: Iterable[str]
) -> Drawing:
    """Return boxes for all that is new, and sides for edges; ``boxes`` stand, ``groups`` are the frames among them.

    A card whose neighbours are all in one group goes into that group if there is room in it. Every other one goes
    beside its neighbours, or below everything when it has none; it never overlaps what stands.
    """
    held = list(edges)
    standing = dict(boxes)
    frames = {group: boxes[group] for group in groups if group in boxes}
    mixed = {frame: members for frame, members in new.frames.items() if _is_mixed(members, new, boxes)}
    near = {card: list(names) for card, names in new.near.items()}
    for members in mixed.values():
        leaves = _leaves(members, new.frames)
        stand = [leaf for leaf in leaves if leaf in boxes]
        near |= {card: stand for card in leaves if card in new.sizes and not near.get(card)}
    wholly_new = {card for frame, members in new.frames.items() if frame not in mixed for card in members}
    placed: dict[str, Box] = {}
    for card, size in new.sizes.items():
        if card in wholly_new:
            continue
        beside = near.get(card) or [a if b == card else b for a, b in held if card in (a, b)]
        box = _inside(card, size, [one for one in beside if one in standing], held, standing, frames)
        if box:
            placed[card] = standing[card] = box
    beside_all = [(other, card) for card, names in near.items() for other in names]
    rest = {card: size for card, size in new.sizes.items() if card not in placed}
    anchored = _anchored(rest.keys() - wholly_new, near, standing)
    # First what says itself where it belongs, by that alone; then the others, by all their edges.
    first = arrange({card: size for card, size in rest.items() if card in anchored}, beside_all, fixed=standing)
    standing |= first.boxes
    whole = {frame: members for frame, members in new.frames.items() if frame not in mixed}
    others = {card: size for card, size in rest.items() if card not in anchored}
    second = arrange(others, [*held, *beside_all], groups=whole, fixed=standing)
    standing |= second.boxes
    around = arrange({}, (), groups=mixed, fixed=standing)
    return Drawing({**placed, **first.boxes, **second.boxes, **around.boxes}, second.sides)


def _anchored(cards: AbstractSet[str], near: Mapping[str, Sequence[str]], standing: Mapping[str, Box]) -> set[str]:
    """Return the cards that shall be near something that stands, if only by way of one another."""
    found: set[str] = set()
    while True:
        more = {
            card
            for card in cards - found
            if near.get(card) and all(one in standing or one in found for one in near[card])
        }
        if not more:
            return found
        found |= more


def _is_mixed(members: Sequence[str], new: Unsettled, boxes: Mapping[str, Box]) -> bool:
    """Tell whether some of a group's members stand, if only those of a group within it."""
    leaves = _leaves(members, new.frames)
    stands = [leaf in boxes for leaf in leaves]
    return any(stands) and not all(stands)


def _leaves(members: Sequence[str], frames: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the cards of a new group, those of new groups within it too."""
    waiting, leaves = list(members), []
    for one in waiting:
        if one in frames:
            waiting += frames[one]
        else:
            leaves.append(one)
    return leaves


def _inside(
    card: str,
    size: Size,
    beside: Sequence[str],
    edges: Sequence[tuple[str, str]],
    standing: Mapping[str, Box],
    frames: Mapping[str, Box],
) -> Box | None:
    """Return a place within the one group that holds all neighbours, ``None`` when there is no such group or room."""
    holder = holders({one: standing[one] for one in beside if one not in frames}, frames)
    homes = {one if one in frames else holder.get(one) for one in beside}
    home = homes.pop() if len(homes) == 1 else None
    if home is None:
        return None
    frame = frames[home]
    within = {one: box for one, box in standing.items() if holds(frame, box) and not (one in frames and box == frame)}
    corner = Box(snap(frame.x + MARGIN), snap(frame.y + HEAD), size.width, size.height)
    if not within:
        return corner if _fits(frame, corner) else None
    last = max(within, key=lambda one: (within[one].bottom, within[one].right))
    neighbours = [one for one in beside if one in within] or [last]
    links = [edge for edge in edges if card in edge] + [(one, card) for one in neighbours]
    found = insert({card: size}, links, {**within, **_walls(frame)}).get(card)
    return found if found and _fits(frame, found) else _gap(size, frame, within, within[neighbours[0]])


def _gap(size: Size, frame: Box, within: Mapping[str, Box], neighbour: Box) -> Box | None:
    """Return the free place in a frame that is nearest to a card, along the borders of what is there."""
    if len(within) > _MANY:
        return None
    boxes = within.values()
    columns = {frame.x + MARGIN, *(box.x for box in boxes), *(box.right + GAP for box in boxes)}
    rows = {frame.y + HEAD, *(box.y for box in boxes), *(box.bottom + GAP for box in boxes)}
    occupied = Occupied(boxes)
    spots = [Box(snap(x), snap(y), size.width, size.height) for x in columns for y in rows]
    free = [spot for spot in spots if _fits(frame, spot) and occupied.blocker(spot, GAP) is None]
    return min(free, key=lambda spot: (math.dist(spot.centre, neighbour.centre), spot.y, spot.x), default=None)


def _fits(frame: Box, box: Box) -> bool:
    return holds(Box(frame.x + GRID, frame.y + GRID, frame.width - 2 * GRID, frame.height - 2 * GRID), box)


def _walls(frame: Box) -> dict[str, Box]:
    """Return boxes around the room in a frame, so far away that a card beside them has the frame's margin."""
    left, right = frame.x + MARGIN - GAP, frame.right - MARGIN + GAP
    top, bottom = frame.y + HEAD - GAP, frame.bottom - MARGIN + GAP
    far, wide, high = _THICK, frame.width + 2 * _THICK, frame.height + 2 * _THICK
    return {
        "\0left": Box(left - far, top - far, far, high),
        "\0right": Box(right, top - far, far, high),
        "\0top": Box(left - far, top - far, wide, far),
        "\0bottom": Box(left - far, bottom, wide, far),
    }
