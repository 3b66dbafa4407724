import asyncio
from typing import Any

import pytest

from sidecar.model.change import Author
from sidecar.services.caller import Audience, Caller
from tests.conftest import Served

LOG = "---\nup: Apollo\n---\n# Apollo day\r\n\r\nThe apollo and the moon shot, `Apollo`, [[Apollo]].\r\n\r\n| Apollo | the moon shot |\n|---|---|\n"
LINKED = "---\nup: Apollo\n---\n# [[Apollo]] day\r\n\r\nThe [[apollo]] and the [[Apollo|moon shot]], `Apollo`, [[Apollo]].\r\n\r\n| [[Apollo]] | the [[Apollo\\|moon shot]] |\n|---|---|\n"
CANVAS = '{"nodes":[{"id":"a","type":"text","text":"Apollo"},{"id":"b","type":"text","text":"Apollo","x":1.50},{"id":"c","type":"file","file":"Apollo.md"}], "own":1 }'


@pytest.fixture
def web(served: Served) -> Served:
    served.write("Apollo.md", "---\naliases: [Moon Shot]\n---\nApollo itself\n")
    served.write("Log.md", LOG)
    served.write("Map.canvas", CANVAS)
    return served


def ids(vault: Served, identifier: str = "Apollo") -> list[dict[str, Any]]:
    return list(vault.ok("links", identifier=identifier, direction="mentions")["mentions"])


def test_all_mentions_become_links_and_one_undo_takes_them_back(web: Served) -> None:
    before = web.hash()
    reply = web.ok("link_mentions", identifier="Apollo", mentions="all", reason="tidy")
    assert (reply["target"], reply["linked"], reply["left"], reply["unknown"]) == ("Apollo.md", 7, [], [])
    assert reply["files"] == [{"file_path": "Log.md", "links": 5}, {"file_path": "Map.canvas", "links": 2}]
    assert web.read("Log.md") == LINKED
    assert web.read("Map.canvas") == CANVAS.replace('"text":"Apollo"', '"text":"[[Apollo]]"')
    assert web.read("Apollo.md").endswith("Apollo itself\n")
    assert ids(web) == []
    assert web.ok("links", identifier="Apollo", direction="backlinks")["total"] == 9
    (change,) = web.ok("history", limit=1)["changes"]
    assert (change["id"], change["tool"], change["reason"]) == (reply["change"], "link_mentions", "tidy")
    web.ok("undo", change=reply["change"])
    assert web.read("Log.md") == LOG
    assert (before != web.hash(), web.read("Map.canvas")) == (True, CANVAS)


def test_a_dry_run_shows_the_differences_and_changes_nothing(web: Served) -> None:
    before = web.hash()
    reply = web.ok("link_mentions", identifier="Apollo", mentions="all", dry_run=True)
    assert (reply["linked"], reply["dry_run"], reply["change"]) == (7, True, None)
    assert "+The [[apollo]] and the [[Apollo|moon shot]]" in reply["files"][0]["diff"]
    text = web.call("link_mentions", identifier="Apollo", mentions="all", dry_run=True).blocks[0]
    assert text.startswith("# Would link 7 mentions of Apollo.md in 2 files\nText between <")
    assert web.hash() == before


def test_only_those_with_these_ids(web: Served) -> None:
    chosen = [m["id"] for m in ids(web) if m["as_written"] == "moon shot" or m.get("card") == "b"]
    reply = web.ok("link_mentions", path="Apollo", ids=chosen)
    assert reply["linked"] == 3
    assert web.read("Log.md").count("[[Apollo|moon shot]]") + web.read("Log.md").count("[[Apollo\\|moon shot]]") == 2
    assert web.read("Log.md").count("[[apollo]]") == 0
    assert web.read("Map.canvas") == CANVAS.replace('"Apollo","x"', '"[[Apollo]]","x"')
    text = web.call("link_mentions", identifier="Apollo", mentions=[ids(web)[0]["id"]]).blocks[0]
    assert text.startswith("# Linked 1 mentions of Apollo.md in 1 files\n- ")
    assert "(undo takes it back)" in text


