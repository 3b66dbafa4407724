"""Backlinks and mentions as the plugin draws them; what is found is the services' matter."""

from typing import Any

import pytest

from tests.bridge.bridges import Bridge
from tests.conftest import Served

CANVAS = '{"nodes":[{"id":"c1","type":"text","text":"see [[Target]]","x":0,"y":0,"width":1,"height":1}],"edges":[]}'


@pytest.fixture
def linked(served: Served) -> Bridge:
    served.write("Target.md", "---\naliases: [Goal]\n---\n# Part\n\ntext\n")
    served.write("One.md", "# Top\n\n😀 see [[Target#Part|it]] here #x\n")
    served.write("Sub/Two.md", '---\nup: "[[Target]]"\n---\n![[Target]]\n')
    served.write("Board.canvas", CANVAS)
    served.write("Plain.md", "😀 The goal is near, and Target too.\n")
    return Bridge.over(served)


def mentioned(said: dict[str, Any]) -> list[tuple[str, str, str]]:
    return sorted((m["path"], m["kind"], m["as_written"]) for m in said["mentions"])


def test_backlinks_have_all_that_the_pane_shows(linked: Bridge) -> None:
    said = linked.get("backlinks", path="Target.md")
    assert (said["target"], said["total"], said["files"], said["cursor"]) == ("Target.md", 4, 3, None)
    assert said["generation"] == linked.get("status")["generation"]
    assert [(path, kind) for path, kind, _ in mentioned(said)] == [
        ("Board.canvas", "canvas"), ("One.md", "body"), ("Sub/Two.md", "embed"), ("Sub/Two.md", "property"),
    ]  # fmt: skip
    by_kind = {m["kind"]: m for m in said["mentions"]}
    body = by_kind["body"]
    assert (body["title"], body["line"], body["heading"], body["subpath"]) == ("One", 3, "Top", "#Part")
    assert (body["alias"], body["hidden"], body["property"], body["node_id"]) == ("it", False, None, None)
    assert by_kind["property"]["property"] == "up"
    assert (by_kind["canvas"]["node_id"], by_kind["canvas"]["node_text"]) == ("c1", "see [[Target]]")
    assert body["modified"] > 1_700_000_000_000
    assert body["created"] > 1_700_000_000_000


@pytest.mark.parametrize("route", ["backlinks", "mentions"])
def test_offsets_are_those_of_the_app(linked: Bridge, route: str) -> None:
    for mention in linked.get(route, path="Target.md")["mentions"]:
        units = mention["context"].encode("utf-16-le")
        marked = units[2 * mention["start"] : 2 * mention["end"]].decode("utf-16-le")
        assert marked == mention["as_written"]
    found = {m["path"]: m for m in linked.get(route, path="Target.md")["mentions"]}
    smiling = found["One.md" if route == "backlinks" else "Plain.md"]
    assert smiling["context"].startswith("😀")
    assert smiling["column"] == smiling["start"] + 1, "the line is short, so the context is all of it"


@pytest.mark.parametrize(
    ("asked", "paths"),
    [
        ({"kinds": "property"}, ["Sub/Two.md"]),
        ({"kinds": "property,canvas"}, ["Board.canvas", "Sub/Two.md"]),
        ({"folder": "Sub"}, ["Sub/Two.md", "Sub/Two.md"]),
        ({"tag": "x"}, ["One.md"]),
        ({"section": "Part"}, ["One.md"]),
        ({"kinds": "", "folder": "", "tag": "", "section": ""}, ["Board.canvas", "One.md", "Sub/Two.md", "Sub/Two.md"]),
    ],
)
def test_filters(linked: Bridge, asked: dict[str, str], paths: list[str]) -> None:
    assert [m[0] for m in mentioned(linked.get("backlinks", path="Target.md", **asked))] == paths


def test_orders_and_pages(linked: Bridge) -> None:
    whole = [m["id"] for m in linked.get("backlinks", path="Target.md", sort="name_desc")["mentions"]]
    seen: list[str] = []
    asked: dict[str, Any] = {}
    while True:
        said = linked.get("backlinks", path="Target.md", sort="name_desc", limit=1, **asked)
        seen += [m["id"] for m in said["mentions"]]
        if said["cursor"] is None:
            break
        asked = {"cursor": said["cursor"]}
    assert seen == whole
    forth = [m["path"] for m in linked.get("backlinks", path="Target.md", sort="name")["mentions"]]
    back = [m["path"] for m in linked.get("backlinks", path="Target.md", sort="name_desc")["mentions"]]
    assert sorted(forth) == sorted(back)
    assert forth[0] == back[-1]


def test_one_mention_and_then_all_become_links_and_one_undo_takes_that_back(linked: Bridge) -> None:
    said = linked.get("mentions", path="Target.md")
    assert mentioned(said) == [("Plain.md", "body", "Target"), ("Plain.md", "body", "goal")]
    (goal,) = [m["id"] for m in said["mentions"] if m["as_written"] == "goal"]
    tried = linked.post("link_mentions", path="Target.md", mentions=[goal], dry_run=True)
    assert (tried["change"], tried["linked"], tried["files"]) == (None, 1, ["Plain.md"])
    one = linked.post("link_mentions", path="Target.md", mentions=[goal])
    assert linked.served.read("Plain.md") == "😀 The [[Target|goal]] is near, and Target too.\n"
    every = linked.post("link_mentions", path="Target.md", mentions="all")
    assert linked.served.read("Plain.md") == "😀 The [[Target|goal]] is near, and [[Target]] too.\n"
    assert linked.get("mentions", path="Target.md")["total"] == 0
    for change in (every["change"], one["change"]):
        linked.post("activity/undo", change=change, mode="apply")
    assert linked.served.read("Plain.md") == "😀 The goal is near, and Target too.\n"


def test_what_cannot_be_asked(linked: Bridge) -> None:
    linked.fails("GET", "backlinks", 404, "not_found", params={"path": "Nope.md"})
    linked.fails("GET", "backlinks", 404, "not_found", params={"path": "Target.md", "section": "Nope"})
    linked.fails("GET", "backlinks", 400, "invalid", params={"path": "Target.md", "kinds": "all"})
    linked.fails("GET", "backlinks", 400, "invalid", params={"path": "Target.md", "sort": "size"})
    linked.fails("GET", "backlinks", 400, "invalid", params={})
    for path in ("../x.md", ".obsidian/app.json", "/etc/passwd", "Sub/../../x"):
        assert linked.ask("GET", "backlinks", params={"path": path}).status_code in (403, 404)
    linked.fails("POST", "link_mentions", 400, "invalid", json={"path": "Target.md", "mentions": "some"})
    linked.fails("POST", "link_mentions", 404, "not_found", json={"path": "Target.md", "mentions": ["0" * 16]})


def test_notes_that_agents_may_not_see_are_there_with_a_mark(guarded: Served) -> None:
    guarded.write("Target.md", "x\n")
    guarded.write("Secret/S.md", "[[Target]] and Target\n")
    guarded.write("Open.md", "[[Target]]\n")
    bridge = Bridge.over(guarded)
    said = bridge.get("backlinks", path="Target.md")
    assert {m["path"]: m["hidden"] for m in said["mentions"]} == {"Secret/S.md": True, "Open.md": False}
