import os
import time
from typing import Any

import pytest

from tests.conftest import Served

OLD = time.time() - 90 * 86_400


@pytest.fixture
def web(served: Served) -> Served:
    served.write(
        "Apollo.md",
        "---\nowner: '[[Ada]]'\n---\n# Apollo\n\n- [decision] go #moon\n- part_of [[Program]]\n\nSee [[Rocket]].\n",
    )
    served.write("Ada.md", "An engineer.\n")
    served.write("Program.md", "x\n")
    served.write("Rocket.md", "Goes to [[Moon]].\n")
    served.write("Moon.md", "far\n")
    served.write("Log.md", "About [[Apollo]].\n")
    served.write(
        "Map.canvas",
        '{"nodes":[{"id":"0123456789abcdef","type":"file","file":"Apollo.md","x":0,"y":0,"width":9,"height":9}]}',
    )
    os.utime(served.root / "Rocket.md", (OLD, OLD))
    return served


def test_a_note_with_its_facts_and_neighbours_in_both_directions(web: Served) -> None:
    context = web.ok("build_context", url="memory://apollo", timeframe=None)
    (item,) = context["results"]
    assert item["primary_result"]["file_path"] == "Apollo.md"
    assert item["primary_result"]["content"].startswith("# Apollo")
    assert [(o["category"], o["content"]) for o in item["observations"]] == [("decision", "go #moon")]
    assert [(r["relation_type"], r["to"]) for r in item["relations"]] == [("part_of", "Program")]
    related = {(r["file_path"], r["relation_type"], r["from_entity"]) for r in item["related_results"]}
    assert related == {
        ("Program.md", "part_of", "Apollo.md"),
        ("Ada.md", "owner", "Apollo.md"),
        ("Rocket.md", "links_to", "Apollo.md"),
        ("Log.md", "links_to", "Log.md"),
        ("Map.canvas", "links_to", "Map.canvas"),
    }


def test_depth_goes_further(web: Served) -> None:
    (item,) = web.ok("build_context", url="Apollo", timeframe=None, depth=2)["results"]
    assert {r["file_path"]: r["hops"] for r in item["related_results"]}["Moon.md"] == 2


def test_the_timeframe_hides_related_notes_and_says_so_but_never_the_named_one(web: Served) -> None:
    context = web.ok("build_context", url="Apollo")
    assert "Rocket.md" not in {r["file_path"] for r in context["results"][0]["related_results"]}
    assert context["metadata"]["hidden_by_timeframe"] == 1
    assert web.ok("build_context", url="Rocket")["results"][0]["primary_result"]["file_path"] == "Rocket.md"
    text = web.call("build_context", url="Apollo", output_format="text").blocks[0]
    assert "1 more were not changed within '7d'" in text


def test_patterns(web: Served) -> None:
    web.write("Notes/One.md", "1")
    web.write("Notes/Two.md", "2")
    web.reindex()
    context = web.ok("build_context", url="memory://notes/*", page_size=1)
    assert (context["results"][0]["primary_result"]["file_path"], context["has_more"]) == ("Notes/One.md", True)
    assert web.ok("build_context", url="nothing/*")["results"] == []


def test_long_notes_are_cut(web: Served) -> None:
    web.write("Long.md", "line of text\n" * 1000)
    (item,) = web.ok("build_context", url="Long")["results"]
    assert item["primary_result"]["truncated"] is True
    assert len(item["primary_result"]["content"]) <= 1500


def test_json_is_the_default(web: Served) -> None:
    assert web.call("build_context", url="Apollo").structured is not None


@pytest.mark.parametrize("arguments", [{"depth": 0}, {"depth": 6}, {"timeframe": "whenever"}, {"page_size": 0}])
def test_bad_arguments(web: Served, arguments: dict[str, Any]) -> None:
    web.fails("build_context", "invalid", **{"url": "Apollo", **arguments})


def test_an_unknown_note(web: Served) -> None:
    assert web.fails("build_context", "not_found", url="Apolo")["candidates"] == ["Apollo.md"]
