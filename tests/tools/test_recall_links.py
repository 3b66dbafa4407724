import pytest

from tests.conftest import Served
from tests.tools.memories import text, with_samples


@pytest.fixture
def linked(served: Served) -> Served:
    with_samples(served)
    served.write("Daily.md", "see [[no-attribution]]")
    served.write("Memory/to-note.md", "[[Daily]] and [t](feedback_testing.md) and [[to-note]]")
    return served


def test_both_ends_of_the_links(linked: Served) -> None:
    found = linked.ok("recall_links", name="no-attribution")
    assert found["outbound"] == ["feedback_testing"]
    assert found["inbound"] == ["feedback_testing"]
    assert found["dangling"] == ["dotfiles"]
    assert "inbound_notes" not in found


@pytest.mark.parametrize(("direction", "keys"), [("outbound", {"outbound", "dangling"}), ("inbound", {"inbound"})])
def test_one_direction(linked: Served, direction: str, keys: set[str]) -> None:
    found = linked.ok("recall_links", name="no-attribution", direction=direction)
    assert found.keys() - {"name", "project"} == keys


def test_ordinary_notes_when_asked(linked: Served) -> None:
    assert linked.ok("recall_links", name="no-attribution", include_notes=True)["inbound_notes"] == ["Daily.md"]
    found = linked.ok("recall_links", name="to-note", include_notes=True)
    assert (found["outbound"], found["outbound_notes"]) == (["feedback_testing"], ["Daily.md"])
    assert "notes: Daily.md" in text(linked, "recall_links", name="no-attribution", include_notes=True)


def test_in_words(linked: Served) -> None:
    said = text(linked, "recall_links", name="no-attribution")
    assert "outbound: feedback_testing\ninbound: feedback_testing\nleading nowhere" in said


def test_an_unknown_name_is_an_error_with_near_ones(linked: Served) -> None:
    assert linked.fails("recall_links", "not_found", name="no-attribtion")["candidates"][0] == "no-attribution"
    linked.fails("recall_links", "invalid", name="no-attribution", direction="up")
