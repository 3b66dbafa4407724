from tests.conftest import Served
from tests.tools.memories import save, text, with_samples


def test_pages_without_bodies(served: Served) -> None:
    for name in ("c", "a", "b"):
        save(served, name, f"about {name}")
    first = served.ok("recall_list", limit=2)
    assert [m["name"] for m in first["memories"]] == ["a", "b"]
    assert (first["total"], first["count"], first["offset"], first["has_more"], first["next_offset"]) == (
        3,
        2,
        0,
        True,
        2,
    )
    assert first["memories"][0] == {"name": "a", "description": "about a", "type": "project"}
    last = served.ok("recall_list", limit=2, offset=2)
    assert [m["name"] for m in last["memories"]] == ["c"]
    assert (last["has_more"], "next_offset" in last) == (False, False)
    assert "More: offset=2." in text(served, "recall_list", limit=2)


def test_only_of_one_type(served: Served) -> None:
    with_samples(served)
    save(served, "a")
    assert [m["name"] for m in served.ok("recall_list", type="feedback")["memories"]] == [
        "feedback_testing",
        "no-attribution",
    ]


def test_nothing_is_no_error(served: Served) -> None:
    assert text(served, "recall_list").startswith("There are no memories.")
    assert served.ok("recall_list")["memories"] == []
    save(served, "a")
    assert text(served, "recall_list", offset=9).startswith("No memories from 9 on; there are 1.")


def test_a_limit_out_of_range_is_refused(served: Served) -> None:
    served.fails("recall_list", "invalid", limit=0)
    served.fails("recall_list", "invalid", offset=-1)
