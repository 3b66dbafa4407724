import os
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sidecar.model.note import Observation, Relation
from sidecar.services.fact_search import fact_text
from tests.conftest import Served

NOTES = {
    "Api.md": "---\ntags: [design]\nstatus: active\n---\n# Api\n\n- [decision] Use tokens for the api #auth (agreed)\n"
    "- [requirement] Tokens expire after a day\n- depends_on [[Store|the store]] (hard)\n",
    "Store.md": "- [decision] Keep rows in files #storage/local\n- [Requirement] Survive a power failure\n- part_of [[Api]]\n",
    "Prose.md": "tokens, tokens and decision, but no fact #auth\n",
}


@pytest.fixture
def facts(served: Served) -> Served:
    for age, (path, text) in enumerate(NOTES.items()):
        served.write(path, text)
        os.utime(served.root / path, (1_700_000_000 - age, 1_700_000_000 - age))
    return served


def rows(vault: Served, query: str | None, **arguments: Any) -> list[tuple[str, int]]:
    arguments.setdefault("entity_types", ["observation"])
    return [(r["file_path"], r["line"]) for r in vault.ok("search_notes", query=query, **arguments)["results"]]


A1, A2, A3, S1, S2, S3 = ("Api.md", 7), ("Api.md", 8), ("Api.md", 9), ("Store.md", 1), ("Store.md", 2), ("Store.md", 3)


@pytest.mark.parametrize(
    ("query", "arguments", "found"),
    [
        ("tokens", {}, {A1, A2}),
        ("token", {}, {A1, A2}),
        ("tokens api", {}, {A1}),
        ("tokens NOT api", {}, {A2}),
        ("tokens OR files", {}, {A1, A2, S1}),
        ('"power failure"', {}, {S2}),
        ("decision", {}, {A1, S1}),
        ("agreed", {}, {A1}),
        ("/r.ws/", {}, {S1}),
        ("match-case:Keep", {}, {S1}),
        ("line:(keep rows)", {}, {S1}),
        ("tokens", {"categories": ["requirement"]}, {A2}),
        (None, {"categories": ["requirement"]}, {A2, S2}),
        (None, {"categories": "decision, requirement"}, {A1, A2, S1, S2}),
        (None, {"categories": ["decide"]}, set()),
        ("tag:auth", {}, {A1}),
        (None, {"tags": ["storage"]}, {S1}),
        (None, {"tags": ["design"]}, {A1, A2}),
        ("-tag:design", {}, {S1, S2}),
        ("path:store", {}, {S1, S2}),
        ("[status:active] day", {}, {A2}),
        ("status:active", {}, {A1, A2}),
        ("day", {"status": "done"}, set()),
        ("store", {"entity_types": ["relation"]}, {A3}),
        ("depends_on", {"entity_types": "relation"}, {A3}),
        (None, {"entity_types": ["relation"], "metadata_filters": {"status": "active"}}, {A3}),
        ("api", {"entity_types": ["observation", "relation"]}, {A1, S3}),
    ],
)
def test_facts_are_found_by_their_own_words(
    facts: Served, query: str | None, arguments: dict[str, Any], found: set[tuple[str, int]]
) -> None:
    assert set(rows(facts, query, **arguments)) == found


def test_who_holds_more_of_the_words_and_less_else_comes_first(served: Served) -> None:
    served.write(
        "N.md",
        "- [aa] apple and many many other words in a line that goes on\n- [aa] apple pie\n- [aa] pie of apple, apple\n",
    )
    assert rows(served, "apple")[0][1] == 3
    assert [line for _, line in rows(served, "apple pie")] == [3, 2]


def test_words_are_corrected_and_relaxed(facts: Served) -> None:
    result = facts.ok("search_notes", query="tokns", entity_types=["observation"])
    assert (result["corrected"], result["total"]) == ({"tokns": "tokens"}, 2)
    result = facts.ok("search_notes", query="expire failure", entity_types=["observation"])
    assert (result["relaxed"], result["total"]) == (True, 2)