def test_ids_are_the_same_as_long_as_the_file_is(web: Served) -> None:
    first = {m["id"] for m in ids(web)}
    assert len(first) == 7
    web.write("Other.md", "Apollo")
    web.reindex()
    now = ids(web)
    assert first < {m["id"] for m in now}
    web.write("Log.md", LOG + "\nmore")
    web.reindex()
    assert not {m["id"] for m in ids(web) if m["file_path"] == "Log.md"} & first


def test_a_file_that_changed_since_is_told_and_left(web: Served) -> None:
    old = [m["id"] for m in ids(web)]
    web.write("Log.md", LOG + "\nmore")
    web.reindex()
    reply = web.ok("link_mentions", identifier="Apollo", mentions=old)
    assert reply["linked"] == 2
    assert reply["left"] == [{"file_path": "Log.md", "reason": "it changed since the mention was found; look again"}]
    assert reply["unknown"] == []
    assert web.read("Log.md") == LOG + "\nmore"
    text = web.call("link_mentions", identifier="Apollo", mentions=old).blocks[0]
    assert "Left: Log.md: it changed since the mention was found; look again." in text


def test_unknown_ids(web: Served) -> None:
    known = ids(web)[0]["id"]
    reply = web.ok("link_mentions", identifier="Apollo", mentions=[known, "0123456789abcdef"])
    assert (reply["linked"], reply["unknown"]) == (1, ["0123456789abcdef"])
    error = web.fails("link_mentions", "not_found", identifier="Apollo", mentions="0123456789abcdef")
    assert "0123456789abcdef" in error["message"]
    known = ids(web)[0]["id"]
    assert "No mention has the id nope." in web.call("link_mentions", identifier="Apollo", mentions=f"nope,{known}").blocks[0]  # fmt: skip


def test_nothing_to_link_is_a_result(web: Served) -> None:
    web.write("Lone.md", "x")
    web.reindex()
    before = web.hash()
    reply = web.ok("link_mentions", identifier="Lone", mentions="all")
    assert (reply["linked"], reply["files"], reply["change"]) == (0, [], None)
    assert web.hash() == before


@pytest.mark.parametrize(
    ("category", "arguments"),
    [
        ("not_found", {"identifier": "Apolo", "mentions": "all"}),
        ("ambiguous", {"identifier": "Twin", "mentions": "all"}),
        ("invalid", {"identifier": "Apollo"}),
        ("invalid", {"mentions": "all"}),
    ],
)
def test_errors(web: Served, category: str, arguments: dict[str, Any]) -> None:
    for path in ("a/Twin.md", "b/Twin.md"):
        web.write(path, "---\ntitle: Twin\n---\n")
    web.reindex()
    web.fails("link_mentions", category, **arguments)


@pytest.mark.parametrize(
    ("settings", "target", "text", "expected"),
    [
        ("{}", "a/Real.md", "see real", "see [[real]]"),
        ('{"newLinkFormat":"absolute"}', "a/Real.md", "see real", "see [[a/Real|real]]"),
        ('{"newLinkFormat":"relative"}', "a/Real.md", "see Real", "see [[../a/Real|Real]]"),
        ('{"useMarkdownLinks":true}', "a/Real.md", "see real", "see [real](Real.md)"),
        ('{"useMarkdownLinks":true,"newLinkFormat":"absolute"}', "a/My Real.md", "my real", "[my real](a/My%20Real.md)"),
        ("{}", "a/x | y.md", "on x | y.", "on [x | y](x%20%7C%20y.md)."),
        ("{}", "a/Café.md", "Cafe\u0301!", "[[Café|Cafe\u0301]]!"),
        ("{}", "a/Straße.md", "STRAßE", "[[STRAßE]]"),
    ],
)  # fmt: skip
def test_l1_g1_g2_links_are_written_as_the_vault_asks(
    served: Served, settings: str, target: str, text: str, expected: str
) -> None:
    served.write(".obsidian/app.json", settings)
    served.write(target, "x")
    served.write("b/Note.md", text)
    assert served.ok("link_mentions", identifier=target, mentions="all")["linked"] == 1
    assert served.read("b/Note.md") == expected
    (row,) = served.ok("links", identifier=target)["mentions"]
    assert row["file_path"] == "b/Note.md"


