"""Open notes are written through the app; whatever the app does, there is exactly one write and nothing typed is lost."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sidecar.bridge.requests import Patience, Request
from tests.bridge.bridges import Bridge
from tests.bridge.scripted_plugin import CLAIM, RESULT, ScriptedPlugin, over_http, sha256, until

SHORT = Patience(claim=0.4, answer=0.6)


class Live:
    """A served vault, its bridge over HTTP, and the plugins of a test."""

    def __init__(self, bridge: Bridge, url: str) -> None:
        self.bridge = bridge
        self.served = bridge.served
        self.url = url
        self.plugins: list[ScriptedPlugin] = []

    @property
    def root(self) -> Path:
        return self.served.root

    def plugin(self, *shown: str, client: str = "one", **flags: Any) -> ScriptedPlugin:
        plugin = ScriptedPlugin(self.url, self.root, client, **flags).start()
        self.plugins.append(plugin)
        until(lambda: self.bridge.vault.polls.newest == client)
        plugin.show(*shown)
        return plugin

    def patience(self, patience: Patience) -> None:
        self.bridge.vault.requests.patience = patience

    def edit(self, path: str, old: str, new: str) -> dict[str, Any]:
        return self.served.ok("edit_note", identifier=path, operation="find_replace", find_text=old, content=new)

    def states(self) -> list[str]:
        return [change["state"] for change in self.bridge.get("activity")["changes"]]


@pytest.fixture
def live(bridge: Bridge) -> Iterator[Live]:
    with over_http(bridge) as url:
        made = Live(bridge, url)
        yield made
        for plugin in made.plugins:
            plugin.stop()


def test_an_open_note_is_edited_in_its_editor_and_saved_by_the_app(live: Live) -> None:
    plugin = live.plugin("B.md")
    live.edit("B.md", "two", "2")
    assert live.served.read("B.md") == plugin.editors["B.md"] == "one\n2\nthree\n"
    (event,) = plugin.heard
    assert event["data"]["edits"] == [{"start": 4, "end": 7, "text": "2"}]
    assert event["data"]["new_sha256"] == sha256(b"one\n2\nthree\n")
    assert live.states() == ["done"]
    assert live.served.found("three 2") == ["B.md"]


def test_a_note_that_is_not_open_is_written_here(live: Live) -> None:
    plugin = live.plugin("A.md")
    live.edit("B.md", "two", "2")
    assert (live.served.read("B.md"), plugin.heard) == ("one\n2\nthree\n", [])


def test_without_a_plugin_nothing_is_asked(live: Live) -> None:
    cursor = live.bridge.vault.events.cursor
    live.edit("B.md", "two", "2")
    log = live.bridge.get("events", after=cursor)
    assert {event["type"] for event in log["events"]} == {"changed", "activity"}


def test_a_listener_without_a_name_is_never_asked(live: Live) -> None:
    plugin = live.plugin("B.md")
    cursor = live.bridge.vault.events.cursor
    listening = threading.Thread(target=live.bridge.get, args=("events",), kwargs={"after": cursor, "wait": 2})
    listening.start()
    live.edit("B.md", "two", "2")
    listening.join()
    assert len(plugin.heard) == 1


def test_what_the_person_types_meanwhile_stays_and_undo_keeps_it(live: Live) -> None:
    plugin = live.plugin("B.md", typed="and four\n")
    change = live.edit("B.md", "two", "2")["change"]
    assert live.served.read("B.md") == "one\n2\nthree\nand four\n"
    assert live.served.found("four") == ["B.md"], "what is on the disk is indexed"
    plugin.typed = ""
    live.served.ok("undo", change=change)
    assert live.served.read("B.md") == "one\ntwo\nthree\nand four\n" == plugin.editors["B.md"]


def test_an_editor_with_unsaved_text_is_a_conflict_and_nothing_is_written(live: Live) -> None:
    plugin = live.plugin("B.md")
    plugin.editors["B.md"] += "typing"
    error = live.served.fails(
        "edit_note", "stale", identifier="B.md", operation="find_replace", find_text="two", content="2"
    )
    assert "unsaved changes in Obsidian" in error["message"]
    assert plugin.editors["B.md"] == "one\ntwo\nthree\ntyping"
    assert len(plugin.heard) == 1, "the same is not asked again and again"
    assert live.states() == ["rolled back"]


@pytest.mark.parametrize("text", [b"\xef\xbb\xbfone\ntwo\n", b"one\r\ntwo\r\n"], ids=["BOM", "CRLF"])
def test_notes_that_an_editor_would_change_are_written_here_when_clean_and_refused_when_not(
    live: Live, text: bytes
) -> None:
    live.served.write("C.md", text)
    live.served.reindex()
    plugin = live.plugin("C.md")
    live.edit("C.md", "two", "2")
    assert (live.root / "C.md").read_bytes() == text.replace(b"two", b"2")
    plugin.unsaved = ["C.md"]
    plugin.tell()
    error = live.served.fails(
        "edit_note", "stale", identifier="C.md", operation="find_replace", find_text="one", content="1"
    )
    assert "unsaved changes in Obsidian" in error["message"]
    assert plugin.heard == []


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("delete_note", {"identifier": "B.md"}),
        ("move_note", {"identifier": "B.md", "destination_path": "D.md"}),
        ("write_note", {"title": "B", "directory": "", "content": "x", "overwrite": True}),
    ],
)
def test_whatever_would_touch_a_note_with_unsaved_changes_is_refused(
    live: Live, tool: str, arguments: dict[str, Any]
) -> None:
    plugin = live.plugin("B.md")
    plugin.unsaved = ["B.md"]
    plugin.tell()
    live.served.fails(tool, "stale", **arguments)
    assert live.states() == []


def test_a_request_nobody_claims_is_withdrawn_and_written_here_once(live: Live) -> None:
    plugin = live.plugin("B.md", claims=False)
    live.edit("B.md", "two", "2")
    assert live.served.read("B.md") == "one\n2\nthree\n"
    until(lambda: plugin.heard)
    request = plugin.heard[0]["data"]["id"]
    assert plugin.post(CLAIM.format(request)) == 410, "it acts though the daemon wrote already"
    assert plugin.post(RESULT.format(request), outcome="done") == 410
    assert live.states() == ["done"]


def test_a_plugin_that_cannot_says_so_and_nobody_waits(live: Live) -> None:
    plugin = live.plugin("B.md")
    live.patience(Patience(claim=30, answer=30))
    del plugin.editors["B.md"]  # the tab shows the note in reading view
    live.edit("B.md", "two", "2")
    assert live.served.read("B.md") == "one\n2\nthree\n"
    assert plugin.replies[-1] == 200


def test_after_a_claim_without_a_result_it_is_unknown_and_nothing_is_written_over_it(live: Live) -> None:
    live.patience(SHORT)
    plugin = live.plugin("B.md", acts=False)
    edit = {"identifier": "B.md", "operation": "find_replace", "find_text": "two", "content": "2"}
    error = live.served.fails("edit_note", "unavailable", **edit)
    assert "not known" in error["message"]
    assert "check" in error["next"]
    assert live.states() == ["open"]
    again = live.served.fails("edit_note", "unavailable", **edit)
    assert "has not said yet" in again["message"]
    live.edit("A.md", "Nowhere", "Somewhere")
    # At last it does what it was asked for.
    saved = plugin._write_request(plugin.heard[0]["data"])
    assert plugin.post(RESULT.format(plugin.heard[0]["data"]["id"]), **saved) == 200
    until(lambda: "open" not in live.states())
    assert live.states() == ["done", "done"]
    plugin.acts = True
    live.edit("B.md", "three", "3")
    assert live.served.read("B.md") == plugin.editors["B.md"] == "one\n2\n3\n"


def test_a_silent_app_that_did_nothing_is_given_up_when_it_leaves(live: Live) -> None:
    live.patience(SHORT)
    plugin = live.plugin("B.md", acts=False)
    live.served.fails(
        "edit_note", "unavailable", identifier="B.md", operation="find_replace", find_text="two", content="2"
    )
    plugin.stop()
    until(lambda: not live.bridge.vault.polls.is_present("one"))
    live.edit("B.md", "three", "3")
    assert live.served.read("B.md") == "one\ntwo\n3\n"
    assert live.states() == ["done", "rolled back"]


def test_an_answer_that_got_lost_is_read_from_the_disk(live: Live) -> None:
    plugin = live.plugin("B.md", answers=False)
    live.patience(Patience(claim=5, answer=30))
    live.edit("B.md", "two", "2")
    assert live.served.read("B.md") == plugin.editors["B.md"] == "one\n2\nthree\n"
    assert live.states() == ["done"]


def test_a_lost_answer_is_read_from_the_disk_though_the_person_typed_on(live: Live) -> None:
    plugin = live.plugin("B.md", answers=False, typed="and four\n")
    live.patience(Patience(claim=5, answer=30))
    change = live.edit("B.md", "two", "2")["change"]
    assert live.served.read("B.md") == plugin.editors["B.md"] == "one\n2\nthree\nand four\n"
    assert live.states() == ["done"]
    plugin.answers, plugin.typed = True, ""
    live.served.ok("undo", change=change)
    assert live.served.read("B.md") == "one\ntwo\nthree\nand four\n"


@pytest.mark.parametrize(("is_saved", "state"), [(True, "done"), (False, "rolled back")])
def test_what_became_of_a_write_is_told_though_the_person_typed_and_nobody_answered(
    live: Live, is_saved: bool, state: str
) -> None:
    live.patience(SHORT)
    plugin = live.plugin("B.md", acts=False, typed="and four\n")
    live.served.fails(
        "edit_note", "unavailable", identifier="B.md", operation="find_replace", find_text="two", content="2"
    )
    if is_saved:
        plugin._write_request(plugin.heard[0]["data"])
    else:
        (live.root / "B.md").write_text("one\ntwo\nthree\nand four\n")
    plugin.stop()
    until(lambda: not live.bridge.vault.polls.is_present("one"))
    live.edit("A.md", "Nowhere", "Somewhere")
    assert live.states() == ["done", state]
    assert live.served.read("B.md") == f"one\n{'2' if is_saved else 'two'}\nthree\nand four\n"


def test_a_plugin_reloaded_during_a_pending_write_writes_exactly_once(live: Live) -> None:
    """The old one's poll outlives it and takes the event; whatever is left of it may not act."""
    old = live.plugin("B.md")
    new: list[ScriptedPlugin] = []
    old_claims: list[int] = []

    def reload() -> None:
        until(lambda: old.heard)
        new.append(live.plugin("B.md", client="two"))
        old_claims.append(old.post(CLAIM.format(old.heard[0]["data"]["id"])))

    old.claims = False
    live.patience(Patience(claim=3, answer=10))
    reloading = threading.Thread(target=reload)
    reloading.start()
    live.edit("B.md", "two", "2")
    reloading.join()
    assert old_claims == [410]
    assert live.served.read("B.md") == "one\n2\nthree\n"
    assert [event["type"] for event in new[0].heard] == []
    new[0].show("B.md")
    live.edit("B.md", "three", "3")
    assert (len(old.heard), len(new[0].heard)) == (1, 1), "the newest client is asked, and no other"
    assert live.served.read("B.md") == new[0].editors["B.md"] == "one\n2\n3\n"


