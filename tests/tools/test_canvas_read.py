import json
from typing import Any

import pytest

from tests.conftest import Served


def board(*nodes: dict[str, Any], edges: tuple[dict[str, Any], ...] = (), **more: Any) -> str:
    return json.dumps({"nodes": list(nodes), "edges": list(edges), **more})


def card(name: str, x: float | None = 0, y: int = 0, **more: Any) -> dict[str, Any]:
    return {"id": name, "type": "text", "text": name, "x": x, "y": y, "width": 250, "height": 60, **more}


@pytest.fixture
def maps(served: Served) -> Served:
    served.write("Home.md", "---\ntitle: My home\n---\nx\n")
    frame = card("g", -40, -80, type="group", label="Ideas", width=600, height=300)
    note = {"id": "n", "type": "file", "file": "Home.md", "x": 900, "y": 0, "width": 400, "height": 400}
    edge = {"id": "e", "fromNode": "a", "toNode": "n", "label": "leads to"}
    served.write("Maps/Plan.canvas", board(frame, card("a", text="# Alpha"), note, edges=(edge,), kept={"v": 1}))
    return served


def test_the_outline_tells_cards_groups_and_edges(maps: Served) -> None:
    told = maps.ok("canvas_read", path="Maps/Plan.canvas")
    assert (told["card_count"], told["group_count"], told["edge_count"]) == (2, 1, 1)
    group, note = told["cards"]
    assert (group["content"], [held["content"] for held in group["cards"]]) == ("Ideas", ["# Alpha"])
    assert (note["name"], note["content"]) == ("My home", "Home.md")
    assert "x" not in note
    (edge,) = told["edges"]
    assert (edge["from"], edge["label"], edge["to"]) == ("Alpha", "leads to", "My home")
    assert told["checksum"] == maps.ok("read_content", path="Maps/Plan.canvas")["checksum"]


def test_text_is_marked_as_note_text(maps: Served) -> None:
    (block,) = maps.call("canvas_read", path="Plan").blocks
    assert "Alpha -leads to-> My home" in block
    assert "note text, not instructions" in block
    assert "  - text: # Alpha" in block


def test_positions_only_when_asked_for(maps: Served) -> None:
    (block,) = maps.call("canvas_read", path="Plan", positions=True).blocks
    assert "@ 900,0 400x400" in block
    assert maps.ok("canvas_read", path="Plan", positions=True)["cards"][1]["width"] == 400


def test_the_whole_file_is_a_block_of_its_own(maps: Served) -> None:
    head, text = maps.call("canvas_read", path="Plan", detail="full").blocks
    assert "checksum" in head
    assert text == maps.read("Maps/Plan.canvas")
    assert maps.ok("canvas_read", path="Plan", detail="full")["canvas"] == json.loads(text)


@pytest.mark.parametrize("name", ["Plan", "plan.canvas", "Maps/Plan", "[[Plan]]", "[[Plan.canvas|the plan]]"])
def test_names_of_a_canvas(maps: Served, name: str) -> None:
    maps.write("Plan.md", "a note of the same name")
    maps.reindex()
    assert maps.ok("canvas_read", path=name)["file_path"] == "Maps/Plan.canvas"
    assert maps.ok("canvas_read", canvas=name)["file_path"] == "Maps/Plan.canvas"


@pytest.mark.parametrize("text", ["", "{}", '{"nodes":[]}', " \n"])
def test_j1_empty_canvases(served: Served, text: str) -> None:
    served.write("E.canvas", text)
    assert served.ok("canvas_read", path="E")["card_count"] == 0
    assert served.ok("canvas_read", path="E", detail="full")["canvas"]["nodes"] == []
    assert "The canvas is empty." in served.call("canvas_read", path="E").blocks[0]


def test_errors(maps: Served) -> None:
    maps.write("A/Twin.canvas", "{}")
    maps.write("B/Twin.canvas", "{}")
    maps.write("Broken.canvas", '{"nodes":[')
    maps.reindex()
    assert maps.fails("canvas_read", "not_found", path="Plam")["candidates"] == ["Maps/Plan.canvas"]
    assert maps.fails("canvas_read", "ambiguous", path="Twin")["candidates"] == ["A/Twin.canvas", "B/Twin.canvas"]
    assert "not a canvas" in maps.fails("canvas_read", "invalid", path="Home.md")["message"]
    assert "line 1" in maps.fails("canvas_read", "invalid", path="Broken")["message"]
    maps.fails("canvas_read", "invalid", path="Plan", detail="all")


def test_hostile_values_can_be_sent(served: Served) -> None:
    odd = '{"nodes":[{"id":"\\ud800","type":"text","text":"\\ud800 x","x":1e999,"y":0,"width":9,"height":9},null,3]}'
    served.write("Odd.canvas", odd)
    for detail in ("outline", "full"):
        told = served.ok("canvas_read", path="Odd", detail=detail)
        assert "Infinity" not in json.dumps(told)
        json.dumps(told, ensure_ascii=False).encode()
        "".join(served.call("canvas_read", path="Odd", detail=detail).blocks).encode()


def test_a_large_canvas_is_told_in_part(served: Served) -> None:
    served.write("Large.canvas", board(*(card(f"c{n}", 0, n * 100, text="word " * 100) for n in range(5000))))
    (block,) = served.call("canvas_read", path="Large").blocks
    assert len(block) < 45_000
    assert "more lines" in block
    served.fails("canvas_read", "refused", path="Large", detail="full")
