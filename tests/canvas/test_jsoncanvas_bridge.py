import json
from dataclasses import replace
from pathlib import Path

from json_canvas import json_canvas

from sidecar.canvas.check import Severity, check
from sidecar.canvas.codec import dumps, loads
from sidecar.canvas.jsoncanvas_bridge import from_json_canvas, to_json_canvas
from sidecar.canvas.model import fields_of

VAULTS = Path(__file__).parents[1] / "vaults"
FULL = (
    '{"nodes":['
    '{"id":"g","type":"group","x":0,"y":0,"width":9,"height":9,"color":"1","label":"L","background":"b.png","backgroundStyle":"ratio"},'
    '{"id":"t","type":"text","text":"t","x":0,"y":0,"width":9,"height":9,"color":"#ff0000"},'
    '{"id":"f","type":"file","file":"f.md","subpath":"#h","x":0,"y":0,"width":9,"height":9},'
    '{"id":"l","type":"link","url":"https://example.com","x":0,"y":0,"width":9,"height":9}],'
    '"edges":[{"id":"e","fromNode":"g","fromSide":"top","toNode":"t","toSide":"left","fromEnd":"arrow","toEnd":"none","color":"2","label":"x"}]}'
)


def test_all_that_the_package_knows_travels_both_ways() -> None:
    canvas = loads(FULL)
    there = to_json_canvas(canvas)
    assert isinstance(there.nodes[0], json_canvas.GroupNode)
    assert there.nodes[1].color == json_canvas.Color("#ff0000")
    assert there.nodes[2].color is None
    assert from_json_canvas(there) == replace(canvas, source=None)
    assert json.loads(dumps(from_json_canvas(there))) == json.loads(FULL)


def test_real_canvases_travel_both_ways() -> None:
    for file in sorted(VAULTS.rglob("*.canvas")):
        canvas = loads(file.read_text(encoding="utf-8"))
        back = from_json_canvas(to_json_canvas(canvas))
        assert [fields_of(part) for part in (*back.nodes, *back.edges)] == [
            fields_of(part) for part in (*canvas.nodes, *canvas.edges)
        ]
        assert not [finding for finding in check(back) if finding.severity is not Severity.HINT]


def test_what_the_package_has_no_place_for_stays_behind() -> None:
    canvas = loads(
        '{"metadata":1,"nodes":[{"id":"a","type":"text","text":"","x":0,"y":0,"width":9,"height":9,"zIndex":2},'
        '{"id":"p","type":"portal"}],"edges":[{"id":"e","fromNode":"a","toNode":"a","styleAttributes":{}},5]}'
    )
    back = from_json_canvas(to_json_canvas(canvas))
    assert [fields_of(node) for node in back.nodes] == [
        {"id": "a", "type": "text", "text": "", "x": 0, "y": 0, "width": 9, "height": 9}
    ]
    assert [fields_of(edge) for edge in back.edges] == [{"id": "e", "fromNode": "a", "toNode": "a"}]
    assert back.extras == {}


def test_a_script_may_give_plain_colours_and_no_lists() -> None:
    node = json_canvas.TextNode("a", "text", 0, 0, 9, 9, "t", color="3")
    assert fields_of(from_json_canvas(json_canvas.Canvas([node], None)).nodes[0])["color"] == "3"
