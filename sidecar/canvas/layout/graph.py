"""What is to be laid out: cards with their sizes, the links among them, and the groups that hold them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from sidecar.canvas.layout.curve import Labels
from sidecar.canvas.layout.geometry import Size

__all__ = ["Graph", "graph_of"]


@dataclass(frozen=True, slots=True)
class Graph:
    """Cards by id, in the order of their ids, and directed edges between two of them.

    Nothing else may decide where a card goes, so that the same graph in any order gives the same drawing.
    """

    sizes: Mapping[str, Size]
    edges: tuple[tuple[str, str], ...]
    neighbours: Mapping[str, tuple[str, ...]] = field(repr=False)
    """The other ends of a card's edges, whichever way these lead, in order."""
    labels: Labels = field(default_factory=dict, repr=False)
    """How much room the labels of edges take."""

    def part(self, cards: Iterable[str]) -> "Graph":
        """Return the graph of some of the cards."""
        return graph_of({card: self.sizes[card] for card in cards}, self.edges, self.labels)

    def components(self) -> list["Graph"]:
        """Return the connected parts, the largest first."""
        seen: set[str] = set()
        parts = []
        for card in self.sizes:
            if card in seen:
                continue
            part = [card]
            held = {card}
            for one in part:
                new = [other for other in self.neighbours[one] if other not in held]
                part += new
                held.update(new)
            seen |= held
            parts.append(sorted(part))
        if len(parts) == 1:
            return [self]
        return [self.part(part) for part in sorted(parts, key=lambda part: (-len(part), part))]

    @property
    def is_forest(self) -> bool:
        """Tell whether no two ways lead from one card to another."""
        pairs = {frozenset(edge) for edge in self.edges}
        return len(pairs) == len(self.sizes) - len(self.components())


def graph_of(sizes: Mapping[str, Size], edges: Iterable[tuple[str, str]], labels: Labels | None = None) -> Graph:
    """Make a graph; edges from a card to itself or to one that is not there do not count, nor do repeated ones."""
    held = sorted({(start, end) for start, end in edges if start != end and start in sizes and end in sizes})
    near: dict[str, set[str]] = {card: set() for card in sorted(sizes)}
    for start, end in held:
        near[start].add(end)
        near[end].add(start)
    return Graph(
        {card: sizes[card] for card in near},
        tuple(held),
        {card: tuple(sorted(others)) for card, others in near.items()},
        {edge: labels[edge] for edge in held if edge in labels} if labels else {},
    )
