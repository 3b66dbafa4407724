import pytest

from tests.conftest import Served
from tests.tools.memories import INDEX, NESTED, text, with_samples


@pytest.fixture
def kept(served: Served) -> Served:
    served.write(".obsidian/app.json", '{"trashOption":"local"}')
    return with_samples(served)


def test_the_note_goes_to_the_trash_and_the_line_goes(kept: Served) -> None:
    gone = kept.ok("recall_delete", name="no-attribution")
    assert (gone["deleted"], gone["kept_at"], gone["trash"]) == (True, ".trash/no-attribution.md", "local")
    assert gone["linked_from"] == ["Memory/feedback_testing.md"]
    assert kept.read(".trash/no-attribution.md") == NESTED
    assert kept.read("Memory/MEMORY.md") == INDEX.splitlines(keepends=True)[1]
    assert kept.ok("recall_list")["total"] == 1
    kept.ok("undo", change=gone["change"])
    assert (kept.read("Memory/no-attribution.md"), kept.read("Memory/MEMORY.md")) == (NESTED, INDEX)


@pytest.mark.parametrize("name", ["nope", "MEMORY", "../x", ""])
def test_nothing_to_delete_is_safe(kept: Served, name: str) -> None:
    kept.open()
    before = kept.hash()
    assert kept.ok("recall_delete", name=name)["deleted"] is False
    assert text(kept, "recall_delete", name=name).startswith("deleted: false")
    assert kept.hash() == before


def test_near_names_are_told(kept: Served) -> None:
    assert kept.ok("recall_delete", name="no-attribtion")["candidates"][0] == "no-attribution"


def test_in_words_and_by_another_name(kept: Served) -> None:
    assert text(kept, "recall_forget", name="no-attribution").startswith(
        "deleted: true\nMemory/no-attribution.md is in .trash/no-attribution.md now."
    )


def test_without_a_trash_the_journal_keeps_it(served: Served) -> None:
    served.write(".obsidian/app.json", '{"trashOption":"none"}')
    with_samples(served)
    assert "the journal only" in text(served, "recall_delete", name="no-attribution")
    served.ok("undo")
    assert served.read("Memory/no-attribution.md") == NESTED


def test_a_name_that_fits_several_deletes_none(kept: Served) -> None:
    for folder in ("a", "b"):
        kept.write(f"Memory/{folder}/deploy.md", "x")
    kept.open()
    kept.fails("recall_delete", "ambiguous", name="deploy")
