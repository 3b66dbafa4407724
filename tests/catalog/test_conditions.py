import pytest

from sidecar.catalog.store import Catalog
from sidecar.model.note import Json, Tag
from sidecar.model.path import VaultPath
from sidecar.model.search import Leaf, PathHas, PropertyIs, TagIs
from tests.catalog.builders import file, fill


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("work", {"a.md", "b.md", "c.md"}),
        ("#Work", {"a.md", "b.md", "c.md"}),
        ("WORK/", {"a.md", "b.md", "c.md"}),
        ("work/x", {"b.md"}),
        ("wor", set()),
        ("x", set()),
        ("myjob", {"d.md"}),
        ("ÉTÉ", {"d.md"}),
        ("work%", set()),
    ],
)
def test_t6_s7_tag_with_those_below_it(catalog: Catalog, tag: str, expected: set[str]) -> None:
    fill(
        catalog,
        file("a.md", tags=["Work", "work"]),
        file("b.md", tags=["wOrk/X/y"]),
        file("c.md", tags=["n", "work/"]),
        file("d.md", tags=["myjob/work", "work-x", "work0", "e\u0301te\u0301"]),
    )
    assert catalog.reader().matching(TagIs(tag)) == expected


def test_t6_tags_of_properties_count(catalog: Catalog) -> None:
    fill(catalog, file("a.md"))
    parsed = file("b.md")
    fill(catalog, type(parsed)(parsed.path, parsed.kind, "b", "", tags=(Tag("t", 2, in_property=True),)))
    assert catalog.reader().matching(TagIs("t")) == {"b.md"}


def test_t6_counting_a_tag_counts_its_parents_as_first_written(catalog: Catalog) -> None:
    fill(
        catalog,
        file("z.md", tags=["WORK", "WORK/A"]),
        file("a.md", tags=["Work/a", "Work/b", "work/A"]),
        file("b.md", tags=["n/"]),
    )
    counts = catalog.reader().tag_counts()
    assert list(counts.items()) == [("n", 1), ("Work", 2), ("Work/a", 2), ("Work/b", 1)]


def test_tags_of_hidden_files_count_for_nothing(catalog: Catalog) -> None:
    fill(catalog, file("a.md", tags=["SECRET", "x"]), file("b.md", tags=["x"]))
    hidden = frozenset({VaultPath("a.md"), VaultPath("gone.md")})
    assert catalog.reader().tag_counts(hidden) == {"x": 1}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PROJ", {"Projects/a.md"}),
        ("cafe\u0301", {"Café/b.png"}),
        ("cafe", set()),
        (".png", {"Café/b.png"}),
        ("ts/a", {"Projects/a.md"}),
        ("", {"Projects/a.md", "Café/b.png"}),
    ],
)
def test_s6_path_contains(catalog: Catalog, text: str, expected: set[str]) -> None:
    fill(catalog, file("Projects/a.md"), file("Café/b.png"))
    assert catalog.reader().matching(PathHas(text)) == expected


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("status", "draft", {"a.md"}),
        ("STATUS", "DRAFT", {"a.md"}),
        ("status", "dra", set()),
        ("rating", 5, {"a.md", "b.md", "c.md"}),
        ("rating", "5", {"a.md", "b.md", "c.md"}),
        ("done", True, {"a.md"}),
        ("done", 1, set()),
        ("empty", None, {"a.md"}),
        ("empty", "", set()),
        ("status", None, set()),
        ("list", "x", {"b.md"}),
        ("list", ["X", "y"], {"b.md"}),
        ("list", ["y", "X"], set()),
        ("map", {"k": 1.0}, {"b.md"}),
        ("missing", "x", set()),
        ("status", "x" * 300, {"d.md"}),
    ],
)
def test_s11_property_has_value(catalog: Catalog, name: str, value: Json, expected: set[str]) -> None:
    fill(
        catalog,
        file("a.md", properties={"Status": "Draft", "rating": 5, "done": True, "empty": None}),
        file("b.md", properties={"rating": 5.0, "list": ["X", "y"], "map": {"k": 1}}),
        file("c.md", properties={"rating": ["4", "5"]}),
        file("d.md", properties={"status": "X" * 300}),
    )
    assert catalog.reader().matching(PropertyIs(name, value)) == expected


def test_a_note_without_a_type_is_a_note(catalog: Catalog) -> None:
    fill(
        catalog,
        file("a.md"),
        file("b.md", properties={"type": "Note"}),
        file("c.md", properties={"Type": "person"}),
        file("d.canvas"),
        file("e.png"),
    )
    assert catalog.reader().matching(PropertyIs("type", "note")) == {"a.md", "b.md"}
    assert catalog.reader().matching(PropertyIs("type", "person")) == {"c.md"}


def test_property_names_are_lower_case_and_without_those_of_hidden_files(catalog: Catalog) -> None:
    fill(catalog, file("a.md", properties={"Status": 1, "SECRET": []}), file("b.md", properties={"status": {}}))
    assert catalog.reader().property_names() == {"status", "secret"}
    assert catalog.reader().property_names(frozenset({VaultPath("a.md")})) == {"status"}


@pytest.mark.parametrize("leaf", [TagIs("\ud800"), PathHas("\ud800"), PropertyIs("\ud800", "\ud800")])
def test_half_a_surrogate_pair_is_a_question_like_any_other(catalog: Catalog, leaf: Leaf) -> None:
    fill(catalog, file("a.md", tags=["x"]))
    assert catalog.reader().matching(leaf) == frozenset()
