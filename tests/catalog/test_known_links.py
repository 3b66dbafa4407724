from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.catalog import known_links
from sidecar.catalog.known_links import KnownLinks
from sidecar.catalog.store import Catalog
from sidecar.model.path import VaultPath as P
from tests.catalog.builders import file, fill


def links_now(catalog: Catalog, before: KnownLinks | None = None) -> KnownLinks:
    with catalog.reader()._connections.state() as now:
        return (before or KnownLinks()).at(now)


def test_files_that_no_change_touched_keep_the_very_same_links(catalog: Catalog) -> None:
    fill(catalog, file("A.md", "[[B]]", "[[new]]"), file("B.md", "[[A]]"), file("C.md", "[[A]]"), file("Alone.md"))
    first = links_now(catalog)
    assert first.by_file.keys() == {"A.md", "B.md", "C.md"}
    assert links_now(catalog, first) is first
    fill(catalog, file("sub/New.md"), file("C.md", "[[B]]"))
    second = links_now(catalog, first)
    assert second.by_file[P("B.md")] is first.by_file[P("B.md")]
    assert [end.target for end in second.by_file[P("A.md")]] == ["B.md", "sub/New.md"]
    assert [end.target for end in second.by_file[P("C.md")]] == ["B.md"]


NAMES = st.sampled_from(["a.md", "b.md", "Sub/a.md", "Sub/c.canvas", "e.png"])
LINKS = st.sampled_from(["[[a]]", "[[B]]", "[[./a]]", "[[../b]]", "[[Sub/a]]", "[[e.png]]", "[[#h]]", "[[none]]"])
CHANGES = st.tuples(NAMES, st.lists(LINKS, max_size=3), st.booleans())


@pytest.mark.parametrize("many", [0, 500])
@given(rounds=st.lists(st.lists(CHANGES, max_size=4), max_size=4))
@settings(max_examples=40, deadline=None)
def test_law_links_that_follow_changes_are_those_asked_for_anew(
    many: int, rounds: list[list[tuple[str, list[str], bool]]]
) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(known_links, "_MANY", many)
        catalog = Catalog(Path(folder) / "catalog.sqlite3")
        known = links_now(catalog)
        try:
            for changes in rounds:
                for path, links, stays in changes:
                    if stays:
                        fill(catalog, file(path, *links))
                    elif P(path) in catalog.snapshot.files:
                        catalog.remove(P(path))
                catalog.commit()
                known = links_now(catalog, known)
                assert known.by_file == links_now(catalog).by_file
                reader = catalog.reader()
                outgoing = {path: [found.target for found in reader.outgoing(path)] for path in catalog.snapshot.files}
                assert {path: [end.target for end in ends] for path, ends in known.by_file.items()} == {
                    path: targets for path, targets in outgoing.items() if targets
                }
        finally:
            catalog.close()