def test_rows_say_what_they_are(facts: Served) -> None:
    (row,) = facts.ok("search_notes", query="tokens api", categories=["decision"])["results"]
    assert {key: row[key] for key in ("type", "title", "file_path", "permalink", "content", "category", "tags", "context", "line")} == {
        "type": "observation",
        "title": "Api",
        "file_path": "Api.md",
        "permalink": "api/observations/decision/use-tokens-for-the-api-auth",
        "content": "Use tokens for the api #auth",
        "category": "decision",
        "tags": ["auth"],
        "context": "agreed",
        "line": 7,
    }  # fmt: skip
    (row,) = facts.ok("search_notes", query="depends_on", entity_types=["relation"])["results"]
    assert {key: row[key] for key in ("type", "permalink", "relation_type", "to", "to_path", "context", "line")} == {
        "type": "relation",
        "permalink": "api/depends-on/store",
        "relation_type": "depends_on",
        "to": "Store|the store",
        "to_path": "Store.md",
        "context": "hard",
        "line": 9,
    }
    text = facts.call("search_notes", query="tokens api", categories=["decision"]).blocks[0]
    assert "1. observation in Api (Api.md), line 7 score" in text
    assert "[decision] Use tokens for the api #auth (agreed)</" in text


def test_files_and_facts_together(facts: Served) -> None:
    result = facts.ok("search_notes", query="tokens", entity_types=["entity", "observation"])
    assert result["total"] == 4
    assert {(r["type"], r["file_path"]) for r in result["results"]} == {
        ("entity", "Api.md"), ("entity", "Prose.md"), ("observation", "Api.md"),
    }  # fmt: skip


def test_filters_alone_give_the_newest_first_and_pages(facts: Served) -> None:
    assert rows(facts, None, categories=["decision"]) == [A1, S1]
    assert rows(facts, None, categories=["decision"], page_size=1, page=2) == [S1]
    assert rows(facts, None, categories=["decision"], sort="title_desc") == [S1, A1]


def test_lines_around_a_fact(facts: Served) -> None:
    (row,) = facts.ok("search_notes", query="power", entity_types=["observation"], context_lines=1)["results"]
    assert row["lines"].split("\n")[1] == "2: - [Requirement] Survive a power failure"


def test_a_fact_that_is_gone_is_not_on_a_later_page(facts: Served) -> None:
    first = facts.ok("search_notes", categories=["decision"], page_size=1)
    facts.write("Store.md", "- [decision] Something else\n")
    facts.reindex()
    assert facts.ok("search_notes", categories=["decision"], page_size=1, cursor=first["next"])["results"] == []


def test_facts_of_hidden_notes_are_not_found(guarded: Served) -> None:
    guarded.write("Secret/a.md", "- [idea] hollyhock\n- knows [[b]]\n")
    guarded.write("b.md", "- [idea] lavender\n- knows [[Secret/a]]\n")
    assert rows(guarded, None, categories=["idea"]) == [("b.md", 1)]
    (row,) = guarded.ok("search_notes", query="knows", entity_types=["relation"])["results"]
    assert (row["file_path"], row["to_path"]) == ("b.md", None)


word = st.sampled_from(["alpha", "bravo", "tango", "zulu"])
observations = st.lists(
    st.tuples(st.sampled_from(["idea", "fact"]), st.lists(word, min_size=1, max_size=3)), max_size=4
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(observations, min_size=1, max_size=4), word, word, st.sampled_from([None, "idea"]))
def test_what_is_found_is_what_a_naive_reading_finds(
    served: Served, notes: list[list[tuple[str, list[str]]]], one: str, other: str, category: str | None
) -> None:
    for path in served.root.glob("*.md"):
        path.unlink()
    for number, lines in enumerate(notes):
        served.write(f"N{number}.md", "\n".join(f"- [{kind}] {' '.join(words)}" for kind, words in lines) + "\n")
    served.reindex()
    every = [
        (f"N{number}.md", line, kind, words)
        for number, lines in enumerate(notes)
        for line, (kind, words) in enumerate(lines, 1)
    ]
    arguments = {"categories": [category]} if category else {}
    naive: dict[str, Callable[[list[str]], bool]] = {
        f"{one} AND {other}": lambda words: one in words and other in words,
        f"{one} OR {other}": lambda words: one in words or other in words,
        f"{one} AND NOT {other}": lambda words: one in words and other not in words,
    }
    for query, holds in naive.items():
        expected = {(path, line) for path, line, kind, words in every if holds(words) and category in (None, kind)}
        assert set(rows(served, query, page_size=100, **arguments)) == expected, query


def test_the_text_of_a_fact() -> None:
    assert fact_text(Observation("a", "b #t", ("t",), "c", 1)) == "[a] b #t (c)"
    assert fact_text(Relation("a", "b|c", None, 1)) == "a [[b|c]]"
