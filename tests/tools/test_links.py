import asyncio
import os
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from sidecar.model.change import Author
from sidecar.model.path import VaultPath
from sidecar.services.caller import Audience, Caller
from sidecar.services.link_results import LinkPage, LinkQuery, MentionOrder
from sidecar.services.mention import Direction
from tests.conftest import Served

CANVAS = (
    '{"nodes":[\n{"id":"f","type":"file","file":"Apollo.md","subpath":"#Crew","x":0,"y":0,"width":9,"height":9},\n'
    '{"id":"t","type":"text","text":"one\\nfly Apollo, [[Apollo]]","x":0,"y":0,"width":9,"height":9}],"edges":[]}'
)


@pytest.fixture
def web(served: Served) -> Served:
    served.write(
        "Apollo.md",
        "---\naliases: [Moon Shot]\n---\n# Apollo\n\n[[Log]] and [[None]]\n\n## Crew\n\n![[Ada]] [[Nobody]]\n\nWords ^b1\n",
    )
    served.write(
        "Log.md",
        "---\nup: '[[Apollo]]'\nrel:\n  - '[[Ada]]'\n  - '[[Apollo#Crew|the crew]]'\n---\n# Days\n\n"
        "See [[Apollo#Crew]] and ![[Apollo#^b1]]\n\n## Later\n\nThe moon shot of Apollo, `Apollo`.\n",
    )
    served.write("People/Ada.md", "---\ntags: [person]\n---\nShe saw Apollo.\n")
    served.write("Map.canvas", CANVAS)
    served.write("All.base", 'filters: file.hasLink("Apollo")\n')
    served.write("Lone.md", "x\n")
    return served


def rows(reply: dict[str, Any], *keys: str) -> list[tuple[Any, ...]]:
    return [tuple(row.get(key) for key in keys) for row in reply["mentions"]]


def test_backlinks_come_from_notes_properties_canvases_and_bases(web: Served) -> None:
    reply = web.ok("links", identifier="Apollo")
    assert (reply["target"], reply["direction"], reply["total"], reply["files"]) == ("Apollo.md", "backlinks", 7, 3)
    assert rows(reply, "file_path", "kind", "line", "column", "heading", "as_written", "property", "card") == [
        ("Log.md", "property", 2, 6, None, "[[Apollo]]", "up", None),
        ("Log.md", "property", 5, 6, None, "[[Apollo#Crew|the crew]]", "rel.1", None),
        ("Log.md", "body", 9, 5, "Days", "[[Apollo#Crew]]", None, None),
        ("Log.md", "embed", 9, 25, "Days", "![[Apollo#^b1]]", None, None),
        ("Map.canvas", "canvas", 2, 1, None, "Apollo.md", None, "f"),
        ("Map.canvas", "canvas", 3, 13, None, "[[Apollo]]", None, "t"),
        ("All.base", "base", 1, 24, None, "Apollo", None, None),
    ]
    row = reply["mentions"][1]
    assert (row["context"], row["subpath"], row["alias"], row["target"]) == (
        "- '[[Apollo#Crew|the crew]]'".rjust(30),
        "#Crew",
        "the crew",
        "Apollo.md",
    )
    card = reply["mentions"][5]
    assert (card["context"], card["card_text"]) == ("fly Apollo, [[Apollo]]", "one\nfly Apollo, [[Apollo]]")


def test_links_of_a_note_and_those_that_lead_nowhere(web: Served) -> None:
    reply = web.ok("links", identifier="Apollo", direction="outgoing")
    assert rows(reply, "line", "kind", "as_written", "target") == [
        (6, "body", "[[Log]]", "Log.md"),
        (6, "body", "[[None]]", None),
        (10, "embed", "![[Ada]]", "People/Ada.md"),
        (10, "body", "[[Nobody]]", None),
    ]
    reply = web.ok("links", identifier="Apollo", direction="unresolved")
    assert rows(reply, "as_written") == [("[[None]]",), ("[[Nobody]]",)]
    assert rows(web.ok("links", identifier="All.base", direction="outgoing"), "target") == [("Apollo.md",)]