def test_a_plugin_unloaded_after_its_claim_still_writes_exactly_once(live: Live) -> None:
    """What it had begun it finishes, though it can tell nobody any more."""
    live.patience(Patience(claim=3, answer=20))
    old = live.plugin("B.md", answers=False, meanwhile=lambda _: live.plugin("B.md", client="two"))
    live.edit("B.md", "two", "2")
    assert live.served.read("B.md") == old.editors["B.md"] == "one\n2\nthree\n"
    assert live.plugins[1].heard == []
    assert live.states() == ["done"]


def test_an_open_note_is_renamed_by_the_app_and_links_follow(live: Live) -> None:
    live.served.write("A.md", "# A\n\n[[B]] here\n")
    live.served.write("B.md", "to [here](C.md)\n")
    live.served.write("C.md", "x\n")
    live.served.reindex()
    plugin = live.plugin("A.md", "B.md")
    moved = live.served.ok("move_note", identifier="B", destination_path="Sub/Deep/New.md")
    assert [event["type"] for event in plugin.heard].count("rename_request") == 1
    assert not (live.root / "B.md").exists()
    assert live.served.read("A.md") == plugin.editors["A.md"] == "# A\n\n[[New]] here\n"
    assert live.served.read("Sub/Deep/New.md") == plugin.editors["Sub/Deep/New.md"]
    plugin.show("Sub/Deep/New.md", open_files=["A.md", "Sub/Deep/New.md"])
    live.served.ok("undo", change=moved["change"])
    assert live.served.read("A.md") == "# A\n\n[[B]] here\n"
    assert live.served.read("B.md") == "to [here](C.md)\n" == plugin.editors["B.md"]


