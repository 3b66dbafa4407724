import json
import threading
from typing import Any

import pytest

from tests.conftest import Served
from tests.tools.test_canvas_read import board, card


@pytest.fixture
def plan(served: Served) -> Served:
    served.write("Home.md", "---\ntitle: My home\n---\nx\n")
    served.write("Plan.canvas", board(card("a", text="Alpha"), card("b", 400, 0, text="Beta"), kept=[1]))
    return served


def nodes(served: Served, path: str = "Plan.canvas") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(served.read(path))["nodes"]
    return found


def test_operations_are_one_change(plan: Served) -> None:
    before = plan.read("Plan.canvas")
    done = plan.ok(
        "canvas_edit",
        path="Plan",
        operations=[
            {"op": "add", "id": "c", "text": "Gamma", "near": "Alpha"},
            {"op": "add", "file": "My home"},
            {"op": "connect", "from": "Alpha", "to": "c", "label": "then"},
            {"op": "update", "card": "Beta", "color": "1"},
        ],
        reason="to show it",
    )
    drawn = nodes(plan)
    assert [node.get("file") for node in drawn if node["type"] == "file"] == ["Home.md"]
    assert {node["id"] for node in drawn} >= {done["ids"]["c"], "a", "b"}
    assert [named["name"] for named in done["added"]] == ["Gamma", "My home"]
    assert [named["name"] for named in done["updated"]] == ["Beta"]
    assert done["connected"] == 1
    assert done["action"] == "updated"
    (change, *_) = plan.ok("history")["changes"]
    assert (change["id"], change["tool"], change["reason"]) == (done["change"], "canvas_edit", "to show it")
    plan.ok("undo")
    assert plan.read("Plan.canvas") == before


def test_c33_what_is_not_named_keeps_its_bytes(plan: Served) -> None:
    text = '{ "kept": 1,\n  "nodes": [\n {"id":"a","x":0,"y":0, "width":9,"height":9,"type":"text","text":"A"},\n'
    text += '    {"y":90,"x":0,"id":"b","width":9,"height":9,"type":"text","text":"B","odd":null}\n]}\n'
    plan.write("Odd.canvas", text)
    plan.ok("canvas_edit", path="Odd", operations=[{"op": "update", "card": "a", "color": "3"}])
    (changed, _) = (plan.read("Odd.canvas").splitlines()[2:4], 0)
    assert plan.read("Odd.canvas").splitlines()[:2] == text.splitlines()[:2]
    assert changed[1] == text.splitlines()[3]
    assert '"color"' in changed[0]


def test_nothing_to_do_is_no_change(plan: Served) -> None:
    before = plan.hash()
    done = plan.ok("canvas_edit", path="Plan", operations=[{"op": "update", "card": "a", "text": "Alpha"}])
    assert (done["action"], done["change"]) == ("unchanged", None)
    assert plan.hash() == before


def test_text_reply(plan: Served) -> None:
    (block,) = plan.call("canvas_edit", path="Plan", ops=[{"op": "remove", "card": "Beta"}], checksum=None).blocks
    assert "removed: 'Beta' (b)" in block
    assert "undo takes it back" in block


def test_every_fault_is_listed_at_once(plan: Served) -> None:
    error = plan.fails(
        "canvas_edit",
        "invalid",
        path="Plan",
        operations=[{"op": "fly"}, {"op": "remove", "card": "zzz"}, {"op": "add", "file": "Nowhere.md"}, 7],
    )
    assert "operation" in error["message"].lower()
    error = plan.fails(
        "canvas_edit", "invalid", path="Plan", operations=[{"op": "fly"}, {"op": "remove", "card": "zzz"}]
    )
    assert len(error["findings"]) == 2
    error = plan.fails("canvas_edit", "invalid", path="Plan", operations=[{"op": "add", "file": "Nowhere.md"}])
    assert "Nowhere.md" in error["message"]


def test_a_name_that_fits_two_cards(plan: Served) -> None:
    plan.write("Two.canvas", board(card("1", text="Same"), card("2", 0, 99, text="Same")))
    error = plan.fails("canvas_edit", "ambiguous", path="Two", operations=[{"op": "remove", "card": "Same"}])
    assert len(error["candidates"]) == 2


def test_other_errors(plan: Served) -> None:
    plan.fails("canvas_edit", "not_found", path="Nowhere", operations=[])
    plan.fails("canvas_edit", "not_found", path="Plan", operations=[{"op": "remove", "card": "Gamma"}])
    plan.fails("canvas_edit", "invalid", path="Home.md", operations=[])
    plan.fails("canvas_edit", "invalid", path="Plan", operations=[], expected_checksum="12")


def test_a_changed_canvas_is_refused(plan: Served) -> None:
    known = plan.ok("canvas_read", path="Plan")["checksum"]
    plan.write("Plan.canvas", board(card("a", text="Other")))
    error = plan.fails(
        "canvas_edit", "stale", path="Plan", operations=[{"op": "remove", "card": "a"}], expected_checksum=known[:16]
    )
    assert "diff" in error
    plan.ok("canvas_edit", path="Plan", operations=[{"op": "remove", "card": "a"}], checksum=error["checksum"])


def test_a_change_between_plan_and_write_is_planned_anew(plan: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = plan.open()
    committer = opened.services.canvases.drawing._writer._committer
    real, done = committer.apply, threading.Event()

    async def apply(*args: Any, **more: Any) -> Any:
        if not done.is_set():
            done.set()
            plan.write("Plan.canvas", board(card("a", text="Alpha"), card("z", 0, 500, text="by a person")))
        return await real(*args, **more)

    monkeypatch.setattr(committer, "apply", apply)
    plan.ok("canvas_edit", path="Plan", operations=[{"op": "add", "text": "new"}])
    assert [node["text"] for node in nodes(plan)] == ["Alpha", "by a person", "new"]


def test_access(guarded: Served) -> None:
    guarded.write("Secret/S.canvas", board(card("a")))
    guarded.write("Secret/Note.md", "# Note")
    guarded.write("Sources/R.canvas", board(card("a")))
    guarded.write("M.canvas", board(card("a")))
    guarded.fails("canvas_edit", "not_found", path="S", operations=[])
    guarded.fails("canvas_edit", "refused", path="R", operations=[{"op": "remove", "card": "a"}])
    error = guarded.fails("canvas_edit", "invalid", path="M", operations=[{"op": "add", "file": "Secret/Note.md"}])
    assert "Secret/Note.md" in error["message"]


@pytest.mark.parametrize(
    "text",
    [
        board(card("a"), card("a", 0, 100)),
        board(card("a"), edges=({"id": "e", "fromNode": "a", "toNode": "gone"},)),
        board(card("a", x=1.5), card("b", x=None), card("c", x=10**12)),
        '{"nodes":[null,3,{"type":"portal","id":"p"},{"id":"a","type":"text","text":"a","x":0,"y":0,"width":9,"height":9}]}',
        '{"edges":"none","nodes":[]}',
    ],
)
def test_what_was_wrong_before_neither_hinders_nor_changes(plan: Served, text: str) -> None:
    plan.write("Odd.canvas", text)
    reply = plan.call("canvas_edit", path="Odd", operations=[{"op": "add", "text": "new"}], output_format="json")
    after = json.loads(plan.read("Odd.canvas"))
    if reply.is_error:
        assert plan.read("Odd.canvas") == text
    else:
        assert after["nodes"][: len(json.loads(text)["nodes"])] == json.loads(text)["nodes"]
        assert after["nodes"][-1]["text"] == "new"
