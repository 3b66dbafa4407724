"""The tool ``obsidian``: what is open in the app, and opening places in it."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from sidecar.services.caller import Audience
from tests.bridge.bridges import Bridge
from tests.bridge.scripted_plugin import ScriptedPlugin, over_http, until
from tests.conftest import Served

CANVAS = """{"nodes":[
{"id":"n1","type":"file","file":"Open.md","x":0,"y":0,"width":9,"height":9},
{"id":"n2","type":"text","text":"# Buy milk\\nand bread","x":0,"y":0,"width":9,"height":9},
{"id":"n3","type":"text","text":"Buy milk again","x":0,"y":0,"width":9,"height":9}],"edges":[]}"""


@pytest.fixture
def app(guarded: Served) -> Iterator[ScriptedPlugin]:
    guarded.write("Open.md", "---\ntitle: The open one\n---\n# Plan\n\ntext ^b1\n\n## Part 2:3\n")
    guarded.write("Map.canvas", CANVAS)
    guarded.write("pic.png", "image")
    guarded.write("Secret/Hush.md", "hush")
    guarded.write("Secret/Hush.canvas", CANVAS)
    guarded.write("Mine.md", "---\nprivate: true\n---\nmine")
    bridge = Bridge.over(guarded)
    guarded.open()
    with over_http(bridge) as url:
        plugin = ScriptedPlugin(url, guarded.root).start()
        until(lambda: bridge.vault.polls.newest == "one")
        yield plugin
        plugin.stop()


def selected(path: str, text: str) -> dict[str, Any]:
    return {"path": path, "text": text, "line_from": 4, "line_to": 6}


def test_context_tells_what_is_open_and_selected(guarded: Served, app: ScriptedPlugin) -> None:
    app.unsaved = ["Open.md"]
    app.show("Open.md", "Map.canvas", active_file="Open.md", selection=selected("Open.md", "# Plan\n\ntext"))
    told = guarded.ok("obsidian")
    opened = {"file_path": "Open.md", "title": "The open one", "unsaved": True}
    assert (told["connected"], told["active_file"]) == (True, opened)
    assert told["selection"] == {"file_path": "Open.md", "text": "# Plan\n\ntext", "line_from": 4, "line_to": 6}
    assert told["open_files"] == [opened, {"file_path": "Map.canvas", "title": "Map", "unsaved": False}]
    (text,) = guarded.call("obsidian").blocks
    mark = re.search(r"between <([0-9a-f]{6})>", text)
    assert mark
    assert f"<{mark[1]}>\n# Plan\n\ntext\n</{mark[1]}>" in text
    assert "active: The open one (Open.md, unsaved changes)" in text
    assert "selected in Open.md, lines 4-6" in text


def test_a_long_selection_is_told_in_part(guarded: Served, app: ScriptedPlugin) -> None:
    app.show("Open.md", active_file="Open.md", selection=selected("Open.md", "x" * 10_005))
    told = guarded.ok("obsidian")["selection"]
    assert (len(told["text"]), told["left_out"]) == (10_000, 5)
    assert "5 more characters" in guarded.call("obsidian").blocks[0]


@pytest.mark.parametrize("path", ["Secret/Hush.md", "Secret/Hush.canvas", "Mine.md", "Later.md"])
def test_c27_agents_hear_nothing_of_denied_notes(guarded: Served, app: ScriptedPlugin, path: str) -> None:
    guarded.write("Later.md", "public when it was indexed")
    guarded.reindex()
    guarded.write("Later.md", "---\nprivate: true\n---\nmine")
    app.show(path, "Open.md", active_file=path, selection=selected(path, "hush"))
    told = guarded.ok("obsidian")
    assert (told["active_file"], told["selection"]) == (None, None)
    assert [file["file_path"] for file in told["open_files"]] == ["Open.md"]
    assert path not in guarded.call("obsidian").blocks[0]
    assert "hush" not in guarded.call("obsidian").blocks[0]
    shown = guarded.ok("obsidian", audience=Audience.PERSON)
    assert (shown["active_file"]["file_path"], shown["selection"]["text"]) == (path, "hush")
    guarded.fails("obsidian", "not_found", action="open", target=path)
    assert app.heard == []


def test_files_that_are_gone_are_not_open(guarded: Served, app: ScriptedPlugin) -> None:
    app.show("Open.md", open_files=["Open.md", "Gone.md", "gone.png"], active_file="Gone.md")
    told = guarded.ok("obsidian")
    assert (told["active_file"], [file["file_path"] for file in told["open_files"]]) == (None, ["Open.md"])


@pytest.mark.parametrize(
    ("target", "place"),
    [
        ("Open", {"path": "Open.md"}),
        ("The open one", {"path": "Open.md"}),
        ("[[Open#Plan]]", {"path": "Open.md", "subpath": "#Plan"}),
        ("Open#^b1", {"path": "Open.md", "subpath": "#^b1"}),
        ("Open:6", {"path": "Open.md", "line": 6}),
        ("Open.md:6", {"path": "Open.md", "line": 6}),
        ("Map.canvas", {"path": "Map.canvas"}),
        ("Map.canvas#n2", {"path": "Map.canvas", "node_id": "n2"}),
        ("Map.canvas#The open one", {"path": "Map.canvas", "node_id": "n1"}),
        ("Map.canvas#Buy milk again", {"path": "Map.canvas", "node_id": "n3"}),
        ("pic.png", {"path": "pic.png"}),
    ],
)
def test_open_shows_the_place(guarded: Served, app: ScriptedPlugin, target: str, place: dict[str, Any]) -> None:
    opened = guarded.ok("obsidian", action="open", target=target, pane="split")
    (event,) = app.heard
    data = dict(event["data"])
    del data["id"]
    assert (event["type"], data) == (
        "open_request",
        {"line": None, "subpath": None, "node_id": None, "pane": "split", **place},
    )
    assert (opened["file_path"], opened["line"], opened["card"]) == (place["path"], data["line"], data["node_id"])
    assert "in a split." in guarded.call("obsidian", action="open", target=target, pane="split").blocks[0]
    assert len(app.heard) == 2


@pytest.mark.parametrize(
    ("target", "category", "candidate"),
    [
        (None, "invalid", None),
        ("  ", "invalid", None),
        ("Opn", "not_found", "Open.md"),
        ("Open#Plann", "not_found", "Plan"),
        ("Opn:6", "not_found", "Open.md"),
        ("pic.png#part", "invalid", None),
        ("Map.canvas#Nothing", "not_found", None),
        ("Map.canvas#Buy", "ambiguous", "n2 (text: Buy milk)"),
    ],
)
def test_what_cannot_be_opened(
    guarded: Served, app: ScriptedPlugin, target: str | None, category: str, candidate: str | None
) -> None:
    error = guarded.fails("obsidian", category, action="open", **({"target": target} if target else {}))
    assert candidate is None or any(candidate in one for one in error["candidates"]), error
    assert app.heard == []


def test_aliases(guarded: Served, app: ScriptedPlugin) -> None:
    assert guarded.ok("obsidian", action="open", identifier="Open")["file_path"] == "Open.md"
    assert guarded.ok("obsidian", action="open", path="Open")["pane"] == "current"
    assert len(app.heard) == 2


def test_an_app_that_fails_or_is_silent(guarded: Served, app: ScriptedPlugin) -> None:
    app.fails = True
    assert "could not open" in guarded.fails("obsidian", "unavailable", action="open", target="Open")["message"]
    app.claims = False
    assert "did not answer" in guarded.fails("obsidian", "unavailable", action="open", target="Open")["message"]


def test_without_the_app_it_says_so(guarded: Served) -> None:
    guarded.write("Open.md", "x")
    told = guarded.ok("obsidian")
    assert (told["connected"], told["active_file"], told["open_files"]) == (False, None, [])
    assert "plugin" in told["next"]
    assert guarded.call("obsidian").blocks[0].startswith("Obsidian is not connected")
    error = guarded.fails("obsidian", "unavailable", action="open", target="Open")
    assert "plugin" in error["next"]


def test_what_was_open_last_is_told_for_a_minute(guarded: Served, app: ScriptedPlugin) -> None:
    app.show("Open.md", active_file="Open.md")
    app.stop()
    until(lambda: not guarded.ok("obsidian")["connected"])
    assert guarded.ok("obsidian")["active_file"]["file_path"] == "Open.md"
    assert "What was open last:" in guarded.call("obsidian").blocks[0]
