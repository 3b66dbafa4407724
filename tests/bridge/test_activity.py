"""What agents did, as the person sees it, and the way back."""

from tests.bridge.bridges import Bridge
from tests.conftest import Served


def edited(bridge: Bridge, content: str, **more: str) -> str:
    found = bridge.served.ok(
        "edit_note", identifier="B", operation="find_replace", find_text="two", content=content, **more
    )
    return str(found["change"])


def test_changes_are_listed_newest_first_with_who_why_and_how_much(bridge: Bridge) -> None:
    first = bridge.served.ok("write_note", title="C", directory="", content="a\nb\n", reason="because")["change"]
    second = edited(bridge, "2\n2b")
    said = bridge.get("activity")
    assert [change["id"] for change in said["changes"]] == [second, first]
    assert said["before"] is None
    newest, oldest = said["changes"]
    assert newest["entries"] == [
        {"op": "replace", "path": "B.md", "to": None, "added": 2, "removed": 1, "hidden": False}
    ]
    assert (oldest["reason"], oldest["client"], oldest["session"], oldest["state"]) == ("because", "test", "s1", "done")
    assert oldest["entries"][0]["op"] == "create"
    assert oldest["at"] > 1_700_000_000_000


def test_the_list_goes_on_where_it_ended(bridge: Bridge) -> None:
    made = [bridge.served.ok("write_note", title=f"N{n}", directory="", content="x")["change"] for n in range(5)]
    seen: list[str] = []
    asked: dict[str, str] = {}
    while True:
        said = bridge.get("activity", limit=2, **asked)
        seen += [change["id"] for change in said["changes"]]
        if said["before"] is None:
            break
        asked = {"before": said["before"]}
    assert seen == made[::-1]
    assert bridge.get("activity", client="nobody") == {"changes": [], "before": None}
    assert len(bridge.get("activity", client="test", session="s1")["changes"]) == 5


def test_a_diff_has_hunks_of_lines(bridge: Bridge) -> None:
    change = edited(bridge, "2")
    said = bridge.get(f"activity/{change}/diff")
    lines = [(" ", "one"), ("-", "two"), ("+", "2"), (" ", "three")]
    assert said["files"] == [
        {
            "op": "replace", "path": "B.md", "to": None, "binary": False, "more": 0,
            "hunks": [{"old_start": 1, "new_start": 1, "lines": [{"kind": k, "text": t} for k, t in lines]}],
        }
    ]  # fmt: skip
    bridge.fails("GET", "activity/zz/diff", 404, "not_found")


def test_a_move_shows_where_to_and_the_links_that_followed(bridge: Bridge) -> None:
    change = bridge.served.ok("move_note", identifier="B", destination_path="Sub/B2.md")["change"]
    entries = {entry["path"]: entry for entry in bridge.get("activity")["changes"][0]["entries"]}
    assert (entries["B.md"]["op"], entries["B.md"]["to"], entries["B.md"]["added"]) == ("move", "Sub/B2.md", 0)
    assert (entries["A.md"]["added"], entries["A.md"]["removed"]) == (1, 1)
    files = {file["path"]: file for file in bridge.get(f"activity/{change}/diff")["files"]}
    assert files["B.md"]["hunks"] == []
    assert {"kind": "+", "text": "[[B2]] and [[Nowhere]] #x"} in files["A.md"]["hunks"][0]["lines"]


def test_undo_is_shown_first_and_then_done(bridge: Bridge) -> None:
    change, before = edited(bridge, "2"), bridge.served.hash()
    checked = bridge.post("activity/undo", change=change, mode="check")
    assert (checked["undone"], checked["change"]) == ([change], None)
    assert {"kind": "+", "text": "two"} in checked["files"][0]["hunks"][0]["lines"]
    assert bridge.served.hash() == before
    done = bridge.post("activity/undo", change=change, mode="apply")
    assert bridge.served.read("B.md") == "one\ntwo\nthree\n"
    assert done["files"] == checked["files"]
    newest, undone = bridge.get("activity")["changes"]
    assert (newest["id"], newest["client"], newest["undoes"]) == (done["change"], "Obsidian", [change])
    assert undone["undone_by"] == done["change"]


def test_a_whole_session_is_undone_at_once(bridge: Bridge) -> None:
    edited(bridge, "2")
    bridge.served.ok("write_note", title="C", directory="", content="x")
    said = bridge.post("activity/undo", session="s1", mode="apply")
    assert len(said["undone"]) == 2
    assert not (bridge.served.root / "C.md").exists()
    assert {file["op"] for file in said["files"]} == {"replace", "trash"}
    created = next(file for file in said["files"] if file["op"] == "trash")
    assert {"kind": "-", "text": "x"} in created["hunks"][0]["lines"]


def test_a_conflict_names_the_file_and_shows_its_diff(bridge: Bridge) -> None:
    change = edited(bridge, "2")
    bridge.served.write("B.md", "one\n2 by hand\nthree\n")
    told = bridge.fails("POST", "activity/undo", 409, "conflict", json={"change": change, "mode": "apply"})
    assert told["data"]["path"] == "B.md"
    assert "+2 by hand" in told["data"]["diff"]
    assert bridge.served.read("B.md") == "one\n2 by hand\nthree\n"


def test_what_is_to_be_undone_is_said_exactly_once(bridge: Bridge) -> None:
    bridge.fails("POST", "activity/undo", 400, "invalid", json={"mode": "apply"})
    bridge.fails("POST", "activity/undo", 400, "invalid", json={"mode": "apply", "change": "a", "session": "s1"})
    bridge.fails("POST", "activity/undo", 400, "invalid", json={"change": "a"})
    bridge.fails("POST", "activity/undo", 404, "not_found", json={"mode": "check", "change": "zz"})
    change = edited(bridge, "2")
    bridge.post("activity/undo", change=change, mode="apply")
    bridge.fails("POST", "activity/undo", 403, "refused", json={"mode": "apply", "change": change})


def test_what_agents_may_not_see_is_shown_with_a_mark(guarded: Served) -> None:
    guarded.write("A.md", "[[Public]]\n")
    guarded.write("Secret/S.md", "[[Public]] inside\n")
    guarded.write("Public.md", "x\n")
    bridge = Bridge.over(guarded)
    guarded.open()
    guarded.ok("move_note", identifier="Public", destination_path="Open.md")
    entries = {entry["path"]: entry["hidden"] for entry in bridge.get("activity")["changes"][0]["entries"]}
    assert entries == {"Public.md": False, "A.md": False, "Secret/S.md": True}