def test_r17_links_that_lead_nowhere_tell_the_file_that_they_would_make(web: Served) -> None:
    web.write(".obsidian/app.json", '{"newFileLocation": "folder", "newFileFolderPath": "Inbox"}')
    card = '{"id":"f","type":"file","file":"gone.md","x":0,"y":0,"width":9,"height":9}'
    web.write("Bare.canvas", f'{{"nodes":[{card}]}}')
    web.write("In.base", 'filters: file.hasLink("Ghost")\n')
    reply = web.ok("links", direction="unresolved")
    assert rows(reply, "as_written", "creates") == [
        ("[[None]]", "Inbox/None.md"),
        ("[[Nobody]]", "Inbox/Nobody.md"),
        ("gone.md", "gone.md"),
        ("Ghost", "Inbox/Ghost.md"),
    ]
    (text,) = web.call("links", identifier="Apollo", direction="unresolved").blocks
    assert "-> nowhere, a new note would be 'Inbox/None.md'" in text
    assert "creates" not in web.ok("links", identifier="Apollo", direction="outgoing", limit=1)["mentions"][0]


def test_mentions_by_title_and_alias(web: Served) -> None:
    reply = web.ok("links", identifier="moon shot", direction="mentions")
    found = rows(reply, "file_path", "line", "column", "as_written", "alias", "heading", "card")
    assert sorted(found, key=str) == [
        ("Log.md", 13, 18, "Apollo", None, "Later", None),
        ("Log.md", 13, 5, "moon shot", "Moon Shot", "Later", None),
        ("Map.canvas", 3, 5, "Apollo", None, None, "t"),
        ("People/Ada.md", 4, 9, "Apollo", None, None, None),
    ]
    # What is linked in both directions comes first.
    assert found[0][0] == "Log.md"


def test_all_of_a_note(web: Served) -> None:
    reply = web.ok("links", identifier="Apollo", direction="all")
    directions = [row["direction"] for row in reply["mentions"]]
    assert directions == ["backlinks"] * 7 + ["mentions"] * 4 + ["outgoing"] * 4


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"section": "Crew"}, ["[[Apollo#Crew|the crew]]", "[[Apollo#Crew]]", "Apollo.md"]),
        ({"section": "## Crew"}, ["[[Apollo#Crew|the crew]]", "[[Apollo#Crew]]", "Apollo.md"]),
        ({"identifier": "Apollo#Crew"}, ["[[Apollo#Crew|the crew]]", "[[Apollo#Crew]]", "Apollo.md"]),
        ({"section": "^b1"}, ["![[Apollo#^b1]]"]),
        ({"section": "Crew", "direction": "outgoing"}, ["![[Ada]]", "[[Nobody]]"]),
        ({"section": "Crew", "direction": "unresolved"}, ["[[Nobody]]"]),
        ({"section": "^b1", "direction": "all"}, ["![[Apollo#^b1]]"]),
        ({"kinds": ["property", "base"]}, ["[[Apollo]]", "[[Apollo#Crew|the crew]]", "Apollo"]),
        ({"kinds": "embed"}, ["![[Apollo#^b1]]"]),
        ({"folder": "People"}, []),
        ({"folder": "/", "kinds": "base"}, ["Apollo"]),
        ({"folder": "People", "direction": "mentions"}, ["Apollo"]),
        ({"tag": "#person", "direction": "mentions"}, ["Apollo"]),
        ({"tag": "person", "direction": "outgoing"}, ["![[Ada]]"]),
        ({"folder": "People", "direction": "unresolved"}, []),
    ],
)
def test_filters(web: Served, arguments: dict[str, Any], expected: list[str]) -> None:
    reply = web.ok("links", **{"identifier": "Apollo", **arguments})
    assert [as_written for (as_written,) in rows(reply, "as_written")] == expected
    assert reply["total"] == len(expected)


def test_b23_a_link_to_another_heading_or_one_that_is_not_there_does_not_lead_to_the_section(web: Served) -> None:
    web.write("More.md", "[[Apollo#Apollo]] [[Apollo#Nothing]] [[Apollo#apollo#crew]] [[Apollo#^b1#x]]")
    web.reindex()
    assert rows(web.ok("links", identifier="Apollo", section="Crew", folder="/", kinds="body"), "as_written") == [
        ("[[Apollo#Crew]]",),
        ("[[Apollo#apollo#crew]]",),
    ]
    assert rows(web.ok("links", identifier="Apollo", section="# Apollo"), "as_written") == [("[[Apollo#Apollo]]",)]


