import json
import os
import time
from typing import Any

import pytest

from tests.conftest import Served

OLD = time.time() - 90 * 86_400
LONGEST_REPLY = 25_000


@pytest.fixture
def web(served: Served) -> Served:
    served.write(
        "Apollo.md",
        "---\nowner: '[[Ada]]'\ncreated: 2020-02-03\n---\n# Apollo\n\n- [decision] go #moon\n- part_of [[Program]]\n\nSee [[Rocket]].\n",
    )
    served.write("Ada.md", "An engineer.\n")
    served.write("Program.md", "x\n")
    served.write("Rocket.md", "Goes to [[Moon]].\n")
    served.write("Moon.md", "far\n")
    served.write("Log.md", "- reports_on [[Apollo]]\n")
    served.write(
        "Map.canvas",
        '{"nodes":[{"id":"0123456789abcdef","type":"file","file":"Apollo.md","x":0,"y":0,"width":9,"height":9}]}',
    )
    os.utime(served.root / "Rocket.md", (OLD, OLD))
    return served


def paths(context: dict[str, Any]) -> list[str]:
    return [r["primary_result"]["file_path"] for r in context["results"]]


def test_a_note_with_its_facts_and_neighbours_in_both_directions(web: Served) -> None:
    context = web.ok("build_context", url="memory://apollo", timeframe=None)
    (item,) = context["results"]
    primary = item["primary_result"]
    assert (primary["file_path"], primary["created_at"][:7]) == ("Apollo.md", "2020-02")
    assert primary["content"].startswith("# Apollo")
    assert [(o["category"], o["content"]) for o in item["observations"]] == [("decision", "go #moon")]
    assert [(r["relation_type"], r["to"]) for r in item["relations"]] == [("part_of", "Program")]
    related = {(r["file_path"], r["relation_type"], r["from_entity"]) for r in item["related_results"]}
    assert related == {
        ("Program.md", "part_of", "Apollo.md"),
        ("Ada.md", "owner", "Apollo.md"),
        ("Rocket.md", "links_to", "Apollo.md"),
        ("Log.md", "reports_on", "Log.md"),
        ("Map.canvas", "links_to", "Map.canvas"),
    }
    about = context["metadata"]
    assert (about["uri"], about["depth"], about["timeframe"]) == ("memory://apollo", 1, None)
    counts = ("primary_count", "related_count", "total_results", "total_observations", "total_relations")
    assert [about[name] for name in counts] == [1, 5, 1, 1, 1]
    assert (context["page"], context["page_size"], context["has_more"]) == (1, 10, False)


@pytest.mark.parametrize("depth", [2, "2"])
def test_depth_goes_further(web: Served, depth: Any) -> None:
    (item,) = web.ok("build_context", url="Apollo", timeframe=None, depth=depth)["results"]
    assert {r["file_path"]: r["hops"] for r in item["related_results"]}["Moon.md"] == 2
    (item,) = web.ok("build_context", url="Apollo", timeframe=None, depth=None)["results"]
    assert "Moon.md" not in {r["file_path"] for r in item["related_results"]}


