from tests.conftest import Served
from tests.tools.memories import save, text


def test_what_matters_most_comes_first(served: Served) -> None:
    save(served, "a-link", type="reference")
    save(served, "b-plan", type="project")
    save(served, "c-manner", type="feedback")
    assert [m["name"] for m in served.ok("recall_brief")["memories"]] == ["c-manner", "b-plan", "a-link"]


def test_recent_and_linked_ones_come_before_others(served: Served) -> None:
    old = "---\nname: {}\ndescription: d\nmetadata:\n  type: project\n  modified: 2020-01-01T00:00:00.000Z\n---\n\nx\n"
    served.write("Memory/a-old.md", old)
    served.write("Memory/b-old.md", old)
    served.write("Note.md", "[[b-old]]")
    save(served, "c-new")
    assert [m["name"] for m in served.ok("recall_brief")["memories"]] == ["c-new", "b-old", "a-old"]
    assert served.ok("recall_brief", type="user")["memories"] == []


def test_it_keeps_to_the_budget(served: Served) -> None:
    for n in range(30):
        save(served, f"m-{n:02}", "a description of some length", "word " * 60)
    told = served.ok("recall_brief", budget=500)
    assert (told["total"], told["tokens"] <= 500) == (30, True)
    with_body = [m for m in told["memories"] if "body" in m]
    assert 0 < len(with_body) < len(told["memories"]) < 30
    said = text(served, "recall_brief", budget=500)
    assert said.startswith(f"{told['count']} of 30 memories")


def test_limits_and_emptiness(served: Served) -> None:
    assert text(served, "recall_brief").startswith("There are no memories.")
    served.fails("recall_brief", "invalid", budget=1)
