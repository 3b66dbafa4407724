from tests.conftest import Served
from tests.tools.memories import save, text, with_samples


def test_best_first_with_scores_and_nothing_that_does_not_match(served: Served) -> None:
    save(served, "window", "nothing", "nothing")
    save(served, "a-description", "about a window", "nothing")
    save(served, "a-body", "nothing", "a window")
    save(served, "b-none", "nothing", "nothing")
    found = served.ok("recall_search", query="windows")
    assert [one["name"] for one in found["results"]] == ["window", "a-description", "a-body"]
    scores = [one["score"] for one in found["results"]]
    assert scores == sorted(scores, reverse=True)
    assert (found["total"], found["count"], found["type"]) == (3, 3, None)
    assert "body" not in found["results"][0]


def test_only_of_one_type_and_so_many(served: Served) -> None:
    with_samples(served)
    save(served, "tests-here", "tests")
    assert [r["name"] for r in served.ok("recall_search", query="test", type="project")["results"]] == ["tests-here"]
    found = served.ok("recall_search", query="test", limit=1)
    assert (found["total"], found["count"]) == (3, 1)


def test_the_index_is_no_memory_and_empty_is_no_error(served: Served) -> None:
    with_samples(served)
    assert served.ok("recall_search", query="own words")["results"] == []
    assert text(served, "recall_search", query="xyzzy").startswith("No memory matches")
    assert "score" in text(served, "recall_search", query="commits")
    served.fails("recall_search", "invalid", query=" ")


def test_what_a_person_or_another_program_wrote_is_found(served: Served) -> None:
    with_samples(served)
    served.ok("recall_search", query="small")
    served.write("Memory/by-hand.md", "a zebra")
    served.reindex()
    assert [r["name"] for r in served.ok("recall_search", query="zebra")["results"]] == ["by-hand"]
    (served.root / "Memory/by-hand.md").unlink()
    served.reindex()
    assert served.ok("recall_search", query="zebra")["total"] == 0
