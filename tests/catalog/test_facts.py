import pytest

from sidecar.catalog.store import Catalog
from sidecar.model.note import FileKind, Observation, ParsedFile, Relation, Tag
from sidecar.model.path import VaultPath
from tests.catalog.builders import file, fill

A, B = VaultPath("a.md"), VaultPath("b.md")
FACTS = {
    A: (Observation("Tech", "one", ("x",), None, 3), Observation("idea", "two", (), "ctx", 4)),
    B: (Observation("tech", "three", (), None, 1),),
}
RELATIONS = {A: (), B: (Relation("knows", "A|a", None, 2), Relation("uses", "C", "why", 5))}


@pytest.fixture
def facts(catalog: Catalog) -> Catalog:
    fill(
        catalog,
        *(
            ParsedFile(path, FileKind.NOTE, path.basename, "", observations=FACTS[path], relations=RELATIONS[path])
            for path in (B, A)
        ),
    )
    return catalog


def test_facts_of_many_files_come_by_path_and_place(facts: Catalog) -> None:
    reader = facts.reader()
    assert reader.observations_of([B, A]) == (*((A, o) for o in FACTS[A]), *((B, o) for o in FACTS[B]))
    assert reader.relations_of([A, B]) == tuple((B, relation) for relation in RELATIONS[B])
    assert reader.observations_of([]) == ()
    assert reader.relations_of([A]) == ()
    assert reader.observations_of([VaultPath("none.md"), B]) == ((B, FACTS[B][0]),)


@pytest.mark.parametrize(("categories", "count"), [((), 3), (("TECH",), 2), (("idea", "tech"), 3), (("tec",), 0)])
def test_categories_are_whole_and_have_no_case(facts: Catalog, categories: tuple[str, ...], count: int) -> None:
    assert len(facts.reader().observations_of([A, B], categories)) == count


def test_permalinks_are_those_of_paths_and_the_notes_own(catalog: Catalog) -> None:
    fill(catalog, file("B c.md", properties={"permalink": "Own/Name"}), file("a.md"), file("x.png"))
    assert catalog.reader().permalinks() == (("B c.md", "b-c"), ("B c.md", "own/name"), ("a.md", "a"))


@pytest.mark.parametrize(
    ("tag", "found"), [("work", {"a.md", "b.md"}), ("#Work/x", {"b.md"}), ("body", set()), ("wor", set())]
)
def test_tags_among_the_properties(catalog: Catalog, tag: str, found: set[str]) -> None:
    a, b = (Tag("work", 2, in_property=True), Tag("body", 5)), (Tag("WORK/x", 2, in_property=True),)
    fill(
        catalog,
        ParsedFile(A, FileKind.NOTE, "a", "", tags=a),
        ParsedFile(B, FileKind.NOTE, "b", "", tags=b),
        file("c.md", tags=["work"]),
    )
    assert catalog.reader().property_tagged(tag) == found
