import os
from typing import Any

import pytest

from bench.make_vault import generate
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
    assert "alpha beta" in hit["content"]
    library.write("Long.md", "filler text\n" * 4000 + "needle\n")
    library.reindex()
    (hit,) = library.ok("search_notes", query="needle")["results"]
    assert len(hit["content"]) < 500
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


@pytest.mark.parametrize(
    ("query", "head"),
    [
        ("beta", "1 match 'beta'; 1 to 1:"),
        ("'alpha beta'", "1 match 'alpha beta'; 1 to 1:"),
        ('"alpha beta"', '1 match "alpha beta"; 1 to 1:'),
        ('"no such"', 'Nothing matches "no such". Try fewer or other words, or word* for a beginning.'),
    ],
)
def test_the_query_is_shown_in_one_pair_of_quotes(library: Served, query: str, head: str) -> None:
    assert library.call("search_notes", query=query).blocks[0].split("\n")[0] == head


def test_without_a_query_it_is_the_conditions_that_nothing_meets(library: Served) -> None:
    text = library.call("search_notes", status="never heard of").blocks[0]
    assert text.startswith("Nothing meets all these conditions. Leave one out")


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


def test_each_result_has_the_keys_of_the_contract(library: Served) -> None:
    result = library.ok("search_notes", query="beta")
    (row,) = result["results"]
    assert {key: row[key] for key in ("title", "type", "permalink", "entity", "file_path", "content")} == {
        "title": "Alpha plan",
        "type": "entity",
        "permalink": "projects/alpha-plan",
        "entity": "projects/alpha-plan",
        "file_path": "Projects/Alpha plan.md",
        "content": "# Plan\n\nalpha beta",
    }
    assert row["score"] > 0
    assert row["updated_at"].endswith("+00:00")
    paging = {key: result[key] for key in ("current_page", "page_size", "total", "has_more", "search_type_used")}
    assert paging == {
        "current_page": 1, "page_size": 10, "total": 1, "has_more": False, "search_type_used": "text",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("alias", "name", "value"),
    [
        ("q", "query", "alpha"),
        ("search", "query", "alpha"),
        ("text", "query", "alpha"),
        ("page_number", "page", 2),
        ("limit", "page_size", 1),
        ("per_page", "page_size", 1),
        ("note_type", "note_types", "spec"),
        ("types", "note_types", ["spec"]),
        ("entity_type", "entity_types", "relation"),
        ("category", "categories", '["idea"]'),
        ("since", "after_date", "1 week"),
        ("after", "after_date", "yesterday"),
        ("from_date", "after_date", "2001-01-01"),
        ("threshold", "min_similarity", 0.5),
        ("similarity_threshold", "min_similarity", 0.5),
        ("all_projects", "search_all_projects", True),
    ],
)
def test_names_of_basic_memory_are_understood(library: Served, alias: str, name: str, value: object) -> None:
    least = {} if name == "query" else {"query": "alpha"}
    one, other = ({**least, key: value} for key in (alias, name))
    assert library.ok("search_notes", **one) == library.ok("search_notes", **other)


