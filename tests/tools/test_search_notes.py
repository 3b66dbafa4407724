import pytest

from tests.conftest import Served


@pytest.fixture
def library(served: Served) -> Served:
    served.write("S.md", "alpha one two three. The 系統 is here.\n\nfar away omega crème brûlée running\n")
    served.write(
        "Projects/Alpha plan.md",
        "---\ntags: [work/now]\nstatus: active\ntype: spec\nauthor: Ada\n---\n# Plan\n\nalpha beta\n",
    )
    served.write("Other.md", "gamma delta #work\n")
    served.write(
        "Board.canvas",
        '{"nodes":[{"id":"a","type":"text","text":"a canvas about walruses","x":0,"y":0,"width":9,"height":9}]}',
    )
    return served


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("alpha omega", {"S.md"}),
        ("系統", {"S.md"}),
        ("統", {"S.md"}),
        ("creme brulee", {"S.md"}),
        ("run", {"S.md"}),
        ('"crème brûlée"', {"S.md"}),
        ("omega -alpha", set()),
        ("omega NOT gamma", {"S.md"}),
        ("gamma OR omega", {"Other.md", "S.md"}),
        ("(gamma OR alpha) AND beta", {"Projects/Alpha plan.md"}),
        ("tag:#work", {"Other.md", "Projects/Alpha plan.md"}),
        ("tag:work/now", {"Projects/Alpha plan.md"}),
        ("path:projects alpha", {"Projects/Alpha plan.md"}),
        ("author:ada", {"Projects/Alpha plan.md"}),
        ("walrus*", {"Board.canvas"}),
        ("'gamma delta'", {"Other.md"}),
        ("delt", {"Other.md"}),
    ],
)
def test_queries(library: Served, query: str, paths: set[str]) -> None:
    assert set(library.found(query)) == paths


def test_titles_come_first(library: Served) -> None:
    assert library.found("alpha")[0] == "Projects/Alpha plan.md"


def test_words_that_are_nowhere_together_are_relaxed_and_it_says_so(library: Served) -> None:
    result = library.ok("search_notes", query="omega delta")
    assert result["relaxed"] is True
    assert {r["file_path"] for r in result["results"]} == {"S.md", "Other.md"}
    assert library.call("search_notes", query="omega delta").blocks[0].startswith("No file has all these words")


def test_filters(library: Served) -> None:
    assert library.found("alpha", status="active") == ["Projects/Alpha plan.md"]
    assert library.found("alpha", tags=["work"]) == ["Projects/Alpha plan.md"]
    assert library.found("alpha", note_types="spec") == ["Projects/Alpha plan.md"]
    assert library.found("alpha", note_types=["note"]) == ["S.md"]
    assert library.ok("search_notes", tags="work")["total"] == 2


def test_titles_only(library: Served) -> None:
    assert library.found("beta", search_type="title") == []
    assert library.found("plan", search_type="title") == ["Projects/Alpha plan.md"]


def test_paging(library: Served) -> None:
    first = library.ok("search_notes", query="alpha", page_size=1)
    second = library.ok("search_notes", query="alpha", limit=1, page=2)
    assert (first["total"], first["has_more"], second["has_more"]) == (2, True, False)
    assert {first["results"][0]["file_path"], second["results"][0]["file_path"]} == {"S.md", "Projects/Alpha plan.md"}


def test_excerpts_have_line_and_heading_and_never_the_whole_note(library: Served) -> None:
    (hit,) = library.ok("search_notes", query="beta")["results"]
    assert (hit["line"], hit["heading"]) == (9, "Plan")
    assert "alpha beta" in hit["excerpt"]
    library.write("Long.md", "filler text\n" * 4000 + "needle\n")
    library.reindex()
    (hit,) = library.ok("search_notes", query="needle")["results"]
    assert len(hit["excerpt"]) < 500
    assert hit["line"] == 4001


def test_excerpts_stand_between_marks_that_change(library: Served) -> None:
    texts = {library.call("search_notes", query="gamma").blocks[0] for _ in range(3)}
    assert len(texts) == 3


def test_nothing_found_is_a_result(library: Served) -> None:
    assert library.ok("search_notes", query="zzzz")["results"] == []


def test_nothing_to_search_for_is_invalid(library: Served) -> None:
    library.fails("search_notes", "invalid", query="  ")


@pytest.mark.parametrize(
    "query", ["(", ")", '"', "AND", "NOT", "-", "OR OR", "((a", "tag:", "path:", "''", "a AND (b OR", "#", "*"]
)
def test_no_query_is_a_fault(library: Served, query: str) -> None:
    assert not library.call("search_notes", query=query).is_error
