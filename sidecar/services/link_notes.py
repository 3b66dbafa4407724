"""Files by their links: the most linked, those nothing links to, the ones around a note, and the steps of a way."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.services.link_graph import LinkGraph
from sidecar.services.link_results import LinkedNote, Step
from sidecar.services.neighbours import LinkNames, Neighbour
from sidecar.services.views import View

__all__ = ["counted", "hubs", "orphans", "reached", "steps"]


def hubs(view: View, graph: LinkGraph) -> list[VaultPath]:
    """Return the notes, canvases and bases that other files link to, the most linked first.

    What the user excluded in Obsidian is left out (A13), but counts where it links.
    """
    left_out, incoming, outgoing = view.excluded, graph.incoming, graph.outgoing
    found = (path for path in incoming if (path.endswith(".md") or kind_of(path) is not FileKind.ATTACHMENT))
    by_path = sorted(path for path in found if path not in left_out)
    # One number is compared faster than a tuple, and the sort leaves equal ones by path.
    ranks = {path: (len(incoming[path]) << 32) + len(outgoing.get(path, ())) for path in by_path}
    return sorted(by_path, key=ranks.__getitem__, reverse=True)


def orphans(view: View, graph: LinkGraph) -> list[VaultPath]:
    """Return the notes that no other file links to, by path; excluded ones are left out (A13)."""
    notes = (path for path, _ in view.files() if path not in graph.incoming and kind_of(path) is FileKind.NOTE)
    return sorted(path for path in notes if path not in view.excluded)


def counted(view: View, graph: LinkGraph, paths: Sequence[VaultPath]) -> Iterator[LinkedNote]:
    """Go through files with how many others they are linked from and link to."""
    titles = view.titles_of(paths)
    for path in paths:
        yield LinkedNote(
            path,
            titles.get(path, path.basename),
            _modified(view, path),
            incoming=len(graph.incoming.get(path, ())),
            outgoing=len(graph.outgoing.get(path, ())),
            hidden=view.hides_from_agents(path),
        )


def reached(view: View, found: Sequence[Neighbour]) -> Iterator[LinkedNote]:
    """Go through neighbours with the links that led to them."""
    titles = view.titles_of([neighbour.path for neighbour in found])
    names = LinkNames(view)
    for neighbour in found:
        yield LinkedNote(
            neighbour.path,
            titles.get(neighbour.path, neighbour.path.basename),
            neighbour.modified_ns,
            hops=neighbour.hops,
            relation=names.between(neighbour.source, neighbour.target),
            source=neighbour.source,
            target=neighbour.target,
            hidden=view.hides_from_agents(neighbour.path),
        )


def steps(view: View, graph: LinkGraph, way: Sequence[VaultPath]) -> tuple[Step, ...]:
    """Return the links between the files of a way."""
    names = LinkNames(view)
    found = []
    for path, following in pairwise(way):
        is_forward = following in graph.outgoing.get(path, ())
        source, target = (path, following) if is_forward else (following, path)
        found.append(Step(source, target, names.between(source, target), is_forward))
    return tuple(found)


def _modified(view: View, path: VaultPath) -> int:
    state = view.state(path)
    return state.mtime_ns if state else 0
