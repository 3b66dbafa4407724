"""The links among the notes of a map as lines between cards, and which of many are worth drawing."""

import math
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Final

from sidecar.canvas.line_marks import unmarked
from sidecar.model.path import VaultPath
from sidecar.services.neighbours import LinkNames
from sidecar.services.views import View

__all__ = ["MapLine", "lines_among", "strongest"]

_LONGEST: Final = 40
_PLAIN: Final = "links_to"
_A_CARD: Final = 1.5
"""So many lines a card are drawn; more cannot be told apart."""
_TYPED, _BOTH, _OF_START = 2, 2, 1


@dataclass(frozen=True, slots=True)
class MapLine:
    """All links between two notes: ``both_ways`` when each leads to the other."""

    start: VaultPath
    end: VaultPath
    label: str
    both_ways: bool
    strength: int


@dataclass(slots=True)
class _Links:
    count: int = 0
    names: dict[str, None] = field(default_factory=dict)
    headings: dict[str, None] = field(default_factory=dict)


def lines_among(view: View, paths: Sequence[VaultPath], starts: Collection[VaultPath] = ()) -> list[MapLine]:
    """Return a line for each pair of notes that are linked.

    Its label is the type of the relation or the property that holds the link, else the heading above it.
    """
    shown, names = set(paths), LinkNames(view)
    titles = view.titles_of(paths)
    links: dict[tuple[VaultPath, VaultPath], _Links] = defaultdict(_Links)
    for source in sorted(paths):
        # What is a title in all but name says nothing of a link.
        own = {titles.get(source, ""), source.basename, *(h.text for h in view.headings(source) if h.level == 1)}
        for found in view.outgoing(source):
            target = found.target
            if target is None or target == source or target not in shown:
                continue
            link = links[source, target]
            link.count += 1
            name = names.between(source, target)
            if name != _PLAIN:
                link.names[name.replace("_", " ")] = None
            heading = found.link.heading
            if heading and heading not in own:
                link.headings[" ".join(unmarked(heading).split())] = None
    lines = []
    for (source, target), link in links.items():
        back = links.get((target, source))
        if back is not None and target < source:
            continue
        lines.append(_line(source, target, [link, *([back] if back else [])], starts))
    return lines


def _line(source: VaultPath, target: VaultPath, links: Sequence[_Links], starts: Collection[VaultPath]) -> MapLine:
    names = list(dict.fromkeys(name for link in links for name in link.names))
    headings = list(dict.fromkeys(heading for link in links for heading in link.headings))
    label = " / ".join(names or headings[:1])
    both = len(links) > 1
    strength = sum(link.count for link in links) + _TYPED * bool(names) + _BOTH * both
    strength += _OF_START * (source in starts or target in starts)
    return MapLine(source, target, label if len(label) <= _LONGEST else label[: _LONGEST - 1] + "…", both, strength)


def strongest(lines: Sequence[MapLine], cards: int, most: int | None) -> list[MapLine]:
    """Return all lines while they are few, else a tree that joins what is joined, and the strongest of the others."""
    room = math.ceil(_A_CARD * cards) if most is None else most
    if len(lines) <= room:
        return list(lines)
    ordered = sorted(lines, key=lambda line: (-line.strength, line.start, line.end))
    root: dict[VaultPath, VaultPath] = {}

    def part(path: VaultPath) -> VaultPath:
        while (above := root.get(path, path)) != path:
            path = above
        return path

    tree: list[MapLine] = []
    rest: list[MapLine] = []
    for line in ordered:
        one, other = part(line.start), part(line.end)
        (rest if one == other else tree).append(line)
        root[one] = other
    return [*tree, *rest][:room]
