import json
import re
from xml.etree import ElementTree as ET

import pytest

from sidecar.canvas.codec import loads
from sidecar.canvas.layout.geometry import Box, box_of
from sidecar.canvas.picture import shown
from sidecar.canvas.svg import svg
from tests.conftest import Served

SPACE = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("group_by", [None, "folder"])
@pytest.mark.parametrize("count", [4, 56])
def test_the_legend_is_whole_in_a_picture_of_the_map_however_large(
    served: Served, count: int, group_by: str | None
) -> None:
    for number in range(count):
        status = f"a long status {number % 9}"
        text = f"---\nstatus: {status}\n---\n[[N{number // 2}]] [[N{number // 3}]]\n" + "word " * (number * 20)
        served.write(f"Part {number % 5}/N{number}.md", text)
    served.ok("canvas_map", path="Map", source="search:status", color_by="status", group_by=group_by, limit=60)
    canvas = loads(served.read("Map.canvas"))
    nodes = json.loads(served.read("Map.canvas"))["nodes"]
    (legend,) = [node for node in nodes if node["type"] == "text"]
    others = [box for node in nodes if node is not legend and (box := box_of(node))]
    place = box_of(legend)
    assert place is not None
    assert len(others) >= count
    assert not any(place.meets(box) for box in others)
    frame = shown(canvas)
    assert frame.x < place.x
    assert frame.y < place.y
    assert place.right < frame.right
    assert place.bottom < frame.bottom
    assert _words(_lines_at(svg(canvas), place)) == _words(legend["text"])


def _lines_at(picture: str, place: Box) -> str:
    """Return what a picture shows in the card at a place."""
    (card,) = [
        one
        for one in ET.fromstring(picture).findall(SPACE + "svg")  # noqa: S314 - our own text
        if (float(one.get("x", "")), float(one.get("y", ""))) == (place.x, place.y)
    ]
    return " ".join(text.text or "" for text in card.iter(SPACE + "text"))


def _words(text: str) -> list[str]:
    return re.findall(r"[\w:]+|…", text)