def test_the_whole_vault(web: Served) -> None:
    reply = web.ok("links")
    assert [target for (target,) in rows(reply, "target")] == ["Apollo.md"] * 7 + ["Log.md"] + ["People/Ada.md"] * 2
    assert (reply["total"], reply["target"]) == (10, None)
    sources = [source for (source,) in rows(web.ok("links", direction="outgoing"), "file_path")]
    assert sources == sorted(sources)
    assert web.ok("links", direction="all")["total"] == 12
    assert rows(web.ok("links", direction="unresolved"), "file_path", "as_written") == [
        ("Apollo.md", "[[None]]"),
        ("Apollo.md", "[[Nobody]]"),
    ]
    assert rows(web.ok("links", kinds="base"), "file_path") == [("All.base",)]
    assert web.ok("links", folder="People")["total"] == 0


def test_hubs_and_orphans(web: Served) -> None:
    notes = web.ok("links", direction="hubs")["notes"]
    assert [(n["file_path"], n["incoming"], n["outgoing"]) for n in notes] == [
        ("Apollo.md", 3, 2),
        ("People/Ada.md", 2, 0),
        ("Log.md", 1, 2),
    ]
    assert [n["file_path"] for n in web.ok("links", direction="orphans")["notes"]] == ["Lone.md"]
    assert [n["file_path"] for n in web.ok("links", direction="hubs", tag="person")["notes"]] == ["People/Ada.md"]
    text = web.call("links", direction="hubs").blocks[0]
    assert "Apollo (Apollo.md): 3 link to it, it links to 2" in text
    assert "nothing links to" in web.call("links", direction="orphans").blocks[0]


def test_a13_excluded_files_count_as_sources_and_are_no_mentions_hubs_or_orphans(web: Served) -> None:
    web.write(".obsidian/app.json", '{"userIgnoreFilters":["Old/"]}')
    web.write("Old/Past.md", "Apollo and [[Apollo]] and [[Old/Dust]]")
    web.write("Old/Dust.md", "x")
    web.reindex()
    assert web.ok("links", identifier="Apollo")["total"] == 8
    mentions = web.ok("links", identifier="Apollo", direction="mentions")
    assert ("Old/Past.md",) not in rows(mentions, "file_path")
    for direction in ("hubs", "orphans"):
        assert not any("Old/" in n["file_path"] for n in web.ok("links", direction=direction)["notes"])


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"depth": 2}, [(1, "All.base"), (1, "Log.md"), (1, "Map.canvas")]),
        ({"depth": 2, "direction": "outgoing"}, [(1, "Log.md"), (1, "People/Ada.md")]),
        ({"depth": 2, "direction": "all", "folder": "People"}, [(1, "People/Ada.md")]),
    ],
)
def test_neighbours(web: Served, arguments: dict[str, Any], expected: list[tuple[int, str]]) -> None:
    reply = web.ok("links", identifier="Apollo", **arguments)
    assert sorted((n["hops"], n["file_path"]) for n in reply["notes"]) == expected
    assert reply["total"] == len(expected)
    assert "within 2 links of 'Apollo.md'" in web.call("links", identifier="Apollo", **arguments).blocks[0]


def test_neighbours_tell_the_link_that_led_to_them(web: Served) -> None:
    notes = web.ok("links", identifier="Ada", depth=2)["notes"]
    told = {n["file_path"]: (n["hops"], n["relation"], n["from"], n["to"]) for n in notes}
    assert told["Log.md"] == (1, "rel", "Log.md", "People/Ada.md")
    assert told["Map.canvas"] == (2, "links_to", "Map.canvas", "Apollo.md")


@pytest.mark.parametrize(
    ("arguments", "steps"),
    [
        ({}, [("Map.canvas", "Apollo.md", True), ("Apollo.md", "People/Ada.md", True)]),
        ({"direction": "outgoing"}, [("Map.canvas", "Apollo.md", True), ("Apollo.md", "People/Ada.md", True)]),
        ({"identifier": "Ada", "to": "Map.canvas"}, [("Apollo.md", "People/Ada.md", False), ("Map.canvas", "Apollo.md", False)]),
        ({"to": "Map.canvas"}, []),
    ],
)  # fmt: skip
def test_the_shortest_way(web: Served, arguments: dict[str, Any], steps: list[tuple[str, str, bool]]) -> None:
    asked = {"identifier": "Map.canvas", "to": "Ada", **arguments}
    reply = web.ok("links", **asked)
    assert [(s["from"], s["to"], s["forward"]) for s in reply["steps"]] == steps
    assert (reply["found"], reply["length"]) == (True, len(steps))
    assert f"{len(steps)} links" in web.call("links", **asked).blocks[0]


