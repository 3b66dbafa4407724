from itertools import count

import pytest

from sidecar.model.path import VaultPath
from sidecar.services.caller import Audience
from sidecar.services.link_graph import LinkGraph
from sidecar.services.per_view import PerView
from tests.conftest import Served

LINKS = {"A": "BC", "B": "D", "C": "D", "D": "E", "E": "", "X": "E", "Lone": ""}


def graph_of(links: dict[str, str]) -> LinkGraph:
    outgoing = {VaultPath(source): [VaultPath(target) for target in targets] for source, targets in links.items()}
    incoming: dict[VaultPath, list[VaultPath]] = {}
    for source, targets in outgoing.items():
        for target in targets:
            incoming.setdefault(target, []).append(source)
    return LinkGraph(outgoing, incoming)


@pytest.mark.parametrize(
    ("start", "goal", "back", "way"),
    [
        ("A", "E", False, "ABDE"),
        ("A", "A", False, "A"),
        ("E", "A", False, ""),
        ("E", "A", True, "EDBA"),
        ("A", "X", False, ""),
        ("A", "X", True, "ABDEX"),
        ("A", "Lone", True, ""),
        ("Gone", "A", True, ""),
    ],
)
def test_a_shortest_way(start: str, goal: str, back: bool, way: str) -> None:
    assert graph_of(LINKS).way(VaultPath(start), VaultPath(goal), back=back) == tuple(way)


def test_links_of_all_kinds_make_the_graph_and_none_to_the_own_file(served: Served) -> None:
    served.write("A.md", "---\nup: '[[B]]'\n---\n[[A]] [[#h]] [[B]] [[none]] ![[B]]")
    served.write("B.md", "x")
    served.write("C.base", "filters: file.hasLink('A')\n")
    served.write("D.canvas", '{"nodes":[{"id":"1","type":"file","file":"C.base","x":0,"y":0,"width":9,"height":9}]}')
    services = served.open().services
    view = services.links._views.newest(Audience.AGENT)
    graph = LinkGraph.of(view, services.links._files.reader())
    assert graph.outgoing == {"A.md": ["B.md"], "C.base": ["A.md"], "D.canvas": ["C.base"]}
    assert graph.incoming == {"B.md": ["A.md"], "A.md": ["C.base"], "C.base": ["D.canvas"]}


def test_c27_law_a_graph_that_follows_changes_is_the_one_made_anew(guarded: Served) -> None:
    """Files come, change, go, and become hidden or seen."""
    services = guarded.open().services
    views, read = services.links._views, services.links._files.reader()
    graphs = dict.fromkeys(Audience, LinkGraph({}, {}))
    steps: list[tuple[str, str | None]] = [
        ("A.md", "[[B]] [[C]] [[A]]"),
        ("B.md", "[[C]]"),
        ("C.md", "[[A]]"),
        ("C.md", "---\nprivate: true\n---\n[[A]] [[B]]"),
        ("Sub/B.md", "[[C]] [[B]]"),
        ("B.md", None),
        ("D.base", "filters: file.hasLink('C')\n"),
        ("C.md", "[[Sub/B]]"),
        ("D.base", None),
        ("A.md", "x"),
    ]
    for path, text in steps:
        if text is None:
            (guarded.root / path).unlink()
        else:
            guarded.write(path, text)
        guarded.reindex()
        for audience in Audience:
            view = views.newest(audience)
            graphs[audience] = graph = graphs[audience].at(view, read)
            anew = LinkGraph.of(view, read)
            assert (graph.outgoing, graph.incoming) == (anew.outgoing, anew.incoming)
            assert "C.md" not in graph.outgoing or not view.hidden or "C.md" not in view.hidden


def test_what_is_worked_out_for_a_view_is_kept_until_there_is_a_newer_one(served: Served) -> None:
    served.write("A.md", "x")
    views = served.open().services.links._views
    numbers = count(1)
    kept = PerView(lambda _view, _before: next(numbers))
    first = views.newest(Audience.AGENT)
    assert [kept.of(first), kept.of(first), kept.of(views.newest(Audience.PERSON)), kept.of(first)] == [1, 1, 2, 1]
    served.write("B.md", "x")
    served.reindex()
    assert kept.of(views.newest(Audience.AGENT)) == 3
