import json

import pytest

from sidecar.services.caller import Audience
from tests.conftest import Served


def _tree(vault: Served) -> dict[str, bytes | None]:
    """Return all files with their bytes, and all folders."""
    return {str(p.relative_to(vault.root)): p.read_bytes() if p.is_file() else None for p in vault.root.rglob("*")}


def test_history_says_who_what_and_why(served: Served) -> None:
    served.ok("write_note", title="N", directory="", content="one\n", reason="because")
    served.ok("edit_note", identifier="N", operation="append", content="two")
    edit, create = served.ok("history")["changes"]
    assert (create["tool"], create["reason"], create["client"], create["session"]) == (
        "write_note",
        "because",
        "test",
        "s1",
    )
    assert [f["file_path"] for f in edit["files"]] == ["N.md"]
    shown = served.ok("history", change=edit["id"])["changes"][0]
    assert "+two" in shown["files"][0]["diff"]
    assert served.ok("history", identifier="N", limit=1)["changes"][0]["id"] == edit["id"]
    assert served.ok("history", client="nobody")["changes"] == []


def test_undo_takes_back_the_clients_last_change_byte_for_byte(served: Served) -> None:
    served.write("N.md", "a\r\nb")
    before = (served.root / "N.md").read_bytes()
    made = served.ok("edit_note", identifier="N", operation="append", content="c")
    undone = served.ok("undo")
    assert undone["undone"] == [made["change"]]
    assert (served.root / "N.md").read_bytes() == before
    assert served.ok("history", change=made["change"])["changes"][0]["undone_by"] == undone["change"]


def test_undo_of_an_undo(served: Served) -> None:
    served.ok("write_note", title="N", directory="", content="zebra\n")
    undone = served.ok("undo")
    assert not (served.root / "N.md").exists()
    assert served.found("zebra") == []
    served.ok("undo", change=undone["change"])
    assert served.read("N.md") == "zebra\n"
    assert served.found("zebra") == ["N.md"]


def test_undo_keeps_a_later_edit_elsewhere_and_refuses_one_in_the_same_place(served: Served) -> None:
    served.write("N.md", "1\n2\n3\n4\n5\n")
    change = served.ok("edit_note", identifier="N", operation="find_replace", find_text="1", content="one")["change"]
    served.write("N.md", "one\n2\n3\n4\nfive\n")
    served.ok("undo", change=change)
    assert served.read("N.md") == "1\n2\n3\n4\nfive\n"
    change = served.ok("edit_note", identifier="N", operation="find_replace", find_text="3", content="three")["change"]
    served.write("N.md", "1\n2\nTHREE\n4\nfive\n")
    error = served.fails("undo", "refused", change=change)
    assert "THREE" in error["diff"]


def test_a_session_is_taken_back_as_one(served: Served) -> None:
    served.write("Old.md", "1\n2\n3\n4\n5\n")
    served.call("write_note", title="New", directory="", content="x", as_session="one")
    served.call("edit_note", identifier="Old", operation="append", content="six", as_session="one")
    served.call("edit_note", identifier="Old", operation="find_replace", find_text="1", content="uno", as_session="two")
    undone = served.call("undo", session="one", output_format="json")
    assert undone.is_error is False
    assert served.read("Old.md") == "uno\n2\n3\n4\n5\n"
    assert not (served.root / "New.md").exists()


@pytest.mark.parametrize("option", ["local", "none"])
def test_c25_a_session_that_made_and_deleted_notes_is_taken_back_and_brought_back(served: Served, option: str) -> None:
    served.write(".obsidian/app.json", json.dumps({"trashOption": option}))
    served.write("Old.md", "1\n")
    served.write(".trash/c.md", "of the user")
    before = _tree(served)
    served.ok("write_note", title="c", directory="New", content="x\n")
    served.ok("edit_note", identifier="New/c", operation="append", content="y")
    served.ok("move_note", identifier="New/c", destination_path="Moved/c.md")
    served.ok("edit_note", identifier="Old", operation="append", content="see [[c]]")
    served.ok("delete_note", identifier="Moved/c")
    served.ok("write_note", title="D", directory="Moved", content="z\n")
    served.ok("delete_note", identifier="Moved", is_directory=True)
    served.ok("delete_note", identifier="Old")
    after = _tree(served)
    undone = served.ok("undo", session="s1")
    assert _tree(served) == before
    again = served.ok("undo", change=undone["change"])
    assert _tree(served) == after
    served.ok("undo", change=again["change"])
    assert _tree(served) == before


def test_a_note_that_was_made_and_deleted_for_good_leaves_nothing_to_undo(served: Served) -> None:
    served.write(".obsidian/app.json", json.dumps({"trashOption": "none"}))
    served.ok("write_note", title="c", directory="", content="x\n")
    served.ok("delete_note", identifier="c")
    error = served.fails("undo", "refused", since="1h")
    assert "already as it was" in error["message"]


def test_dry_run_changes_nothing(served: Served) -> None:
    served.ok("write_note", title="N", directory="", content="x\n")
    before = served.hash()
    shown = served.ok("undo", dry_run=True)
    assert "-x" in shown["files"][0]["diff"]
    assert served.hash() == before


def test_nothing_to_undo(served: Served) -> None:
    served.fails("undo", "not_found")
    served.fails("undo", "not_found", change="nope")
    served.fails("undo", "invalid", change="a", since="7d")
    served.fails("undo", "invalid", since="whenever")


def test_agents_do_not_see_changes_of_denied_notes(guarded: Served) -> None:
    guarded.ok("write_note", title="P", directory="Secret", content="x", audience=Audience.PERSON)
    assert guarded.ok("history")["changes"] == []
    assert len(guarded.ok("history", audience=Audience.PERSON)["changes"]) == 1
