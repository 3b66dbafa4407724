from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.catalog import likeness
from sidecar.catalog.likeness import KnownNames
from sidecar.catalog.records import NamedFile
from sidecar.catalog.store import Catalog
from sidecar.model.path import VaultPath as P
from tests.catalog.builders import file, fill


def paths(found: tuple[NamedFile, ...]) -> list[str]:
    return [named.path for named in found]


def test_those_that_share_most_come_first(catalog: Catalog) -> None:
    fill(catalog, file("People/Anna Karenina.md"), file("Anna.md"), file("Boat.md"), file("x.png"))
    reader = catalog.reader()
    assert paths(reader.names_like("anna karenin", 5)) == ["People/Anna Karenina.md", "Anna.md"]
    assert paths(reader.names_like("anna karenin", 1)) == ["People/Anna Karenina.md"]
    assert paths(reader.names_like("anna karenin", 1, {P("People/Anna Karenina.md")})) == ["Anna.md"]
    assert paths(reader.names_like("people/anna", 1)) == ["People/Anna Karenina.md"]
    assert reader.names_like("qqqq", 5) == ()
    assert reader.names_like("", 5) == ()


def test_titles_and_aliases_count(catalog: Catalog) -> None:
    fill(catalog, file("a.md", title="Kitchen"), file("b.md", aliases=("Küche", "Kombüse")), file("c.md"))
    assert paths(catalog.reader().names_like("kitchn", 1)) == ["a.md"]
    assert paths(catalog.reader().names_like("kombüsen", 1)) == ["b.md"]


def test_half_a_surrogate_pair_is_no_trouble(catalog: Catalog) -> None:
    fill(catalog, file("a.md"))
    assert catalog.reader().names_like("\ud83d", 1) == ()


NAMES = st.sampled_from(["a.md", "b.md", "Sub/c.md", "Sub/d.canvas", "e.png"])
CHANGES = st.tuples(
    NAMES, st.sampled_from(["", "One", "Other title"]), st.lists(st.sampled_from(["x", "Two"])), st.booleans()
)


@pytest.mark.parametrize("many", [0, 500])
@given(rounds=st.lists(st.lists(CHANGES, max_size=4), max_size=4))
@settings(max_examples=25, deadline=None)
def test_names_that_follow_changes_are_those_asked_for_anew(
    many: int, rounds: list[list[tuple[str, str, list[str], bool]]]
) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(likeness, "_MANY", many)
        catalog = Catalog(Path(folder) / "catalog.sqlite3")
        reader = catalog.reader()
        try:
            for changes in rounds:
                for path, title, aliases, stays in changes:
                    if stays:
                        fill(catalog, file(path, title=title, aliases=tuple(aliases)))
                    elif P(path) in catalog.snapshot.files:
                        catalog.remove(P(path))
                catalog.commit()
                with reader._connections.state() as now:
                    anew = KnownNames().at(now)
                assert reader.names() == anew.files
                assert reader._names._all_marks == anew._all_marks
        finally:
            catalog.close()