def test_an_open_file_is_put_into_the_trash_by_the_app(live: Live) -> None:
    live.served.write(".obsidian/app.json", '{"trashOption":"local"}')
    live.served.reindex()
    plugin = live.plugin("B.md")
    deleted = live.served.ok("delete_note", identifier="B.md")
    assert [event["type"] for event in plugin.heard] == ["trash_request"]
    assert (live.root / ".trash/B.md").read_text() == "one\ntwo\nthree\n"
    live.served.ok("undo", change=deleted["change"])
    assert live.served.read("B.md") == "one\ntwo\nthree\n"


def test_what_the_app_put_elsewhere_in_the_trash_is_found_there(live: Live) -> None:
    live.served.write(".obsidian/app.json", '{"trashOption":"local"}')
    live.served.write("Sub/X.md", "only here\n")
    live.served.reindex()
    live.plugin("Sub/X.md")
    deleted = live.served.ok("delete_note", identifier="Sub", is_directory=True)
    assert not (live.root / "Sub").exists()
    assert (live.root / ".trash/Sub/X.md").is_file(), "the journal looks for it there"
    assert not (live.root / ".trash/X.md").exists()
    live.served.ok("undo", change=deleted["change"])
    assert live.served.read("Sub/X.md") == "only here\n"


@pytest.mark.parametrize("tool", ["move_note", "delete_note"])
def test_what_the_app_fails_to_move_is_moved_here(live: Live, tool: str) -> None:
    live.plugin("B.md", fails=True)
    arguments = {"destination_path": "D.md"} if tool == "move_note" else {}
    live.served.ok(tool, identifier="B.md", **arguments)
    assert not (live.root / "B.md").exists()
    assert live.states() == ["done"]


