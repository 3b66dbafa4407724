"""All links of a vault as a graph of files: who links to whom, and the shortest way between two."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from sidecar.catalog.records import LinkEnd
from sidecar.model.path import VaultPath
from sidecar.services.base_links import base_links
from sidecar.services.views import View

__all__ = ["LinkGraph"]


@dataclass(frozen=True, slots=True)
class LinkGraph:
    """For each file those it links to, and those that link to it, in the order of their paths; none to itself."""

    outgoing: Mapping[VaultPath, Sequence[VaultPath]]
    incoming: Mapping[VaultPath, Sequence[VaultPath]]
    _links: Mapping[VaultPath, tuple[LinkEnd, ...]] = field(default_factory=dict)
    """What it was made of, bases left out."""

    @classmethod
    def of(cls, view: View, read: Callable[[VaultPath], bytes]) -> "LinkGraph":
        """Gather the links of all visible files, those in formulas of bases too."""
        return cls({}, {}).at(view, read)

    def at(self, view: View, read: Callable[[VaultPath], bytes]) -> "LinkGraph":
        """Return the graph of another view; only the links of files that were touched since are gathered."""
        links = view.links_by_file()
        targets: dict[VaultPath, set[VaultPath]] = {source: set() for source in self.outgoing if source not in links}
        for source, ends in links.items():
            if self._links.get(source) is not ends:
                targets[source] = {end.target for end in ends if end.target is not None} - {source}
        for base in view.bases:
            targets[base] = {target for _, target in base_links(view, read, base) if target is not None}
        return self._with(targets, links)

    def _with(
        self, targets: Mapping[VaultPath, AbstractSet[VaultPath]], links: Mapping[VaultPath, tuple[LinkEnd, ...]]
    ) -> "LinkGraph":
        """Return the graph in which these files lead to these targets, and all others to where they did."""
        outgoing, incoming = dict(self.outgoing), dict(self.incoming)
        changes: dict[VaultPath, tuple[list[VaultPath], list[VaultPath]]] = {}
        for source, now in targets.items():
            before = frozenset(outgoing.pop(source, ()))
            if now:
                outgoing[source] = sorted(now)
            for target in now - before:
                changes.setdefault(target, ([], []))[0].append(source)
            for target in before - now:
                changes.setdefault(target, ([], []))[1].append(source)
        for target, (come, gone) in changes.items():
            sources = sorted({*incoming.pop(target, ()), *come}.difference(gone))
            if sources:
                incoming[target] = sources
        return LinkGraph(outgoing, incoming, links)

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

    def links(self, path: VaultPath, *, forward: bool, back: bool) -> Iterator[tuple[VaultPath, VaultPath]]:
        """Go through the links that stand in a file, and then those that lead to it, as source and target."""
        if forward:
            yield from ((path, target) for target in self.outgoing.get(path, ()))
        if back:
            yield from ((source, path) for source in self.incoming.get(path, ()))

    def _beside(self, path: VaultPath, *, back: bool) -> Iterable[VaultPath]:
        forward = self.outgoing.get(path, ())
        return (*forward, *self.incoming.get(path, ())) if back else forward
