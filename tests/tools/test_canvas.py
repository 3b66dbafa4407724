import json

import pytest

from tests.conftest import Served

HEX = set("0123456789abcdef")


def test_draws_in_obsidians_form(served: Served) -> None:
    served.write("Note.md", "x")
    nodes = [{"id": "n", "type": "file", "file": "Note.md"}, {"id": "t", "text": "Hello"}]
    made = served.ok(
        "canvas", nodes=nodes, edges=[{"fromNode": "n", "toNode": "t", "label": "says"}], title="Map", directory="Maps"
    )
    text = served.read("Maps/Map.canvas")
    assert text.startswith('{\n\t"nodes":[\n\t\t{"id":"')
    assert text.endswith("\n\t]\n}")
    drawn = json.loads(text)
    assert set(made["ids"]) >= {"n", "t"}
    assert all(len(node["id"]) == 16 and set(node["id"]) <= HEX for node in drawn["nodes"])
    (edge,) = drawn["edges"]
    assert edge["fromNode"] == made["ids"]["n"]
    assert {edge["fromSide"], edge["toSide"]} <= {"top", "right", "bottom", "left"}
    a, b = drawn["nodes"]
    assert (
        a["x"] + a["width"] <= b["x"]
        or b["x"] + b["width"] <= a["x"]
        or a["y"] + a["height"] <= b["y"]
        or b["y"] + b["height"] <= a["y"]
    )


def test_cards_and_lines_may_come_as_json_text(served: Served) -> None:
    nodes, edges = '[{"id": "a", "text": "A"}, {"id": "b", "text": "B"}]', '[{"fromNode": "a", "toNode": "b"}]'
    made = served.ok("canvas", nodes=nodes, edges=edges, title="M", directory="")
    assert (made["nodes"], made["edges"]) == (2, 1)
    text = served.call("canvas", nodes=nodes, edges=edges, title="N", directory="").blocks[0]
    assert "2 cards, 1 edge\n" in text


def test_every_fault_is_listed_at_once(served: Served) -> None:
    nodes = [{"id": "a", "type": "file", "file": "Missing.md"}, {"id": "b", "type": "text", "text": "x", "color": "9"}]
    error = served.fails(
        "canvas", "invalid", nodes=nodes, edges=[{"fromNode": "a", "toNode": "zzz"}], title="M", directory=""
    )
    assert len(error["findings"]) == 3


def test_faults_name_parts_without_an_id_by_what_they_are_and_places_only_where_nothing_else_is_wrong(
    served: Served,
) -> None:
    nodes = [
        {"text": "Buy seeds\nsoon", "color": "red"},
        {"url": "", "width": -1},
        {"what": 1},
        {"id": "a", "text": "x"},
    ]
    edges = [{"fromNode": "a", "toNode": "b"}, {"fromNode": "a"}]
    message = served.fails("canvas", "invalid", nodes=nodes, edges=edges, title="M", directory="/")["message"]
    assert message.splitlines()[1:] == [
        "- Node \"Buy seeds soon\" has the color 'red'; use '1' to '6' or '#RRGGBB'.",
        "- Node \"link\" has an empty 'url'.",
        '- Node "link" has width -1; it must be greater than 0.',
        '- Node "without a type" has no type; use text, file, link or group.',
        '- Edge "a -> ?" has no toNode.',
        '- Edge "a -> b" has toNode "b", but no node has that id.',
    ]


def test_an_existing_canvas_is_replaced_only_on_request(served: Served) -> None:
    served.write("M.canvas", '{"metadata":{"v":1},"nodes":[],"edges":[]}')
    node = [{"id": "0123456789abcdef", "type": "text", "text": "x", "x": 0, "y": 0, "width": 260, "height": 60}]
    served.fails("canvas", "refused", nodes=node, edges=[], title="M.canvas", directory="")
    served.ok("canvas", nodes=node, edges=[], title="M", directory="", overwrite=True)
    drawn = json.loads(served.read("M.canvas"))
    assert drawn["metadata"] == {"v": 1}
    assert drawn["nodes"] == node


def test_a_drawn_card_is_found(served: Served) -> None:
    served.ok("canvas", nodes=[{"type": "text", "text": "platypus pond"}], edges=[], title="Pond", directory="")
    assert served.found("platypus") == ["Pond.canvas"]


def test_a_found_card_is_told_by_its_id(served: Served) -> None:
    place = {"y": 0, "width": 300, "height": 100}
    nodes = [
        {"id": "0123456789abcde1", "type": "text", "text": "first\n\nheron", "x": 0, **place},
        {"id": "0123456789abcde2", "type": "text", "text": "second\nplatypus pond\n\nlast", "x": 400, **place},
        {"id": "0123456789abcde3", "type": "group", "label": "quail", "x": 900, **place},
    ]
    edge = {"fromNode": "0123456789abcde1", "toNode": "0123456789abcde2", "label": "otter"}
    served.ok("canvas", nodes=nodes, edges=[edge], title="Pond", directory="")
    for word, card in (("heron", "1"), ("platypus", "2"), ("last", "2"), ("quail", "3")):
        (row,) = served.ok("search_notes", query=word)["results"]
        assert (word, row["card"]) == (word, f"0123456789abcde{card}")
        assert f"card 0123456789abcde{card}" in served.call("search_notes", query=word).blocks[0]
    (row,) = served.ok("search_notes", query="otter")["results"]
    assert "card" not in row


def test_context_and_activity_show_canvases(served: Served) -> None:
    served.write("Note.md", "x")
    served.ok("canvas", nodes=[{"type": "file", "file": "Note.md"}], edges=[], title="Map", directory="")
    around = served.ok("build_context", url="Note")["results"][0]["related_results"]
    assert [row["file_path"] for row in around] == ["Map.canvas"]
    assert "Map.canvas" in str(served.ok("recent_activity"))


@pytest.mark.parametrize("directory", ["../x", ".obsidian"])
def test_paths_are_confined(served: Served, directory: str) -> None:
    served.fails("canvas", "refused", nodes=[], edges=[], title="M", directory=directory)