def test_no_way(web: Served) -> None:
    reply = web.ok("links", identifier="Apollo", to="Lone")
    assert (reply["found"], reply["length"], reply["steps"]) == (False, None, [])
    text = web.call("links", identifier="Ada", to="Log", direction="outgoing").blocks[0]
    assert "No links lead from 'People/Ada.md' to 'Log.md', following links forward only" in text


@pytest.mark.parametrize("arguments", [{"identifier": "Apollo", "direction": "all"}, {"direction": "all"}, {"direction": "hubs"}, {"identifier": "Ada", "depth": 3}])  # fmt: skip
def test_pages_follow_one_another(web: Served, arguments: dict[str, Any]) -> None:
    def items(reply: dict[str, Any]) -> list[Any]:
        return list(reply.get("mentions") or reply["notes"])

    whole = items(web.ok("links", **arguments))
    seen: list[Any] = []
    cursor = None
    while True:
        reply = web.ok("links", **arguments, limit=2, **({"cursor": cursor} if cursor else {}))
        seen += items(reply)
        cursor = reply["next"]
        if cursor is None:
            break
    assert seen == whole
    assert (
        f"cursor={web.ok('links', **arguments, limit=1)['next']}" in web.call("links", **arguments, limit=1).blocks[0]
    )


def test_a_page_of_a_vault_that_changed_says_so(web: Served) -> None:
    cursor = web.ok("links", identifier="Apollo", limit=2)["next"]
    web.write("New.md", "[[Apollo]]")
    web.reindex()
    reply = web.ok("links", identifier="Apollo", limit=2, cursor=cursor)
    assert reply["moved"] is True
    assert "changed since the last page" in web.call("links", identifier="Apollo", limit=2, cursor=cursor).blocks[0]


@pytest.mark.parametrize(
    ("category", "arguments"),
    [
        ("not_found", {"identifier": "Apolo"}),
        ("not_found", {"identifier": "Apollo", "section": "Crow"}),
        ("not_found", {"identifier": "Apollo", "section": "^b2"}),
        ("not_found", {"identifier": "Apollo", "to": "Nowhere"}),
        ("ambiguous", {"identifier": "Twin"}),
        ("invalid", {"identifier": "Map.canvas", "section": "Crew"}),
        ("invalid", {"identifier": "Apollo", "depth": 6}),
        ("invalid", {"identifier": "Apollo", "depth": 0}),
        ("invalid", {"identifier": "Apollo", "depth": 2, "section": "Crew"}),
        ("invalid", {"identifier": "Apollo", "depth": 2, "kinds": ["body"]}),
        ("invalid", {"identifier": "Apollo", "depth": 2, "direction": "mentions"}),
        ("invalid", {"identifier": "Apollo", "direction": "hubs"}),
        ("invalid", {"identifier": "Apollo", "direction": "mentions", "section": "Crew"}),
        ("invalid", {"direction": "mentions"}),
        ("invalid", {"depth": 2}),
        ("invalid", {"to": "Apollo"}),
        ("invalid", {"direction": "sideways"}),
        ("invalid", {"kinds": ["word"]}),
        ("invalid", {"limit": 0}),
        ("invalid", {"cursor": "x"}),
        ("refused", {"folder": "../x"}),
    ],
)
def test_errors(web: Served, category: str, arguments: dict[str, Any]) -> None:
    for path in ("a/Twin.md", "b/Twin.md"):
        web.write(path, "---\ntitle: Twin\n---\n")
    web.reindex()
    error = web.fails("links", category, **arguments)
    if category == "not_found" and "to" not in arguments:
        assert error["candidates"]


def test_a_cursor_of_other_links_is_refused(web: Served) -> None:
    cursor = web.ok("links", identifier="Apollo", limit=2)["next"]
    web.fails("links", "invalid", identifier="Ada", cursor=cursor)


def test_text_names_the_file_once_and_keeps_excerpts_between_marks(web: Served) -> None:
    text = web.call("links", path="Apollo", direction="all").blocks[0]
    assert text.startswith("# 15 links and mentions in 5 files: 'Apollo.md'\nContext stands between <")
    assert text.count("## links to it: Log (Log.md)") == 1
    assert "- 2:6 property up: <" in text
    assert "- card t, under" not in text
    assert "-> nowhere" in text
    assert "same line" in text
    assert "Lone.md': no links to it." in web.call("links", identifier="Lone").blocks[0]
    assert "no links that lead nowhere" in web.call("links", direction="unresolved", folder="People").blocks[0]


