"""All links of a vault as a graph of files: who links to whom, and the shortest way between two."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sidecar.model.path import VaultPath
from sidecar.services.base_links import base_links
from sidecar.services.views import View

__all__ = ["LinkGraph"]


@dataclass(frozen=True, slots=True)
class LinkGraph:
    """For each file those it links to, and those that link to it, in the order of their paths; none to itself."""

    outgoing: Mapping[VaultPath, Sequence[VaultPath]]
    incoming: Mapping[VaultPath, Sequence[VaultPath]]

    @classmethod
    def of(cls, view: View, read: Callable[[VaultPath], bytes]) -> "LinkGraph":
        """Gather the links of all visible files, those in formulas of bases too."""
        outgoing: dict[VaultPath, set[VaultPath]] = {}
        for source, _, _, target in view.link_ends():
            if target is not None and target != source:
                outgoing.setdefault(source, set()).add(target)
        for base in view.bases:
            targets = {target for _, target in base_links(view, read, base) if target is not None}
            if targets:
                outgoing[base] = targets
        incoming: dict[VaultPath, list[VaultPath]] = {}
        for source in sorted(outgoing):
            for target in outgoing[source]:
                incoming.setdefault(target, []).append(source)
        return cls({source: sorted(targets) for source, targets in outgoing.items()}, incoming)

    def way(self, start: VaultPath, goal: VaultPath, *, back: bool) -> tuple[VaultPath, ...]:
        """Return the files of a shortest way from one to the other, both included; none when there is no way.

        With ``back`` links count in both directions, else only from where they stand.
        """
        came_from: dict[VaultPath, VaultPath] = {start: start}
        border = [start]
        while border and goal not in came_from:
            reached = []
            for path in border:
                for other in self._beside(path, back=back):
                    if other not in came_from:
                        came_from[other] = path
                        reached.append(other)
            border = reached
        if goal not in came_from:
            return ()
        way = [goal]
        while way[-1] != start:
            way.append(came_from[way[-1]])
        return tuple(reversed(way))

    def _beside(self, path: VaultPath, *, back: bool) -> Iterable[VaultPath]:
        forward = self.outgoing.get(path, ())
        return (*forward, *self.incoming.get(path, ())) if back else forward
