"""What becomes of a proposal: planned anew on today's files, accepted once, and never written without the person."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from sidecar.config import AccessSettings, Settings, StateFolder
from sidecar.errors import Refused, SidecarError, Stale, Unavailable
from sidecar.journal.proposals import ProposalStore
from sidecar.model.change import Author, ChangeSet, RecordedChange
from sidecar.model.path import VaultPath as P
from sidecar.model.proposal import ProposalState
from sidecar.services.caller import Audience
from sidecar.services.proposals import Chosen, Decided, Proposals, ShownProposal
from sidecar.vault.changes import DiskSink, OutcomeUnknown
from tests.conftest import Served

LINES = "".join(f"{n}\n" for n in range(30))


@pytest.fixture
def asking(tmp_path: Path) -> Iterator[Served]:
    """A vault where changes in ``Work/`` have to be asked for, ``Sources/`` is read-only and ``Secret/`` denied."""
    root = tmp_path / "Vault"
    root.mkdir()
    access = AccessSettings(ask=("Work/",), read_only=("Sources/", "Work/Fixed/"), deny=("Secret/", "Work/Secret/"))
    vault = Served(root, StateFolder(tmp_path / "state"), Settings(access=access))
    vault.write(".obsidian/app.json", '{"trashOption":"local"}')
    vault.write("Work/A.md", LINES)
    vault.write("Open.md", "see [[A]]\n")
    yield vault
    vault.close()


def proposals(vault: Served) -> Proposals:
    return vault.open().services.proposals


def show(vault: Served, identifier: str) -> ShownProposal:
    return asyncio.run(proposals(vault).show(identifier))


def accept(vault: Served, identifier: str, chosen: Chosen | None = None) -> ShownProposal:
    return asyncio.run(proposals(vault).accept(identifier, chosen))


def replaced(vault: Served, old: str, new: str, identifier: str = "Work/A.md") -> str:
    told = vault.ok(
        "edit_note", identifier=identifier, operation="find_replace", find_text=old, content=new, reason="because"
    )
    return str(told["pending"])


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("move_note", {"identifier": "Open", "destination_path": "Work/Open.md"}),  # in
        ("move_note", {"identifier": "Work/A.md", "destination_path": "A.md"}),  # out
        ("write_note", {"title": "N", "directory": "Work/Deep", "content": "x"}),
        ("move_note", {"identifier": "Out", "is_directory": True, "destination_path": "Work/Out"}),
        ("delete_note", {"identifier": "Work", "is_directory": True}),
    ],
)
def test_in_out_and_within_is_asked_for(asking: Served, tool: str, arguments: dict[str, Any]) -> None:
    asking.write("Out/O.md", "x")
    before = asking.hash()
    assert asking.ok(tool, **arguments)["pending"]
    assert asking.hash() == before


def test_a_change_of_many_files_of_which_one_is_asked_about_is_one_proposal(asking: Served) -> None:
    asking.write("Free.md", "x")
    asking.write("Work/Names it.md", "[[Free]]\n")
    told = asking.ok("move_note", identifier="Free", destination_path="Freed.md")
    assert set(told["files"]) == {"Free.md", "Freed.md", "Work/Names it.md"}
    assert (told["written"], asking.read("Free.md")) == (False, "x")
    accept(asking, told["pending"])
    assert (asking.read("Freed.md"), asking.read("Work/Names it.md")) == ("x", "[[Freed]]\n")


def test_other_files_and_the_person_are_not_kept_waiting(asking: Served) -> None:
    assert asking.ok("write_note", title="B", directory="", content="x")["change"]
    edit = {"identifier": "Work/A.md", "operation": "append", "content": "more"}
    assert not asking.call("edit_note", audience=Audience.PERSON, **edit).is_error
    assert asking.read("Work/A.md").endswith("more\n")
    dry = asking.ok("undo", dry_run=True)
    assert dry["dry_run"]
    assert asyncio.run(proposals(asking).list()) == ()


def test_stricter_rules_stay_strict(asking: Served) -> None:
    asking.write("Work/Fixed/F.md", "x")
    asking.write("Work/Secret/S.md", "x")
    asking.write("Work/P.md", "---\nprivate: true\n---\nx")
    for name, category in (("Work/Fixed/F.md", "refused"), ("Work/Secret/S.md", "not_found"), ("P", "not_found")):
        asking.fails("edit_note", category, identifier=name, operation="append", content="x")
    assert asyncio.run(proposals(asking).list()) == ()


def test_c27_links_in_a_private_note_make_no_proposal_and_are_not_told(asking: Served) -> None:
    asking.write("Work/P.md", "---\nprivate: true\n---\n[[Free]]")
    asking.write("Free.md", "x")
    assert asking.ok("move_note", identifier="Free", destination_path="Freed.md")["moved"]
    told = asking.ok("move_note", identifier="Freed", destination_path="Work/Again.md")
    assert set(told["files"]) == {"Freed.md", "Work/Again.md"}
    assert {f.offered.diff.path: f.hidden for f in show(asking, told["pending"]).files}[P("Work/P.md")]


def test_c27_who_may_not_know_of_the_file_may_not_know_of_the_proposal(asking: Served) -> None:
    waiting = replaced(asking, "3\n4\n", "three\n4\n")
    asking.write("Work/A.md", f"---\nprivate: true\n---\n{LINES}")
    asking.reindex()
    error = asking.fails("history", "not_found", change=waiting)
    assert "Work" not in str(error)
    assert asking.call("history", audience=Audience.PERSON, change=waiting).is_error is False


def test_history_tells_what_became_of_it(asking: Served) -> None:
    def told(identifier: str) -> tuple[str, str]:
        said = asking.ok("history", change=identifier)["proposal"]
        (text,) = asking.call("history", change=identifier).blocks
        return said["state"], text

    accepted, refused = replaced(asking, "\n5\n", "\nfive\n"), replaced(asking, "\n25\n", "\nx\n")
    state, text = told(accepted)
    assert (state, "waits for the user" in text) == ("waiting", True)
    done = accept(asking, accepted)
    state, text = told(accepted)
    assert (state, f"change {done.proposal.recorded}" in text, "+five" in text) == ("accepted", True, True)
    assert asking.ok("history", change=accepted)["changes"][0]["reason"] == "because"
    asyncio.run(proposals(asking).reject(refused, "not now"))
    state, text = told(refused)
    assert (state, "not now" in text) == ("rejected", True)
    asking.fails("history", "not_found", change="p-000000000000")
    with pytest.raises(Decided) as decided:
        asyncio.run(proposals(asking).reject(accepted))
    assert decided.value.data == {"state": "accepted", "change": done.proposal.recorded}


def test_later_edits_elsewhere_in_the_file_are_kept(asking: Served) -> None:
    waiting = replaced(asking, "\n5\n", "\nfive\n")
    asking.write("Work/A.md", LINES.replace("\n20\n", "\ntwenty\n"))
    shown = show(asking, waiting)
    assert shown.stale is None
    assert [
        line.text for file in shown.files for h in file.offered.diff.hunks for line in h.lines if line.kind == "+"
    ] == ["five"]
    done = accept(asking, waiting)
    assert asking.read("Work/A.md") == LINES.replace("\n20\n", "\ntwenty\n").replace("\n5\n", "\nfive\n")
    assert asking.ok("undo", change=done.proposal.recorded, dry_run=True)["undone"] == [done.proposal.recorded]


@pytest.mark.parametrize("text", [LINES.replace("\n5\n", "\n5!\n"), None])
def test_what_fits_no_more_is_stale_waits_on_and_says_so(asking: Served, text: str | None) -> None:
    waiting = replaced(asking, "\n5\n", "\nfive\n")
    if text is None:
        (asking.root / "Work/A.md").unlink()
    else:
        asking.write("Work/A.md", text)
    before = asking.hash()
    shown = show(asking, waiting)
    assert shown.stale is not None
    assert "Work/A.md" in shown.stale
    with pytest.raises(Stale):
        accept(asking, waiting)
    assert asking.hash() == before
    said = asking.ok("history", change=waiting)["proposal"]
    assert (said["state"], said["stale"]) == ("waiting", True)
    assert "propose it anew" in asking.call("history", change=waiting).blocks[0]
    asking.write("Work/A.md", LINES)
    assert accept(asking, waiting).proposal.state is ProposalState.ACCEPTED


def test_a_new_note_whose_name_is_taken_by_now_is_stale_unless_it_is_the_very_same(asking: Served) -> None:
    waiting = asking.ok("write_note", title="N", directory="Work", content="x")["pending"]
    asking.write("Work/n.md", "other")
    assert show(asking, waiting).stale
    (asking.root / "Work/n.md").unlink()
    asking.write("Work/N.md", "x")
    done = accept(asking, waiting)
    assert (done.proposal.state, done.proposal.recorded) == (ProposalState.ACCEPTED, None)
    assert "so already" in asking.call("history", change=waiting).blocks[0]


def test_a_move_takes_along_what_came_since(asking: Served) -> None:
    asking.write("Work/Sub/In.md", "in")
    waiting = asking.ok("move_note", identifier="Work/Sub", is_directory=True, destination_path="Moved")["pending"]
    asking.write("Work/Sub/In.md", "edited [[A]]")
    asking.write("Work/Sub/Late.md", "late")
    asking.write("New link.md", "[[Work/Sub/In]]")
    asking.reindex()
    accept(asking, waiting)
    assert asking.read("Moved/In.md") == "edited [[A]]"
    assert asking.read("Moved/Late.md") == "late"
    assert asking.read("New link.md") == "[[In]]"
    assert not (asking.root / "Work/Sub").exists()


def test_a_deletion_of_what_was_edited_since_is_stale_and_a_taken_place_in_the_trash_is_none(asking: Served) -> None:
    waiting = asking.ok("delete_note", identifier="Work/A.md")["pending"]
    asking.write("Work/A.md", "edited")
    assert show(asking, waiting).stale
    asking.write("Work/A.md", LINES)
    asking.write(".trash/A.md", "an older one")
    accept(asking, waiting)
    assert (asking.read(".trash/A.md"), asking.read(".trash/A 2.md")) == ("an older one", LINES)


def test_a_deleted_folder_finds_a_new_place_in_the_trash(asking: Served) -> None:
    asking.write("Work/Sub/Deep/In.md", "in")
    waiting = asking.ok("delete_note", identifier="Work/Sub", is_directory=True)["pending"]
    asking.write(".trash/Sub/x.md", "an older one")
    asking.write("Work/Sub/Late.md", "late")
    accept(asking, waiting)
    assert (asking.read(".trash/Sub 2/Deep/In.md"), asking.read("Work/Sub/Late.md")) == ("in", "late")


def test_links_made_since_do_not_go_astray_when_a_new_note_takes_a_name(asking: Served) -> None:
    asking.write("Deep/Down/N.md", "the one that is meant")
    waiting = asking.ok("write_note", title="N", directory="Work", content="x")["pending"]
    asking.write("Late.md", "[[N]]")
    asking.reindex()
    accept(asking, waiting)
    assert asking.read("Work/N.md") == "x"
    assert asking.read("Late.md") == "[[Deep/Down/N]]"


def test_an_undo_is_planned_from_the_journal_and_is_stale_when_someone_else_did_it(asking: Served) -> None:
    edit = {"identifier": "Work/A.md", "operation": "append", "content": "more"}
    asking.call("edit_note", audience=Audience.PERSON, **edit)
    (change,) = asking.ok("history", limit=1)["changes"]
    waiting = asking.ok("undo", change=change["id"])["pending"]
    asking.write("Work/A.md", "top\n" + asking.read("Work/A.md"))
    assert show(asking, waiting).is_whole
    done = accept(asking, waiting)
    assert asking.read("Work/A.md") == "top\n" + LINES
    (undone,) = asking.ok("history", change=change["id"])["changes"]
    assert undone["undone_by"] == done.proposal.recorded
    asking.call("edit_note", audience=Audience.PERSON, **edit)
    (change,) = asking.ok("history", limit=1)["changes"]
    waiting = asking.ok("undo", change=change["id"])["pending"]
    asking.call("undo", audience=Audience.PERSON, change=change["id"])
    assert show(asking, waiting).stale
    with pytest.raises(Refused):
        accept(asking, waiting)


def test_hunks_can_be_accepted_one_by_one(asking: Served) -> None:
    content = LINES.replace("\n5\n", "\nfive\n").replace("\n20\n", "\ntwenty\n")
    told = asking.ok("write_note", title="A", directory="Work", content=content, overwrite=True)
    shown = show(asking, told["pending"])
    (file,) = shown.files
    assert (len(file.offered.hunks), file.offered.is_whole, shown.is_whole) == (2, False, False)
    asking.write("Work/A.md", "new top\n" + LINES)  # ids outlive an edit elsewhere
    with pytest.raises(Stale):
        accept(asking, told["pending"], {P("Work/A.md"): ["gone-1"]})
    done = accept(asking, told["pending"], {P("Work/A.md"): [file.offered.hunks[1]]})
    assert done.proposal.is_partial
    assert asking.read("Work/A.md") == "new top\n" + LINES.replace("\n20\n", "\ntwenty\n")
    assert "accepted a part of it" in asking.call("history", change=told["pending"]).blocks[0]


def test_a_canvas_is_accepted_as_a_whole(asking: Served) -> None:
    nodes = [{"id": "n", "type": "text", "text": "t"}]
    told = asking.ok("canvas", title="C", directory="Work", nodes=nodes, edges=[])
    assert show(asking, told["pending"]).files[0].offered.is_whole
    accept(asking, told["pending"])
    assert '"t"' in asking.read("Work/C.canvas")


def test_of_two_who_accept_at_once_one_does_it(asking: Served) -> None:
    waiting = replaced(asking, "\n5\n", "\nfive\n")
    proposals(asking)

    def try_it(_: int) -> str:
        try:
            return str(accept(asking, waiting).proposal.state)
        except Decided as decided:
            return f"gone: {decided.data['state']}"

    with ThreadPoolExecutor(4) as pool:
        outcomes = sorted(pool.map(try_it, range(4)))
    assert outcomes == ["accepted", *["gone: accepted"] * 3]
    assert len(asking.ok("history", identifier="Work/A.md")["changes"]) == 1


def test_it_waits_through_a_restart(asking: Served) -> None:
    waiting = replaced(asking, "\n5\n", "\nfive\n")
    asking.close()
    shown = show(asking, waiting)
    assert (shown.proposal.state, shown.proposal.author) == (ProposalState.WAITING, Author("test", "s1"))
    accept(asking, waiting)
    assert "five" in asking.read("Work/A.md")
    newest = asking.ok("history", limit=1)["changes"][0]
    assert (newest["client"], newest["session"], newest["tool"]) == ("test", "s1", "edit_note")


@pytest.mark.parametrize("is_applied", [True, False])
def test_after_a_crash_it_is_known_whether_it_was_carried_out(
    asking: Served, monkeypatch: pytest.MonkeyPatch, *, is_applied: bool
) -> None:
    waiting = replaced(asking, "\n5\n", "\nfive\n")
    crash = _Crash()
    with monkeypatch.context() as patched:
        patched.setattr(ProposalStore, "finish" if is_applied else "release", crash)
        if not is_applied:
            patched.setattr(DiskSink, "apply", crash)
        with pytest.raises(_Crash.Error):
            accept(asking, waiting)
        asking.close()
    shown = show(asking, waiting)
    assert ("five" in asking.read("Work/A.md")) is is_applied
    assert shown.proposal.state is (ProposalState.ACCEPTED if is_applied else ProposalState.WAITING)
    assert (shown.proposal.recorded is not None, shown.proposal.begun) == (is_applied, None)


class _Crash:
    class Error(BaseException):
        pass

    def __call__(self, *_: object, **__: object) -> None:
        raise self.Error


def test_what_the_disk_refuses_waits_on(asking: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = replaced(asking, "\n5\n", "\nfive\n")

    def full(_sink: DiskSink, _change: ChangeSet, _author: Author) -> RecordedChange:
        raise Unavailable("The disk is full.")

    with monkeypatch.context() as patched:
        patched.setattr(DiskSink, "apply", full)
        with pytest.raises(SidecarError, match="full"):
            accept(asking, waiting)
    assert accept(asking, waiting).proposal.state is ProposalState.ACCEPTED


def test_while_the_app_has_not_answered_nobody_can_decide_again(
    asking: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    waiting = replaced(asking, "\n5\n", "\nfive\n")
    vault = asking.open()

    def unknown(_sink: DiskSink, change: ChangeSet, author: Author) -> RecordedChange:
        vault.journal.begin(change, author, {P("Work/A.md"): LINES.encode()})
        raise OutcomeUnknown("Obsidian did not say.")

    with monkeypatch.context() as patched:
        patched.setattr(DiskSink, "apply", unknown)
        with pytest.raises(OutcomeUnknown):
            accept(asking, waiting)
    for decide in (proposals(asking).accept, proposals(asking).reject):
        with pytest.raises(Unavailable):
            asyncio.run(decide(waiting))
    asking.write("Work/A.md", LINES.replace("\n5\n", "\nfive\n"))  # the app did it after all
    asking.close()
    assert show(asking, waiting).proposal.state is ProposalState.ACCEPTED


def test_the_person_decides_whatever_agents_may_do_by_now(asking: Served) -> None:
    waiting = replaced(asking, "\n5\n", "\nfive\n")
    asking.write(".mcpignore", "Work/\n")
    asking.fails("edit_note", "not_found", identifier="Work/A.md", operation="append", content="x")
    assert accept(asking, waiting).proposal.state is ProposalState.ACCEPTED


def test_each_step_is_told(asking: Served) -> None:
    heard: list[tuple[str, str]] = []
    proposals(asking).subscribe(lambda news: heard.append((news.id, news.state)))
    one, two = replaced(asking, "\n5\n", "\nfive\n"), replaced(asking, "\n25\n", "\nx\n")
    accept(asking, one)
    asyncio.run(proposals(asking).reject(two))
    assert heard == [(one, "waiting"), (two, "waiting"), (one, "accepted"), (two, "rejected")]
