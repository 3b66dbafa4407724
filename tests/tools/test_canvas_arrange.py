import json
from typing import Any

import pytest

from sidecar.canvas.layout.geometry import Box, box_of
from sidecar.canvas.layout.quality import overlaps
from tests.conftest import Served
from tests.tools.test_canvas_read import board, card


def edge(start: str, end: str, **more: Any) -> dict[str, Any]:
    return {"id": start + end, "fromNode": start, "toNode": end, **more}


HEAP = [
    card("g", -100, -100, type="group", label="Box", width=900, height=500),
    card("a"), card("b", 10, 10), card("c", 20, 20),
    card("x", 3000, 0), card("y", 3010, 10), card("z", 5000, 2000, odd=[1]),
]  # fmt: skip
LINES = (edge("a", "b", fromSide="left", toSide="left"), edge("b", "c"), edge("x", "y"), edge("x", "z"), edge("a", "x"))


@pytest.fixture
def heap(served: Served) -> Served:
    served.write("Heap.canvas", board(*HEAP, edges=LINES, kept=1))
    return served


def places(served: Served) -> dict[str, Box]:
    nodes = json.loads(served.read("Heap.canvas"))["nodes"]
    return {node["id"]: box for node in nodes if (box := box_of(node))}


def inside(frame: Box, box: Box) -> bool:
    return frame.x < box.x and frame.y < box.y and box.right < frame.right and box.bottom < frame.bottom


def cards(boxes: dict[str, Box]) -> dict[str, Box]:
    return {name: box for name, box in boxes.items() if name != "g"}


@pytest.mark.parametrize("layout", ["auto", "map", "flow", "tree", "timeline", "columns"])
def test_everything_is_laid_out(heap: Served, layout: str) -> None:
    before = json.loads(heap.read("Heap.canvas"))
    done = heap.ok("canvas_arrange", path="Heap", layout=layout)
    after = places(heap)
    assert done["moved"] + done["stayed"] == 7
    assert overlaps(cards(after)) == 0
    assert all(inside(after["g"], after[name]) for name in "abc")
    assert not any(after["g"].meets(after[name]) for name in "xyz")
    drawn = json.loads(heap.read("Heap.canvas"))
    place = {"x", "y", "width", "height"}
    assert [{k: v for k, v in n.items() if k not in place} for n in drawn["nodes"]] == [
        {k: v for k, v in n.items() if k not in place} for n in before["nodes"]
    ]
    assert drawn["kept"] == 1
    assert all({"fromSide", "toSide"} <= line.keys() for line in drawn["edges"])
    heap.ok("undo")
    assert json.loads(heap.read("Heap.canvas")) == before


def test_asked_again_nothing_changes(heap: Served) -> None:
    heap.ok("canvas_arrange", path="Heap")
    assert heap.ok("canvas_arrange", path="Heap")["action"] == "unchanged"
    (block,) = heap.call("canvas_arrange", canvas="Heap").blocks
    assert "0 cards moved, 7 stayed" in block


@pytest.mark.parametrize("pinned", [["z"], ["x", "y"], ["g"], "b"])
def test_pinned_cards_stay(heap: Served, pinned: Any) -> None:
    before = places(heap)
    heap.ok("canvas_arrange", path="Heap", pinned=pinned)
    after = places(heap)
    assert all(after[name] == before[name] for name in pinned)
    free = {name: box for name, box in cards(after).items() if name not in ("abc" if "g" in pinned else pinned)}
    assert overlaps(free) == 0
    assert all(inside(after["g"], after[name]) for name in "abc")


def test_only_a_group(heap: Served) -> None:
    before = places(heap)
    heap.ok("canvas_arrange", path="Heap", only=["Box"])
    after = places(heap)
    assert all(after[name] == before[name] for name in "xyz")
    assert all(inside(after["g"], after[name]) for name in "abc")
    assert overlaps({name: after[name] for name in "abc"}) == 0


def test_only_some_cards(heap: Served) -> None:
    before = places(heap)
    heap.ok("canvas_arrange", path="Heap", only="x, y")
    after = places(heap)
    assert all(after[name] == before[name] for name in "gabcz")
    assert not after["x"].meets(after["y"])


def test_only_a_group_with_a_pinned_card(heap: Served) -> None:
    before = places(heap)
    heap.ok("canvas_arrange", path="Heap", only=["g"], pinned=["a"])
    after = places(heap)
    assert all(after[name] == before[name] for name in "gaxyz")
    assert overlaps({name: after[name] for name in "abc"}) == 0
    assert all(inside(after["g"], after[name]) for name in "abc")


def test_a_group_without_room_goes_to_where_there_is_some(served: Served) -> None:
    nodes = [card("g", 0, 0, type="group", label="Box", width=400, height=200)]
    nodes += [card(name, 40 + n, 60) for n, name in enumerate("abcdef")]
    nodes += [
        card("w1", 440, 0, height=2000),
        card("w2", -300, 0, height=2000),
        card("w3", 0, 240),
        card("w4", 0, -100),
    ]
    served.write("Heap.canvas", board(*nodes))
    before = places(served)
    served.ok("canvas_arrange", path="Heap", only=["Box"])
    after = places(served)
    assert all(after[name] == before[name] for name in ("w1", "w2", "w3", "w4"))
    assert all(inside(after["g"], after[name]) for name in "abcdef")
    assert not any(after["g"].meets(after[name]) for name in ("w1", "w2", "w3", "w4"))


def test_errors(heap: Served) -> None:
    known = heap.ok("canvas_read", path="Heap")["checksum"]
    heap.fails("canvas_arrange", "not_found", path="Nowhere")
    heap.fails("canvas_arrange", "not_found", path="Heap", only=["Nobody"])
    heap.fails("canvas_arrange", "not_found", path="Heap", pinned=["Nobody"])
    heap.fails("canvas_arrange", "invalid", path="Heap", only=["a", "x"])
    heap.fails("canvas_arrange", "invalid", path="Heap", layout="circle")
    heap.write("Heap.canvas", board(*HEAP))
    heap.fails("canvas_arrange", "stale", path="Heap", expected_checksum=known)
    heap.write("Large.canvas", board(*(card(f"c{n}") for n in range(401))))
    heap.reindex()
    heap.fails("canvas_arrange", "invalid", path="Large")


@pytest.mark.parametrize("text", ["", "{}", '{"nodes":[]}'])
def test_an_empty_canvas_stays(served: Served, text: str) -> None:
    served.write("E.canvas", text)
    assert served.ok("canvas_arrange", path="E")["action"] == "unchanged"


def test_what_cannot_be_drawn_keeps_its_bytes(served: Served) -> None:
    odd = '{"nodes":[null,{"id":"p","type":"portal"},{"id":"a","type":"text","text":"a","x":1.5,"y":0,"width":9,"height":9},'
    odd += '{"id":"a","type":"text","text":"b","x":0,"y":0,"width":9,"height":9}],"edges":[{"id":"e","fromNode":"a","toNode":"?"}]}'
    served.write("Odd.canvas", odd)
    served.ok("canvas_arrange", path="Odd")
    drawn = json.loads(served.read("Odd.canvas"))
    assert drawn["nodes"][:2] == json.loads(odd)["nodes"][:2]
    assert drawn["edges"] == json.loads(odd)["edges"]


def test_access(guarded: Served) -> None:
    guarded.write("Secret/S.canvas", board(card("a"), card("b")))
    guarded.write("Sources/R.canvas", board(card("a"), card("b")))
    guarded.fails("canvas_arrange", "not_found", path="S")
    guarded.fails("canvas_arrange", "refused", path="R")
