"""Laws of a map that is brought up to date on a canvas where a person works too."""

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.canvas.check import Severity, check
from sidecar.canvas.codec import dumps, loads
from sidecar.canvas.layout.geometry import Box, Size, box_of
from sidecar.canvas.model import Canvas, fields_of
from sidecar.model.path import VaultPath
from sidecar.services.canvas_lines import MapLine
from sidecar.services.canvas_record import KEY, MapWish, record_of
from sidecar.services.canvas_refresh import refreshed
from sidecar.services.canvas_wanted import WantedCard, WantedMap

NAMES = [VaultPath(f"N{number}.md") for number in range(8)]
GROUPS = (None, "one", "two")


@st.composite
def wishes(draw: st.DrawFn) -> WantedMap:
    paths = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=8, unique=True))
    cards = [
        WantedCard(path, Size(260, draw(st.sampled_from((100, 240)))), None, draw(st.sampled_from(GROUPS)))
        for path in paths
    ]
    pairs = [(a, b) for a in paths for b in paths if a < b]
    chosen = draw(st.lists(st.sampled_from(pairs), max_size=8, unique=True)) if pairs else []
    lines = [MapLine(a, b, draw(st.sampled_from(("", "x"))), draw(st.booleans()), 1) for a, b in chosen]
    return WantedMap(MapWish(("tag:x",), group_by="folder"), cards, lines, draw(st.sampled_from((None, "**Colours**"))))


def nodes(canvas: Canvas) -> dict[str, dict[str, Any]]:
    return {str(fields_of(node)["id"]): dict(fields_of(node)) for node in canvas.nodes}


def place(node: dict[str, Any]) -> Box:
    box = box_of(node)
    assert box is not None
    return box


def meeting(canvas: Canvas) -> set[tuple[str, str]]:
    cards = [(name, place(node)) for name, node in nodes(canvas).items() if node["type"] != "group"]
    return {(a, b) for a, one in cards for b, other in cards if a < b and one.meets(other)}


@settings(max_examples=60)
@given(wishes(), wishes(), st.lists(st.integers(0, 7), max_size=3), st.lists(st.integers(0, 7), max_size=2))
def test_what_a_person_did_stays_and_nothing_else_is_disturbed(
    first: WantedMap, second: WantedMap, shifted: Sequence[int], deleted: Sequence[int]
) -> None:
    drawn = refreshed(Canvas(), first).canvas
    assert not meeting(drawn)
    text = json.loads(dumps(drawn))
    files = [node for node in text["nodes"] if node["type"] == "file"]
    gone = {files[number]["id"] for number in deleted if number < len(files)}
    moved = {files[number]["id"] for number in shifted if number < len(files)} - gone
    for node in files:
        if node["id"] in moved:
            node["x"] += 7_000
    text["nodes"] = [node for node in text["nodes"] if node["id"] not in gone]
    text["nodes"].append({"id": "own", "type": "text", "text": "mine", "x": -9_000, "y": 0, "width": 99, "height": 99})
    text["edges"] = [edge for edge in text["edges"] if not gone & {edge["fromNode"], edge["toNode"]}]
    person = loads(json.dumps(text))

    done = refreshed(person, second)
    before, after = nodes(person), nodes(done.canvas)
    assert after["own"] == before["own"]
    assert all(after[name] == before[name] for name in moved)
    group_of = {card.path: card.group for card in first.cards}
    for card in second.cards:
        was = [name for name, node in before.items() if node.get("file") == card.path]
        if was and group_of.get(card.path) == card.group:
            assert place(after[was[0]]) == place(before[was[0]])
    shown = {node["file"] for node in after.values() if node["type"] == "file"}
    taken = {path for path in NAMES if str(path) in {node["file"] for node in files if node["id"] in gone}}
    record = record_of(person)
    assert record is not None
    present = before.keys() | {str(fields_of(edge)["id"]) for edge in person.edges}
    restarted = bool(record.made) and present.isdisjoint(record.made)
    if not restarted:
        assert not shown & taken
    wanted = {str(card.path) for card in second.cards}
    kept = {node["file"] for name, node in before.items() if name in moved}
    assert shown == (wanted - (set() if restarted else taken)) | kept
    assert meeting(done.canvas) <= meeting(person)
    assert not [f for f in check(done.canvas) if f.severity is Severity.ERROR]

    again = refreshed(done.canvas, second)
    assert dumps(again.canvas) == dumps(done.canvas)


@given(wishes())
def test_the_record_is_all_that_is_no_json_canvas(wish: WantedMap) -> None:
    drawn = json.loads(dumps(refreshed(Canvas(), wish).canvas))
    assert drawn.keys() == {"nodes", "edges", KEY}
    known = {"id", "type", "file", "text", "label", "x", "y", "width", "height", "color"}
    assert all(node.keys() <= known for node in drawn["nodes"])
    ids = [part["id"] for part in (*drawn["nodes"], *drawn["edges"])]
    assert len(set(ids)) == len(ids)
    assert all(len(name) == 16 for name in ids)


@given(wishes())
def test_a_canvas_that_lost_its_record_keeps_all_its_cards(wish: WantedMap) -> None:
    drawn = json.loads(dumps(refreshed(Canvas(), wish).canvas))
    del drawn[KEY]
    lost = loads(json.dumps(drawn))
    other = WantedMap(wish.wish, [WantedCard(VaultPath("New.md"), Size(260, 100))], [])
    after = nodes(refreshed(lost, other).canvas)
    assert all(after[name] == node for name, node in nodes(lost).items())
