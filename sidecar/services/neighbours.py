"""The notes around a note: links followed in both directions, nearest first."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from sidecar.model.note import Link
from sidecar.model.path import VaultPath
from sidecar.services.facts import target_of
from sidecar.services.views import View

__all__ = ["LinkNames", "Neighbour", "around"]

_MOST_FOLLOWED = 1000
"""Notes whose links are followed; beyond it the whole vault is a neighbour."""
_PLAIN = "links_to"


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A note that is ``hops`` links away, by a link that stands in ``source`` and leads to ``target``."""

    path: VaultPath
    hops: int
    source: VaultPath
    target: VaultPath
    modified_ns: int


def around(
    view: View,
    start: VaultPath,
    depth: int,
    enough: Callable[[Sequence[Neighbour]], bool] = lambda _: False,
    links: Callable[[VaultPath], Iterable[tuple[VaultPath, VaultPath]]] | None = None,
) -> tuple[Neighbour, ...]:
    """Return the notes within ``depth`` links, nearest first, then newest; each once.

    ``links`` gives source and target of those to be followed from a file, else it is all that stand in it or lead to
    it. After each step ``enough`` may say that nobody will look further; what lies farther is then not among them.
    """
    links = links or (lambda path: _links(view, path))
    seen: dict[VaultPath, Neighbour | None] = {start: None}
    border = [start]
    followed = 0
    for hops in range(1, depth + 1):
        reached: list[VaultPath] = []
        for path in border[: _MOST_FOLLOWED - followed]:
            for source, target in links(path):
                other = target if source == path else source
                if other not in seen:
                    state = view.state(other)
                    seen[other] = Neighbour(other, hops, source, target, state.mtime_ns if state else 0)
                    reached.append(other)
        followed += len(border)
        border = reached
        found = [neighbour for neighbour in seen.values() if neighbour]
        if followed >= _MOST_FOLLOWED or enough(found):
            break
    return tuple(sorted(filter(None, seen.values()), key=lambda n: (n.hops, -n.modified_ns, n.path)))


def _links(view: View, path: VaultPath) -> Iterator[tuple[VaultPath, VaultPath]]:
    for link in view.outgoing(path):
        if link.target is not None:
            yield path, link.target
    for end in view.ends_to(path):
        yield end.source, path


class LinkNames:
    """Names the links of notes; each note is asked once."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._known: dict[VaultPath, dict[VaultPath, str]] = {}

    def between(self, source: VaultPath, target: VaultPath) -> str:
        """Return the type of the relation, else the property that holds the link, else ``links_to``."""
        if source not in self._known:
            self._known[source] = self._of(source)
        return self._known[source].get(target, _PLAIN)

    def _of(self, source: VaultPath) -> dict[VaultPath, str]:
        names: dict[VaultPath, str] = {}
        for relation in self._view.relations(source):
            if target := target_of(self._view, source, relation):
                names.setdefault(target, relation.type)
        for found in self._view.outgoing(source):
            if found.target is not None and (name := _property(found.link)):
                names.setdefault(found.target, name)
        return names


def _property(link: Link) -> str | None:
    """Return the property a link stands in, without its place in a list."""
    if link.property is None:
        return None
    names = [part for part in link.property.split(".") if not part.isdigit()]
    return ".".join(names) or link.property