def test_a_save_that_fails_is_unknown(live: Live) -> None:
    live.plugin("B.md", fails=True)
    edit = {"identifier": "B.md", "operation": "append", "content": "x"}
    assert "not known" in live.served.fails("edit_note", "unavailable", **edit)["message"]
    live.plugins[0].fails = False
    live.edit("B.md", "two", "2")
    assert live.states() == ["done", "rolled back"]


def test_an_app_that_saved_nothing_is_not_believed(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    plugin = live.plugin("B.md")
    said = {"outcome": "done", "sha256": sha256(b"one\ntwo\nthree\n")}
    monkeypatch.setattr(plugin, "_write_request", lambda _: said)
    edit = {"identifier": "B.md", "operation": "append", "content": "x"}
    assert "not known" in live.served.fails("edit_note", "unavailable", **edit)["message"]
    assert live.served.read("B.md") == "one\ntwo\nthree\n"


def test_a_later_conflict_takes_back_what_was_done(live: Live) -> None:
    live.served.write("A.md", "see [[B]]\n")
    live.served.write("C.md", "see [[B]]\n")
    live.served.reindex()
    plugin = live.plugin("A.md", "C.md")
    plugin.editors["C.md"] = "typing"
    before = (live.root / "B.md").stat().st_ctime_ns
    error = live.served.call("move_note", identifier="B.md", destination_path="New.md")
    assert error.is_error
    assert live.served.read("A.md") == live.served.read("C.md") == "see [[B]]\n"
    assert (live.root / "B.md").stat().st_ctime_ns == before, "what may be refused goes first"


def test_many_open_notes_are_not_waited_for_one_by_one_when_nobody_listens(live: Live) -> None:
    names = [f"Many/{n}.md" for n in range(30)]
    for name in names:
        live.served.write(name, "x [[B]]\n")
    live.served.reindex()
    live.patience(Patience(claim=0.2, answer=1))
    plugin = live.plugin(*names, claims=False)
    live.served.ok("move_note", identifier="B.md", destination_path="New.md")
    until(lambda: plugin.heard)
    assert len([e for e in plugin.heard if e["type"] == "write_request"]) == 1
    assert all(live.served.read(name) == "x [[New]]\n" for name in names)


def test_changes_of_one_note_come_one_after_another(live: Live) -> None:
    live.served.write("B.md", "".join(f"line {n}\n" for n in range(6)))
    live.served.reindex()
    plugin = live.plugin("B.md", meanwhile=lambda _: time.sleep(0.02))
    threads = [threading.Thread(target=live.edit, args=("B.md", f"line {n}", f"LINE {n}")) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert live.served.read("B.md") == plugin.editors["B.md"] == "".join(f"LINE {n}\n" for n in range(6))


class Crash(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("step", ["before the request", "after the request", "after the claim", "after the save"])
def test_a_crash_at_each_step_is_recovered_from(live: Live, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plugin = live.plugin("B.md", acts=step == "after the save", claims=step != "after the request")

    def ends(request: Request, *_: object) -> Any:
        until(lambda: step == "after the request" or request._is_claimed)
        until(lambda: step != "after the save" or request.is_over)
        raise Crash

    monkeypatch.setattr(Request, "wait", ends)
    if step == "before the request":
        monkeypatch.setattr(live.bridge.vault.requests, "ask", lambda *_: ends_at_once())
    with pytest.raises(Crash):
        live.edit("B.md", "two", "2")
    monkeypatch.undo()
    assert live.states() == ["open"]
    plugin.stop()
    live.bridge.vault.events.close()
    live.served.close()
    is_saved = step == "after the save"
    live.served.reindex()
    assert live.states() == ["done" if is_saved else "rolled back"]
    assert live.served.read("B.md") == ("one\n2\nthree\n" if is_saved else "one\ntwo\nthree\n")
    (change,) = live.bridge.get("activity")["changes"]
    if is_saved:
        live.served.ok("undo", change=change["id"])
        assert live.served.read("B.md") == "one\ntwo\nthree\n"


def ends_at_once() -> None:
    raise Crash
