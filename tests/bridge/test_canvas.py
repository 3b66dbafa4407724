"""A map is brought up to date from Obsidian; what the person placed stays."""

import json

from tests.bridge.bridges import Bridge
from tests.conftest import Served


def test_a_map_is_refreshed_as_it_was_asked_for(served: Served) -> None:
    served.write("Home.md", "[[A]]")
    served.write("A.md", "#x")
    bridge = Bridge.over(served)
    served.ok("canvas_map", path="Maps/Map", source=["note:Home"], color_by="tag")
    served.write("Home.md", "[[B]]")
    served.write("B.md", "[[Hidden]]")
    served.write("Hidden.md", "---\nprivate: true\n---\n[[Home]]")
    served.reindex()
    said = bridge.post("canvas/refresh_map", path="Maps/Map.canvas")
    assert (said["path"], said["cards"], said["lines"]) == ("Maps/Map.canvas", 2, 1)
    assert (said["added"], said["removed"], said["kept"]) == (["B.md"], ["A.md"], [])
    files = [node.get("file") for node in json.loads(served.read("Maps/Map.canvas"))["nodes"]]
    assert files == ["Home.md", "B.md"]
    assert bridge.post("canvas/refresh_map", path="Maps/Map")["change"] is None


def test_what_is_no_map_is_refused(served: Served) -> None:
    served.write("Plain.canvas", "{}")
    bridge = Bridge.over(served)
    bridge.fails("POST", "canvas/refresh_map", 400, "invalid", json={"path": "Plain"})
    bridge.fails("POST", "canvas/refresh_map", 404, "not_found", json={"path": "Nowhere"})
