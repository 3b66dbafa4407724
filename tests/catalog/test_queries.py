import pytest

from sidecar.catalog.store import Catalog
from sidecar.model.file import FileState
from sidecar.model.note import (
    BlockId,
    FileKind,
    Heading,
    Observation,
    ParsedFile,
    PropertyProblem,
    Relation,
    Tag,
    Task,
)
from sidecar.model.path import VaultPath
from sidecar.model.search import Leaf, PathHas, PropertyIs, TagIs
from tests.catalog.builders import file, fill, link

A = VaultPath("Folder/A.md")
WHOLE = ParsedFile(
    A,
    FileKind.NOTE,
    "The Title",
    "body is not kept",
    {"title": "The Title", "n": [1, 2.0, {"k": None}]},
    aliases=("One", "Two"),
    headings=(Heading(1, "See [[Other]]", 5, 40, 55), Heading(2, "B", 9, 80, 85)),
    tags=(Tag("work", 2, in_property=True), Tag("Work/x", 6)),
    links=(link("[[B]]"), link("[[C]]")),
    tasks=(Task(" ", "do", 7), Task("x", "did", 8, 7, "B")),
    block_ids=(BlockId("id-1", 9),),
    observations=(Observation("fact", "water is wet #x", ("x",), "seen", 10),),
    relations=(Relation("part_of", "B|b", None, 11),),
)


def test_a_record_holds_everything_but_the_text(catalog: Catalog) -> None:
    snapshot = fill(catalog, WHOLE)
    note = catalog.reader().note(A)
    assert note
    assert note.state == snapshot.files[A] == FileState(1, 1, 16, "0" * 64)
    for name in ("path", "kind", "title", "properties", "problem", "aliases", "tags", "headings"):
        assert getattr(note, name) == getattr(WHOLE, name), name
    assert note.permalink == "folder/a"
    assert (note.link_count, note.task_count, note.observation_count, note.relation_count) == (2, 2, 1, 1)


def test_parts_come_back_as_they_were(catalog: Catalog) -> None:
    fill(catalog, WHOLE, file("b.md"))
    reader = catalog.reader()
    assert reader.headings(A) == WHOLE.headings
    assert reader.tasks(A) == WHOLE.tasks
    assert reader.block_ids(A) == WHOLE.block_ids
    assert reader.observations(A) == WHOLE.observations
    assert reader.relations(A) == WHOLE.relations
    assert tuple(found.link for found in reader.outgoing(A)) == WHOLE.links


def test_unknown_paths_answer_nothing(catalog: Catalog) -> None:
    reader = catalog.reader()
    assert reader.note(A) is None
    assert reader.headings(A) == ()
    assert reader.records([A]) == ()
    assert reader.titles_of([A]) == {}


def test_a_problem_is_kept(catalog: Catalog) -> None:
    fill(catalog, file("a.md", problem=PropertyProblem("", 3)))
    note = catalog.reader().note(VaultPath("a.md"))
    assert note
    assert note.problem == PropertyProblem("", 3)


def test_records_and_titles_in_the_order_asked(catalog: Catalog) -> None:
    fill(catalog, file("a.md", title="T"), file("b.md"))
    asked = [VaultPath("b.md"), VaultPath("x.md"), VaultPath("a.md")]
    assert [note.path for note in catalog.reader().records(asked)] == ["b.md", "a.md"]
    assert catalog.reader().titles_of(asked) == {"b.md": "b", "a.md": "T"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the title", ("b.md", "x/A.md")),
        ("THE TITLE", ("b.md", "x/A.md")),
        ("cafe\u0301", ("Café.md",)),
        ("board", ("board.canvas",)),
        ("photo", ()),
        ("A", ()),
        ("\ud800", ()),
    ],
)
def test_titled(catalog: Catalog, text: str, expected: tuple[str, ...]) -> None:
    fill(
        catalog,
        file("x/A.md", title="The Title"),
        file("b.md", title="THE title"),
        file("Café.md"),
        file("board.canvas"),
        file("photo.png"),
    )
    assert catalog.reader().titled(text) == expected


def test_aliased(catalog: Catalog) -> None:
    fill(catalog, file("b.md", aliases=("AI", "ai")), file("a.md", aliases=("Ai",)), file("ai.md"))
    assert catalog.reader().aliased("AI") == ("a.md", "b.md")
    assert catalog.reader().aliased("x") == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("projects/my-idea", ("Projects/My Idea.md", "projects/my_idea.md")),
        ("/Projects/My-Idea/", ("Projects/My Idea.md", "projects/my_idea.md")),
        ("custom/Link", ("a.md",)),
        ("b", ("a2.md",)),  # a note's own permalink comes before a computed one
        ("photo", ()),
        ("board.canvas", ("board.canvas",)),
    ],
)
def test_by_permalink(catalog: Catalog, text: str, expected: tuple[str, ...]) -> None:
    fill(
        catalog,
        file("Projects/My Idea.md"),
        file("projects/my_idea.md"),
        file("a.md", properties={"permalink": "/custom/link"}),
        file("a2.md", properties={"permalink": "b"}),
        file("b.md", properties={"permalink": 5}),
        file("photo.png"),
        file("board.canvas"),
    )
    assert catalog.reader().by_permalink(text) == expected


def test_names_for_suggestions(catalog: Catalog) -> None:
    fill(catalog, file("b.md", aliases=("Two", "One")), file("a.md", title="T"), file("p.png"))
    assert catalog.reader().names() == (("a.md", "T", ()), ("b.md", "b", ("Two", "One")))


@pytest.mark.parametrize("leaf", [PropertyIs("n", "one"), TagIs("one"), PathHas("one"), PropertyIs("n", 1)])
def test_kept_answers_are_those_of_the_newest_state(catalog: Catalog, leaf: Leaf) -> None:
    reader = catalog.reader()
    fill(catalog, file("a.md", properties={"n": "two"}))
    assert reader.matching(leaf) == frozenset()
    fill(catalog, file("one.md", tags=["one"], properties={"n": ["one", 1]}))
    assert reader.matching(leaf) == reader.matching(leaf) == {"one.md"}


def test_values_that_compare_alike_are_kept_apart(catalog: Catalog) -> None:
    fill(catalog, file("a.md", properties={"n": True}), file("b.md", properties={"n": 1}))
    reader = catalog.reader()
    assert [reader.matching(PropertyIs("n", value)) for value in (True, 1, "1")] == [{"a.md"}, {"b.md"}, {"b.md"}]


def test_properties_of_many_files(catalog: Catalog) -> None:
    fill(catalog, file("a.md", properties={"x": [1, "b"]}), file("b.md"))
    paths = [VaultPath(path) for path in ("a.md", "b.md", "gone.md")]
    assert catalog.reader().properties_of(paths) == {"a.md": {"x": [1, "b"]}, "b.md": {}}