def test_a_long_line_is_cut_around_the_mention(web: Served) -> None:
    web.write("Long.md", "a " * 500 + "[[Lone]]" + " b" * 500)
    web.reindex()
    (row,) = web.ok("links", identifier="Lone")["mentions"]
    assert len(row["context"]) < 300
    assert row["context"].startswith("…")
    assert row["context"].endswith("…")
    assert (row["column"], "[[Lone]]" in row["context"]) == (1001, True)


def test_what_changed_since_the_index_saw_it_is_shown_as_it_is(web: Served) -> None:
    web.open().watcher.stop()
    web.write("Log.md", "moved down\n\n[[Apollo#Crew]]\n")
    web.write("Map.canvas", "{}")
    (web.root / "All.base").unlink()
    reply = web.ok("links", identifier="Apollo")
    contexts = {row["as_written"]: (row["line"], row["context"]) for row in reply["mentions"]}
    assert contexts["[[Apollo#Crew]]"] == (3, "[[Apollo#Crew]]")
    assert "[[Apollo]]" not in contexts
    assert "All.base" not in {row["file_path"] for row in reply["mentions"]}


def find(web: Served, audience: Audience = Audience.PERSON, **query: Any) -> LinkPage:
    caller = Caller(Author("t", "s"), audience)
    page = asyncio.run(web.open().services.links.find(caller, LinkQuery(**query)))
    assert isinstance(page, LinkPage)
    return page


def test_c27_agents_see_nothing_of_denied_notes_and_a_person_sees_them_marked(guarded: Served) -> None:
    guarded.write("Open.md", "---\naliases: [Door]\n---\n[[Hid]]")
    guarded.write("Secret/Hid.md", "Open door [[Open]] [[Open]]")
    guarded.write("Secret/Open door handle.md", "x")
    guarded.write("Other.md", "an open door handle")
    for direction, of_person in ((Direction.BACKLINKS, 2), (Direction.MENTIONS, 2), (Direction.OUTGOING, 1)):
        page = find(guarded, identifier="Open", direction=direction)
        assert page.total == of_person
        assert [m.hidden for m in page.mentions] == [m.path.startswith("Secret/") for m in page.mentions]
    assert guarded.ok("links", identifier="Open")["total"] == 0
    assert rows(guarded.ok("links", identifier="Open", direction="outgoing"), "target") == [(None,)]
    assert rows(guarded.ok("links", identifier="Open", direction="mentions"), "file_path", "as_written") == [
        ("Other.md", "open"),
        ("Other.md", "door"),
    ]
    assert guarded.ok("links", direction="outgoing")["total"] == 0
    assert [n["file_path"] for n in guarded.ok("links", direction="orphans")["notes"]] == ["Open.md", "Other.md"]
    assert guarded.ok("links", direction="unresolved")["total"] == 1
    guarded.write(".obsidian/app.json", '{"userIgnoreFilters":["Secret/"]}')
    assert files(find(guarded, identifier="Open", direction=Direction.MENTIONS)) == []
    guarded.fails("links", "not_found", identifier="Hid")
    guarded.fails("links", "not_found", identifier="Open", to="Hid")


def test_a_note_that_became_private_a_moment_ago_is_not_found(web: Served) -> None:
    web.open().watcher.stop()
    web.write("Apollo.md", "---\nprivate: true\n---\n")
    web.fails("links", "not_found", identifier="Apollo")
    web.write("Log.md", "---\nprivate: true\n---\n[[Ada]]")
    assert "Log.md" not in str(web.ok("links", identifier="Ada")["mentions"])