def test_the_nearest_come_first_and_the_way_is_not_endless(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    for here, there in zip("ABCDE", "BCDEF", strict=True):
        served.write(f"{here}.md", f"[[{there}]]")
    served.write("F.md", "x")

    def reached(**arguments: Any) -> list[tuple[str, int]]:
        (item,) = served.ok("build_context", url="A", depth=5, **arguments)["results"]
        return [(r["title"], r["hops"]) for r in item["related_results"]]

    assert reached() == [("B", 1), ("C", 2), ("D", 3), ("E", 4), ("F", 5)]
    assert reached(max_related=2) == [("B", 1), ("C", 2)]
    monkeypatch.setattr("sidecar.services.neighbours._MOST_FOLLOWED", 3)
    assert reached() == [("B", 1), ("C", 2), ("D", 3)]


def test_the_timeframe_hides_related_notes_and_says_so_but_never_the_named_one(web: Served) -> None:
    context = web.ok("build_context", url="Apollo")
    assert "Rocket.md" not in {r["file_path"] for r in context["results"][0]["related_results"]}
    about = context["metadata"]
    assert (about["hidden_by_timeframe"], about["shown_by_timeframe"]) == (1, "91d")
    assert web.ok("build_context", url="Apollo", timeframe="91d")["metadata"]["hidden_by_timeframe"] == 0
    assert paths(web.ok("build_context", url="Rocket")) == ["Rocket.md"]
    text = web.call("build_context", url="Apollo", output_format="text").blocks[0]
    assert "1 more were not changed within '7d'; timeframe='91d' shows them." in text


def test_beyond_a_year_only_no_timeframe_reaches(web: Served) -> None:
    os.utime(web.root / "Rocket.md", (OLD - 400 * 86_400,) * 2)
    about = web.ok("build_context", url="Apollo")["metadata"]
    assert (about["hidden_by_timeframe"], about["shown_by_timeframe"]) == (1, None)
    assert "timeframe=null shows them" in web.call("build_context", url="Apollo", output_format="text").blocks[0]


@pytest.mark.parametrize(
    "pattern",
    [
        "Notes/*",
        "memory://notes/*",
        "notes/*",
        "vault/notes/*",
        "memory://Vault/Notes/*",
        "*notes/*",
        "no*/*",
        "/notes/*",
    ],
)
def test_patterns_by_path_and_permalink_with_and_without_the_project(web: Served, pattern: str) -> None:
    web.write("Notes/One.md", "1")
    web.write("Notes/My Two.md", "2")
    web.write("Notes/p.png", b"\x89PNG")
    assert paths(web.ok("build_context", url=pattern)) == ["Notes/My Two.md", "Notes/One.md"]
    assert paths(web.ok("build_context", url="notes/my-*")) == ["Notes/My Two.md"]


def test_a_folder_of_the_projects_name_is_meant_first(web: Served) -> None:
    web.write("Vault/In.md", "1")
    assert paths(web.ok("build_context", url="vault/*")) == ["Vault/In.md"]


def test_own_permalinks_fit_where_nothing_else_does(web: Served) -> None:
    web.write("Notes/One.md", "---\npermalink: specs/search\n---\n")
    assert paths(web.ok("build_context", url="specs/*")) == ["Notes/One.md"]


def test_only_the_star_is_a_wildcard(web: Served) -> None:
    web.write("A [1].md", "x")
    assert paths(web.ok("build_context", url="A [1]*")) == ["A [1].md"]
    assert paths(web.ok("build_context", url="?pollo*")) == []


def test_pages_and_the_timeframe_of_patterns(web: Served) -> None:
    for name in ("a", "b", "c"):
        web.write(f"N/{name}.md", name)
    os.utime(web.root / "N/b.md", (OLD, OLD))
    context = web.ok("build_context", url="n/*", page_size=1)
    assert (paths(context), context["has_more"], context["metadata"]["hidden_by_timeframe"]) == (["N/a.md"], True, 1)
    context = web.ok("build_context", url="n/*", limit=1, page_number=2)
    assert (paths(context), context["has_more"]) == (["N/c.md"], False)
    text = web.call("build_context", url="n/*", page_size=1, timeframe=None, output_format="text").blocks[0]
    assert "3 fit. More: page=2." in text


def test_facts_have_urls(web: Served) -> None:
    web.write(
        "P/Apollo 2.md", "- [tech note] uses SQLite #db\n- depends_on [[Rocket|the rocket]]\n- depends_on [[Nowhere]]\n"
    )
    web.write("P/Other.md", "- depends_on [[Moon]]\n")

    def facts(url: str) -> list[tuple[str, str]]:
        found = web.ok("build_context", url=url, timeframe=None)["results"]
        return [(r["primary_result"]["type"], r["primary_result"]["permalink"]) for r in found]

    rocket, nowhere = ("relation", "p/apollo-2/depends-on/rocket"), ("relation", "p/apollo-2/depends-on/nowhere")
    tech = ("observation", "p/apollo-2/observations/tech-note/uses-sqlite-db")
    assert facts("memory://p/apollo-2/depends-on/*") == [nowhere, rocket]
    assert facts("P/Apollo 2/depends_on/*") == [nowhere, rocket]
    assert facts("vault/p/apollo-2/depends-on/rocket") == [rocket]
    assert facts("p/apollo-2/observations/*") == [tech]
    assert facts("p/apollo-2/*") == [nowhere, rocket, tech]
    assert facts("p/*/depends-on/*") == [nowhere, rocket, ("relation", "p/other/depends-on/moon")]
    assert [kind for kind, _ in facts("p/*")] == ["entity", "entity"]
    (found,) = web.ok("build_context", url="p/apollo-2/depends-on/rocket", timeframe=None)["results"]
    primary = found["primary_result"]
    assert (primary["relation_type"], primary["from_entity"], primary["to_entity"]) == (
        "depends_on",
        "P/Apollo 2.md",
        "Rocket.md",
    )
    assert [r["file_path"] for r in found["related_results"]] == ["Rocket.md"]
    about = web.ok("build_context", url="p/apollo-2/depends-on/rocket")
    assert (about["metadata"]["hidden_by_timeframe"], about["results"][0]["related_results"]) == (1, [])
    text = web.call("build_context", url="p/apollo-2/*", timeframe=None, output_format="text").blocks[0]
    assert "## In Apollo 2" in text
    assert "- [tech note] uses SQLite #db</" in text
    assert "path: P/Apollo 2.md, line 2" in text


def test_nothing_found_is_a_result_with_near_names(web: Served) -> None:
    web.write("Notes/One.md", "1")
    context = web.ok("build_context", url="Apolo")
    assert (context["results"], context["metadata"]["near"]) == ([], ["Apollo.md"])
    assert web.ok("build_context", url="notes")["metadata"]["near"] == ["Notes/*"]
    assert web.ok("build_context", url="apolo/*")["metadata"]["near"] == ["Apollo.md"]
    text = web.call("build_context", url="Apolo", output_format="text").blocks[0]
    assert text.startswith("Nothing fits 'Apolo'. Near it:\n- Apollo.md")
    text = web.call("build_context", url="zzzz", output_format="text").blocks[0]
    assert text.startswith("Nothing fits 'zzzz'. search_notes finds notes")


def test_text_says_once_how_each_note_is_linked(web: Served) -> None:
    web.write("Moon.md", "---\ntitle: The Moon\n---\nfar\n")
    text = web.call("build_context", url="Apollo", timeframe=None, depth=2, output_format="text").blocks[0]
    assert {line.removeprefix("related: ") for line in text.splitlines() if line.startswith("related: ")} == {
        "--part_of--> Program.md",
        "--owner--> Ada.md",
        "--links_to--> Rocket.md",
        "Log.md --reports_on--> it",
        "Map.canvas --links_to--> it",
        "Rocket.md --links_to--> The Moon (Moon.md)",
    }


def test_long_notes_are_cut(web: Served) -> None:
    web.write("Long.md", "line of text\n" * 1000)
    (item,) = web.ok("build_context", url="Long")["results"]
    assert item["primary_result"]["truncated"] is True
    assert 1400 < len(item["primary_result"]["content"]) <= 1500
    assert item["primary_result"]["content"].endswith("text")
    assert "(cut; read_note has it all)" in web.call("build_context", url="Long", output_format="text").blocks[0]


def test_compact_leaves_the_text_out(web: Served) -> None:
    (item,) = web.ok("build_context", url="Apollo", compact=True)["results"]
    assert item["primary_result"]["content"] == ""
    assert item["observations"]


@pytest.mark.parametrize(
    "arguments", [{"url": "many/*"}, {"url": "Many/N 1"}, {"url": "Hub"}, {"url": "many/*", "page_size": 20}]
)
def test_no_reply_is_too_long(web: Served, arguments: dict[str, Any]) -> None:
    links = " ".join(f"[[N {n}]]" for n in range(60))
    facts = "".join(f'- [fact] "quoted" number {n} #tag\n- leads_to [[N {n}]]\n' for n in range(60))
    body = 'some text, "said"\n' * 200
    for n in range(60):
        web.write(f"Many/N {n}.md", body + facts + links)
    web.write("Hub.md", links)
    for form in ("json", "text"):
        reply = web.call("build_context", max_related=100, output_format=form, **arguments)
        assert not reply.is_error
        assert len("".join(reply.blocks)) <= LONGEST_REPLY
    items = web.ok("build_context", max_related=100, **arguments)["results"]
    assert all(item["primary_result"]["content"] for item in items)
    if arguments["url"] == "Hub":  # a note with little else has room for all its neighbours
        assert len(items[0]["related_results"]) == 60
        return
    assert sum(item.get("left_out", 0) for item in items) > 0
    assert (
        "left out for want of room"
        in web.call("build_context", max_related=100, output_format="text", **arguments).blocks[0]
    )


def test_json_is_the_default_and_text_stands_between_marks(web: Served) -> None:
    reply = web.call("build_context", url="Apollo")
    assert reply.structured == json.loads(reply.blocks[0])
    text = web.call("build_context", url="Apollo", output_format="text").blocks[0]
    mark = text.split("<", 1)[1].split(">", 1)[0]
    assert f"<{mark}>\n# Apollo" in text
    assert "observations and relations:" not in text  # all of the note is shown, and they are in it
    web.write("Apollo.md", web.read("Apollo.md") + "more\n" * 1000)
    web.reindex()
    text = web.call("build_context", url="Apollo", output_format="text").blocks[0]
    mark = text.split("<", 1)[1].split(">", 1)[0]
    facts = f"<{mark}>\n- [decision] go #moon\n- part_of [[Program]]\n</{mark}>"
    assert f"observations and relations:\n{facts}" in text


@pytest.mark.parametrize(
    "aliases",
    [
        {"uri": "Apollo", "since": "1d", "max_results": 1},
        {"memory_url": "Apollo", "time_range": "1d", "max_related": 1},
        {"url": "Apollo", "lookback": "1d", "max_results": 1},
    ],
)
def test_aliases(web: Served, aliases: dict[str, Any]) -> None:
    context = web.ok("build_context", **aliases)
    assert (context["metadata"]["timeframe"], len(context["results"][0]["related_results"])) == ("1d", 1)


@pytest.mark.parametrize(
    "arguments",
    [{"depth": 0}, {"depth": 6}, {"depth": "deep"}, {"timeframe": "whenever"}, {"page_size": 0}, {"page_size": 51}, {"max_related": 101}, {"url": " "}, {"url": "memory://"}],
)  # fmt: skip
def test_bad_arguments(web: Served, arguments: dict[str, Any]) -> None:
    web.fails("build_context", "invalid", **{"url": "Apollo", **arguments})


def test_an_ambiguous_name_and_a_path_out_of_the_vault(web: Served) -> None:
    web.write("a/Twin.md", "1")
    web.write("b/Twin.md", "2")
    assert web.fails("build_context", "ambiguous", url="Twin")["candidates"] == ["a/Twin.md", "b/Twin.md"]
    web.fails("build_context", "refused", url="../Twin")


def test_a_note_not_yet_indexed_is_found_and_one_just_made_private_is_not(web: Served) -> None:
    web.open()
    web.write("Fresh.md", "See [[Apollo]].")
    assert paths(web.ok("build_context", url="Fresh.md")) == ["Fresh.md"]
    web.write("Apollo.md", "---\nprivate: true\n---\nsecret\n")
    assert paths(web.ok("build_context", url="Apollo")) == []
