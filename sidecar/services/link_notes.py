"""Files by their links: the most linked, those nothing links to, the ones around a note, and the steps of a way."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.services.link_graph import LinkGraph
from sidecar.services.link_results import LinkedNote, Step
from sidecar.services.mention import Direction
from sidecar.services.neighbours import LinkNames, around
from sidecar.services.views import View

__all__ = ["hubs", "named", "neighbours", "orphans", "steps"]


def hubs(view: View, graph: LinkGraph) -> list[LinkedNote]:
    """Return the notes, canvases and bases that most files link to, the most linked first.

    What the user excluded in Obsidian is left out (A13), but counts where it links.
    """
    paths = (path for path in graph.incoming if kind_of(path) is not FileKind.ATTACHMENT and path not in view.excluded)
    found = [_linked(view, graph, path) for path in paths]
    return sorted(found, key=lambda note: (-(note.incoming or 0), -(note.outgoing or 0), note.path))


def orphans(view: View, graph: LinkGraph) -> list[LinkedNote]:
    """Return the notes that no other file links to, by path; excluded ones are left out (A13)."""
    paths = (path for path, _ in view.files() if kind_of(path) is FileKind.NOTE and path not in view.excluded)
    return [_linked(view, graph, path) for path in sorted(paths) if path not in graph.incoming]


def _linked(view: View, graph: LinkGraph, path: VaultPath) -> LinkedNote:
    state = view.state(path)
    return LinkedNote(
        path,
        path.basename,
        state.mtime_ns if state else 0,
        incoming=len(graph.incoming.get(path, ())),
        outgoing=len(graph.outgoing.get(path, ())),
    )


def neighbours(view: View, start: VaultPath, depth: int, direction: Direction) -> list[LinkedNote]:
    """Return the files within ``depth`` links, nearest first, then newest; each with the link that led to it."""
    forward, back = direction is not Direction.BACKLINKS, direction is not Direction.OUTGOING
    return [
        LinkedNote(
            found.path,
            found.path.basename,
            found.modified_ns,
            hops=found.hops,
            source=found.source,
            target=found.target,
        )
        for found in around(view, start, depth, forward=forward, back=back)
    ]


def named(view: View, notes: Sequence[LinkedNote]) -> Iterator[LinkedNote]:
    """Go through files with their titles and the names of the links that led to them, for one page of them."""
    titles = view.titles_of([note.path for note in notes])
    names = LinkNames(view)
    for note in notes:
        yield replace(
            note,
            title=titles.get(note.path, note.path.basename),
            hidden=view.hides_from_agents(note.path),
            relation=names.between(note.source, note.target) if note.source and note.target else None,
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
