import pytest

from tests.conftest import Served
from tests.tools.memories import NESTED, save, with_samples


def test_a_memory_comes_whole(served: Served) -> None:
    got = with_samples(served).ok("recall_get", name="no-attribution")
    assert got["description"] == "Commits: never add a co-author"
    assert got["body"] == NESTED.partition("\n---\n\n")[2].strip()
    assert (got["type"], got["modified"]) == ("feedback", "2026-08-15T19:07:18.393Z")
    assert got["links"] == ["dotfiles", "feedback_testing"]
    reply = served.call("recall_get", name="no-attribution")
    assert reply.blocks[1] == got["body"]
    assert f"checksum: {got['sha256'][:16]}" in reply.blocks[0]


@pytest.mark.parametrize(
    "name",
    [
        "feedback_testing",
        "feedback_testing.md",
        "[[feedback_testing]]",
        "Testing advice",
        "feedback-testing",
        "FEEDBACK_TESTING",
        "tester",
    ],
)
def test_any_of_its_names_will_do(served: Served, name: str) -> None:
    with_samples(served)
    served.write("Memory/feedback_testing.md", "---\nname: Testing advice\naliases: [tester]\ntype: feedback\n---\nx\n")
    assert served.ok("recall_get", name=name)["name"] == "feedback_testing"


@pytest.mark.parametrize("name", ["no-attribtion", "MEMORY", "MEMORY.md", "../x", "", "/", "commits co-author"])
def test_an_unknown_name_is_an_error_with_near_ones(served: Served, name: str) -> None:
    error = with_samples(served).fails("recall_get", "not_found", name=name)
    if "att" in name or "commits" in name:
        assert error["candidates"][0] == "no-attribution"


def test_a_name_that_fits_several_is_an_error_with_all(served: Served) -> None:
    for folder in ("a", "b"):
        served.write(f"Memory/{folder}/deploy.md", "x")
    assert served.fails("recall_get", "ambiguous", name="deploy")["candidates"] == ["a/deploy", "b/deploy"]
    assert served.ok("recall_get", name="a/deploy")["path"] == "Memory/a/deploy.md"


def test_what_came_to_the_disk_only_now_is_there(served: Served) -> None:
    served.open()
    served.write("Memory/fresh.md", "just now")
    assert served.ok("recall_get", name="fresh")["body"] == "just now"


def test_a_broken_block_is_told_and_the_body_shown(served: Served) -> None:
    served.write("Memory/odd.md", "---\nname: [\n---\nbody")
    assert served.ok("recall_get", name="odd")["body"] == "body"
    assert "do not parse (line" in served.call("recall_get", name="odd").blocks[0]


def test_a_long_body_is_cut_and_says_so(served: Served) -> None:
    save(served, "long", body="line of text\n" * 4000)
    assert served.ok("recall_get", name="long")["truncated"].startswith("read_note has the rest")
    *_, last = served.call("recall_get", name="long").blocks
    assert last.startswith("This is not all")