@pytest.mark.parametrize(
    ("arguments", "paths"),
    [
        ({"note_types": "spec, note"}, {"Projects/Alpha plan.md", "S.md"}),
        ({"note_types": '["spec"]'}, {"Projects/Alpha plan.md"}),
        ({"tags": "#work/now"}, {"Projects/Alpha plan.md"}),
        ({"metadata_filters": {"status": "active"}}, {"Projects/Alpha plan.md"}),
        ({"metadata_filters": '{"author": {"$in": ["ada", "bob"]}}'}, {"Projects/Alpha plan.md"}),
        ({"metadata_filters": {"status": "active"}, "status": "done"}, {"Projects/Alpha plan.md"}),
        ({"metadata_filters": {"status": None}}, {"S.md"}),
        ({"metadata_filters": {}}, {"Projects/Alpha plan.md", "S.md"}),
        ({"after_date": "1 week"}, {"Projects/Alpha plan.md", "S.md"}),
        ({"search_type": "title", "query": "tag:work plan"}, {"Projects/Alpha plan.md"}),
        ({"search_type": "permalink", "query": "projects/*"}, {"Projects/Alpha plan.md"}),
        ({"query": '""alpha one""'}, {"S.md"}),
        ({"query": '""alpha one" AND omega"'}, {"S.md"}),
        ({"query": "'alpha one'"}, {"S.md"}),
        ({"query": "(alpha OR gamma) AND NOT beta"}, {"S.md", "Other.md"}),
        ({"query": None, "status": "active"}, {"Projects/Alpha plan.md"}),
        ({"query": None, "note_types": ["spec"]}, {"Projects/Alpha plan.md"}),
        ({"query": None, "after_date": "7d", "tags": ["work"]}, {"Projects/Alpha plan.md", "Other.md"}),
    ],
)
def test_every_filter_holds(library: Served, arguments: dict[str, Any], paths: set[str]) -> None:
    assert set(library.found(**{"query": "alpha", **arguments})) == paths


def test_after_date_is_the_last_change(library: Served) -> None:
    os.utime(library.root / "S.md", (1_700_000_000, 1_700_000_000))
    assert library.found("alpha", after_date="2024-01-01") == ["Projects/Alpha plan.md"]
    assert set(library.found("alpha", after_date="2023-01-01")) == {"Projects/Alpha plan.md", "S.md"}


@pytest.mark.parametrize(
    ("sort", "titles"),
    [
        ("title_asc", ["Alpha plan", "S"]),
        ("title_desc", ["S", "Alpha plan"]),
        ("updated_asc", ["S", "Alpha plan"]),
        ("created_desc", ["Alpha plan", "S"]),
        ("updated", ["Alpha plan", "S"]),
    ],
)
def test_results_can_be_sorted(library: Served, sort: str, titles: list[str]) -> None:
    os.utime(library.root / "S.md", (1_700_000_000, 1_700_000_000))
    assert [r["title"] for r in library.ok("search_notes", query="alpha", sort=sort)["results"]] == titles


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"search_type": "fuzzy"}, "hybrid"),
        ({"entity_types": ["note"]}, "observation"),
        ({"after_date": "not a date"}, "not a date"),
        ({"after_date": "5"}, "'5'"),
        ({"metadata_filters": {"status": {"$regex": "a"}}}, "$regex"),
        ({"metadata_filters": "status"}, "metadata_filters"),
        ({"min_similarity": 2}, "min_similarity"),
        ({"sort": "size"}, "size"),
        ({"context_lines": 11}, "context_lines"),
        ({"page": 0}, "page"),
        ({"page_size": 101}, "page_size"),
        ({"nonsense": 1}, "nonsense"),
        ({"query": None}, "nothing to search for"),
    ],
)
def test_what_cannot_be_understood_is_invalid(library: Served, arguments: dict[str, Any], told: str) -> None:
    assert told in str(library.fails("search_notes", "invalid", **{"query": "alpha", **arguments}))


def test_ten_hits_of_a_large_page_of_context_stay_readable(served: Served) -> None:
    for number in range(10):
        served.write(f"N{number}.md", "\n".join(f"{'word ' * 60}{n}" for n in range(40)) + "\nneedle\n")
    assert len(served.call("search_notes", query="needle", context_lines=10).blocks[0]) < 25_000


def test_ten_hits_take_at_most_2000_tokens(served: Served) -> None:
    manifest = generate(served.root, 200)
    for term in manifest.terms[:12]:
        for rows in (["entity"], ["observation", "relation"]):
            text = served.call("search_notes", query=f"{term} OR {manifest.terms[20]}", entity_types=rows).blocks[0]
            assert len(text) / 4 <= 2000
