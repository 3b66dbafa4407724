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


@pytest.mark.parametrize(
    ("query", "paths"),
    [
        ("line:(alpha three)", {"S.md"}),
        ("line:(alpha omega)", set()),
        ("block:(far running)", {"S.md"}),
        ("section:(plan beta)", {"Projects/Alpha plan.md"}),
        ("-line:alpha", {"Other.md", "Board.canvas"}),
        ("/cr.me/", {"S.md"}),
        (r"path:/d\.\w+s$/", {"Board.canvas"}),
        ("file:board", {"Board.canvas"}),
        ("content:alpha", {"S.md", "Projects/Alpha plan.md"}),
        ("match-case:Alpha", {"Projects/Alpha plan.md"}),
        ("[status]", {"Projects/Alpha plan.md"}),
        ("[author:ada OR bob]", {"Projects/Alpha plan.md"}),
        ("projects", {"Projects/Alpha plan.md"}),
        ("runing", {"S.md"}),
        ("line:walruses", {"Board.canvas"}),
    ],
)
def test_operators(library: Served, query: str, paths: set[str]) -> None:
    assert set(library.found(query)) == paths


def test_what_was_corrected_is_said(library: Served) -> None:
    result = library.ok("search_notes", query="runing")
    assert (result["corrected"], result["relaxed"], result["incomplete"]) == ({"runing": "running"}, False, False)
    first, *_ = library.call("search_notes", query="runing").blocks[0].split("\n")
    assert first == "Nothing matches as written; searched 'running' for 'runing'."


def test_conditions_have_no_score(library: Served) -> None:
    assert {r["score"] for r in library.ok("search_notes", query="tag:work")["results"]} == {None}
    text = library.call("search_notes", query="tag:work").blocks[0]
    assert "score" not in text
    assert "score" in library.call("search_notes", query="tag:work gamma").blocks[0]


def test_a_cursor_leads_to_the_next_page(library: Served) -> None:
    first = library.ok("search_notes", query="alpha", page_size=1)
    second = library.ok("search_notes", query="alpha", page_size=1, cursor=first["next"])
    assert (second["current_page"], second["has_more"], second["next"]) == (2, False, None)
    assert {r["file_path"] for r in first["results"] + second["results"]} == {"S.md", "Projects/Alpha plan.md"}
    text = library.call("search_notes", query="alpha", page_size=1).blocks[0]
    assert f"More: page=2, or cursor={first['next']}" in text


def test_an_incomplete_result_says_so(library: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    library.open()
    monkeypatch.setattr("sidecar.services.conditions._SECONDS", -1.0)
    result = library.ok("search_notes", query="line:alpha")
    assert (result["results"], result["incomplete"], result["unchecked"]) == ([], True, 2)
    assert library.call("search_notes", query="line:alpha").blocks[0].startswith("Incomplete: 2 files")


def test_ten_hits_are_short(served: Served) -> None:
    paragraph = (
        "The rainwater tank stands behind the shed and overflows whenever it rains for more than two days. " * 40
    )
    for number in range(12):
        served.write(f"Projects/Garden/A rather long title of a note {number}.md", f"# Heading of it\n\n{paragraph}")
    text = served.call("search_notes", query="tank shed").blocks[0]
    assert text.count("\n") < 30
    assert len(text) < 5000  # English has more than three characters a token


def test_nothing_found_is_a_result(library: Served) -> None:
    assert library.ok("search_notes", query="zzzz")["results"] == []


def test_nothing_to_search_for_is_invalid(library: Served) -> None:
    library.fails("search_notes", "invalid", query="  ")


@pytest.mark.parametrize(
    "query",
    [
        "(",
        ")",
        '"',
        "AND",
        "NOT",
        "-",
        "OR OR",
        "((a",
        "tag:",
        "path:",
        "''",
        "a AND (b OR",
        "#",
        "*",
        "line:",
        'task:""',
        "[",
        "[]",
        "[:",
        "/",
        "//",
        "match-case:",
        "[a:<]",
        "[[x]]",
    ],
)
def test_no_query_is_a_fault(library: Served, query: str) -> None:
    assert not library.call("search_notes", query=query).is_error
