from xml.etree import ElementTree as ET

import pytest

from sidecar.services import canvas_preview
from tests.conftest import Served
from tests.tools.test_canvas_read import board, card

PNG = b"\x89PNG\r\n"


@pytest.fixture
def plan(served: Served) -> Served:
    served.write("Plan.canvas", board(card("a", text="Alpha & <b>"), card("b", 400, 0), edges=()))
    return served


def test_svg_is_image_content(plan: Served) -> None:
    reply = plan.call("canvas_preview", path="Plan", width=800)
    (picture,) = reply.pictures
    assert picture.content_type == "image/svg+xml"
    root = ET.fromstring(picture.data)  # noqa: S314 - ours
    assert root.get("width") == "800"
    assert "Alpha & <b>" in "".join(root.itertext())
    assert f"image/svg+xml, 800 x {root.get('height')}" in reply.blocks[0]
    told = plan.ok("canvas_preview", path="Plan")
    assert (told["width"], told["format"]) == (1200, "svg")
    assert told["checksum"] == plan.ok("canvas_read", path="Plan")["checksum"]


def test_png(plan: Served) -> None:
    pytest.importorskip("resvg_py")
    reply = plan.call("canvas_preview", path="Plan", format="png", width=500)
    (picture,) = reply.pictures
    assert picture.content_type == "image/png"
    assert picture.data.startswith(PNG)
    assert plan.ok("canvas_preview", path="Plan", format="png", width=4000)["width"] <= 1568


def test_without_the_extra_png_is_refused(plan: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canvas_preview, "find_spec", lambda _: None)
    assert "vault-sidecar[png]" in plan.fails("canvas_preview", "unavailable", path="Plan", format="png")["next"]


@pytest.mark.parametrize("text", ["", "{}", '{"nodes":[null,{"type":"x"}]}'])
def test_an_empty_canvas_has_a_picture(served: Served, text: str) -> None:
    served.write("E.canvas", text)
    assert served.ok("canvas_preview", path="E")["width"] == 1200


def test_hostile_canvases(served: Served) -> None:
    served.write("High.canvas", board(card("a"), card("b", 0, 9_000_000)))
    told = served.ok("canvas_preview", path="High")
    assert told["width"] * told["height"] <= 7_000_000
    served.write(
        "Odd.canvas", '{"nodes":[{"id":"a","type":"text","text":"\\ud800\\u0000","x":0,"y":0,"width":9,"height":9}]}'
    )
    ET.fromstring(served.call("canvas_preview", path="Odd").pictures[0].data)  # noqa: S314 - ours
    served.write("Large.canvas", board(*(card(f"c{n}", 0, n * 100, text="word " * 100) for n in range(5000))))
    reply = served.call("canvas_preview", path="Large")
    assert reply.is_error or len(reply.pictures[0].data) <= 1_000_000


def test_errors(plan: Served) -> None:
    plan.write("Note.md", "x")
    plan.fails("canvas_preview", "not_found", path="Nowhere")
    plan.fails("canvas_preview", "invalid", path="Note.md")
    plan.fails("canvas_preview", "invalid", path="Plan", width=10)
    plan.fails("canvas_preview", "invalid", path="Plan", width=5000)
    plan.fails("canvas_preview", "invalid", path="Plan", format="gif")


def test_access(guarded: Served) -> None:
    guarded.write("Secret/S.canvas", board(card("a")))
    guarded.fails("canvas_preview", "not_found", path="S")