def test_f2_a_note_that_no_link_can_name_leaves_the_file(served: Served) -> None:
    served.write("x #1 y.md", "x")
    served.write("Note.md", "on x #1 y.")
    reply = served.ok("link_mentions", identifier="x #1 y.md", mentions="all")
    assert (reply["linked"], [one["file_path"] for one in reply["left"]]) == (0, ["Note.md"])
    assert served.read("Note.md") == "on x #1 y."


def test_l3_a_name_that_two_files_bear_is_written_with_its_path(served: Served) -> None:
    served.write("a/Real.md", "x")
    served.write("b/Real.md", "x")
    served.write("c/Note.md", "Real")
    served.ok("link_mentions", identifier="b/Real.md", mentions="all")
    assert served.read("c/Note.md") == "[[b/Real|Real]]"


def test_a_file_that_cannot_be_written_is_left_and_told(guarded: Served) -> None:
    guarded.write("Real.md", "x")
    guarded.write("Sources/Paper.md", "on Real")
    guarded.write("Odd.md", b"on Real \xff")
    guarded.write("Locked.md", "---\nx: 1\n---\non Real, \U0001f510 AAAAAAAAAAAAAAAAAAAAAAAA \U0001f510\n")
    guarded.write("Secret/Hid.md", "on Real")
    reply = guarded.ok("link_mentions", identifier="Real", mentions="all")
    left = {one["file_path"]: one["reason"] for one in reply["left"]}
    assert set(left) == {"Sources/Paper.md", "Odd.md"}
    assert left["Sources/Paper.md"] == "agents may only read it"
    assert [file["file_path"] for file in reply["files"]] == ["Locked.md"]
    assert guarded.read("Locked.md").startswith("---\nx: 1\n---\non [[Real]], \U0001f510 AAAA")
    assert guarded.read("Secret/Hid.md") == "on Real"


def test_c27_a_person_links_mentions_in_notes_that_agents_may_not_see(guarded: Served) -> None:
    guarded.write("Real.md", "x")
    guarded.write("Secret/Hid.md", "on Real")
    services = guarded.open().services
    caller = Caller(Author("plugin", "s"), Audience.PERSON)
    done = asyncio.run(services.linking.link(caller, identifier="Real", mentions="all"))
    assert (done.linked, guarded.read("Secret/Hid.md")) == (1, "on [[Real]]")
    guarded.fails("link_mentions", "not_found", identifier="Hid", mentions="all")


def test_a13_excluded_files_are_left_alone(web: Served) -> None:
    web.write(".obsidian/app.json", '{"userIgnoreFilters":["Log.md"]}')
    assert web.ok("link_mentions", identifier="Apollo", mentions="all")["linked"] == 2
    assert web.read("Log.md") == LOG


def test_a_note_that_became_private_a_moment_ago_is_neither_target_nor_source(web: Served) -> None:
    web.open().watcher.stop()
    web.write("Log.md", "---\nprivate: true\n---\nApollo")
    assert [f["file_path"] for f in web.ok("link_mentions", identifier="Apollo", mentions="all")["files"]] == ["Map.canvas"]  # fmt: skip
    web.write("Apollo.md", "---\nprivate: true\n---\n")
    web.fails("link_mentions", "not_found", identifier="Apollo", mentions="all")