def files(page: LinkPage) -> Iterable[str]:
    return list(dict.fromkeys(m.path for m in page.mentions))


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (MentionOrder.RELEVANCE, ["Both.md", "Many.md", "New.md", "Old.md"]),
        (MentionOrder.NAME, ["Both.md", "Many.md", "New.md", "Old.md"]),
        (MentionOrder.NAME_DESC, ["Old.md", "New.md", "Many.md", "Both.md"]),
        (MentionOrder.MODIFIED, ["New.md", "Many.md", "Both.md", "Old.md"]),
        (MentionOrder.MODIFIED_ASC, ["Old.md", "Both.md", "Many.md", "New.md"]),
        (MentionOrder.CREATED, ["Old.md", "New.md", "Many.md", "Both.md"]),
        (MentionOrder.CREATED_ASC, ["Both.md", "Many.md", "New.md", "Old.md"]),
    ],
)
def test_orders_of_the_files(served: Served, order: MentionOrder, expected: list[str]) -> None:
    served.write("Goal.md", "[[Both]]")
    texts = {"Both": "[[Goal]]", "Many": "[[Goal]] [[Goal]]", "New": "[[Goal]]", "Old": "---\ncreated: 2026-11-20\n---\n[[Goal]]"}  # fmt: skip
    for name, day in (("Both", 2), ("Many", 3), ("New", 4), ("Old", 1)):
        moment = 1_700_000_000 + day * 86_400
        os.utime(served.write(f"{name}.md", texts[name]), (moment, moment))
    page = find(served, identifier="Goal", order=order)
    assert files(page) == expected
    assert [m.created_ns > m.modified_ns for m in page.mentions if m.path == "Old.md"] == [True]


def test_mentions_follow_the_vault_and_only_changed_files_are_read_again(web: Served) -> None:
    def places() -> list[tuple[Any, ...]]:
        return sorted(rows(web.ok("links", identifier="Apollo", direction="mentions"), "file_path", "line"))

    before = places()
    web.write("Lone.md", "Apollo\n")
    web.reindex()
    assert places() == sorted([*before, ("Lone.md", 1)])
    web.write("Project Ada.md", "x")
    web.write("She saw Apollo.md", "x")
    web.reindex()
    # There is a note of a longer name now.
    assert places() == sorted([row for row in [*before, ("Lone.md", 1)] if row[0] != "People/Ada.md"])


def test_mentions_tell_the_heading_as_the_file_is_now(web: Served) -> None:
    def headings() -> dict[tuple[str, int], str | None]:
        reply = web.ok("links", identifier="Apollo", direction="mentions")
        return {(row["file_path"], row["line"]): row["heading"] for row in reply["mentions"]}

    web.write("Card.canvas", '{"nodes":[{"id":"t","type":"text","text":"Apollo\\n# In\\nApollo","x":0,"y":0}]}')
    web.write("Deep.md", "Apollo\n\n# One\n\nx\n\n## Two\n\nApollo\n")
    assert headings()["Deep.md", 1] is None
    assert headings()["Deep.md", 9] == "Two"
    cards = web.ok("links", identifier="Apollo", direction="mentions", kinds=["canvas"], folder="")["mentions"]
    assert [row["heading"] for row in cards if row["file_path"] == "Card.canvas"] == [None, "In"]
    web.write("Deep.md", "Apollo\n\n# One\n\nx\n\n## Six\n\nApollo\n")
    assert headings()["Deep.md", 9] == "Six"


def test_only_the_files_of_a_page_are_read_and_pages_behind_it_search_no_more(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(30):
        served.write(f"N{number:02}.md", f"[[Hub]] and\n\nHub {number}\n")
    served.write("Hub.md", "x")
    services = served.open().services
    read: list[str] = []
    reader = services.links._files.reader

    def counting() -> Callable[[VaultPath], bytes]:
        inner = reader()

        def read_counted(path: VaultPath) -> bytes:
            read.append(path)
            return inner(path)

        return read_counted

    monkeypatch.setattr(services.links._files, "reader", counting)
    for direction in ("backlinks", "mentions"):
        cursor, seen, searched = None, 0, 30 if direction == "mentions" else 0
        for page in range(3):
            read.clear()
            arguments = {"identifier": "Hub", "direction": direction, "limit": 10}
            reply = served.ok("links", **arguments, **({"cursor": cursor} if cursor else {}))
            cursor, seen = reply["next"], seen + len(reply["mentions"])
            assert (reply["total"], reply["files"]) == (30, 30)
            assert len(read) == 10 + (searched if page == 0 else 0)
        assert (cursor, seen) == (None, 30)


def test_other_files_are_mentioned_by_their_names(served: Served) -> None:
    served.write("Plan.canvas", '{"nodes":[]}')
    served.write("pic.png", b"x")
    served.write("!.md", "nothing to look for")
    served.write("N.md", "the plan, pic and pic.png !")
    for identifier, count in (("Plan.canvas", 1), ("pic.png", 1), ("!", 0)):
        assert served.ok("links", identifier=identifier, direction="mentions")["total"] == count
