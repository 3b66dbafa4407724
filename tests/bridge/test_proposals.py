"""Proposals as the pane asks for them; only here can one be accepted."""

from pathlib import Path
from typing import Any

import pytest

from sidecar.cli.main import app as command_line
from sidecar.config import AccessSettings, Settings
from sidecar.tools.families import FAMILIES
from tests.bridge.bridges import Bridge
from tests.conftest import Served

LINES = "".join(f"{n}\n" for n in range(30))


@pytest.fixture
def asking(served: Served) -> Bridge:
    served.settings = Settings(access=AccessSettings(ask=("Work/",)))
    served.write("Work/A.md", LINES)
    served.write("Work/B.md", "---\nprivate: true\n---\n[[A]]")
    return Bridge.over(served)


def proposed(bridge: Bridge, content: str = LINES.replace("\n5\n", "\nfive\n").replace("\n20\n", "\n")) -> str:
    told = bridge.served.ok(
        "write_note", title="A", directory="Work", content=content, overwrite=True, reason="because"
    )
    return str(told["pending"])


def test_what_waits_is_shown_hunk_by_hunk(asking: Bridge) -> None:
    waiting = proposed(asking)
    (shown,) = asking.get("proposals")["proposals"]
    assert shown == asking.get(f"proposals/{waiting}") == asking.get("proposals", state="waiting")["proposals"][0]
    assert asking.get("proposals", state="accepted") == {"proposals": []}
    (file,) = shown.pop("files")
    first, second = file.pop("hunks")
    assert file == {
        "op": "replace", "path": "Work/A.md", "to": None, "binary": False, "more": 0, "whole": False, "hidden": False,
    }  # fmt: skip
    assert first["id"] != second["id"]
    assert (first["old_start"], second["old_start"], second["new_start"]) == (3, 18, 18)
    assert [line for line in first["lines"] if line["kind"] != " "] == [
        {"kind": "-", "text": "5"},
        {"kind": "+", "text": "five"},
    ]
    assert shown.pop("expires") - shown.pop("at") == 30 * 24 * 3600 * 1000
    assert shown == {
        "id": waiting, "client": "test", "session": "s1", "tool": "write_note", "summary": "Replace Work/A.md",
        "reason": "because", "state": "waiting", "stale": False, "problem": None, "whole": False, "decided": None,
        "change": None, "partial": False, "answer": None,
    }  # fmt: skip


def test_the_status_tells_how_many_wait(asking: Bridge) -> None:
    assert asking.get("status")["proposals"] == 0
    waiting = proposed(asking)
    assert asking.get("status")["proposals"] == 1
    asking.post(f"proposals/{waiting}/reject")
    assert asking.get("status")["proposals"] == 0


def test_it_is_accepted_wholly(asking: Bridge) -> None:
    done = asking.post(f"proposals/{proposed(asking)}/accept")
    assert (done["state"], done["partial"]) == ("accepted", False)
    assert "five" in asking.served.read("Work/A.md")
    (change,) = asking.get("activity")["changes"]
    assert (change["id"], change["client"], change["reason"]) == (done["change"], "test", "because")
    told = asking.fails("POST", f"proposals/{done['id']}/accept", 410, "gone", json={})
    assert told["data"] == {"state": "accepted", "change": done["change"]}
    asking.fails("POST", f"proposals/{done['id']}/reject", 410, "gone", json={})


def test_it_is_accepted_by_hunks(asking: Bridge) -> None:
    waiting = proposed(asking)
    (file,) = asking.get(f"proposals/{waiting}")["files"]
    accept = f"proposals/{waiting}/accept"
    asking.fails("POST", accept, 400, "invalid", json={"files": []})
    asking.fails("POST", accept, 400, "invalid", json={"files": [{"path": "Work/A.md", "hunks": []}]})
    asking.fails("POST", accept, 409, "stale", json={"files": [{"path": "Work/A.md", "hunks": ["none"]}]})
    asking.fails("POST", accept, 409, "stale", json={"files": [{"path": "Work/C.md"}]})
    asking.fails("POST", accept, 400, "invalid", json={"files": "all"})
    assert asking.served.read("Work/A.md") == LINES
    done = asking.post(accept, files=[{"path": "Work/A.md", "hunks": [file["hunks"][0]["id"]]}])
    assert done["partial"]
    assert asking.served.read("Work/A.md") == LINES.replace("\n5\n", "\nfive\n")


def test_it_is_rejected_with_a_reason(asking: Bridge) -> None:
    done = asking.post(f"proposals/{proposed(asking)}/reject", reason="not so")
    assert (done["state"], done["answer"], done["change"]) == ("rejected", "not so", None)
    assert asking.served.read("Work/A.md") == LINES
    assert asking.served.ok("history", change=done["id"])["proposal"]["answer"] == "not so"
    (shown,) = asking.get("proposals", state="rejected")["proposals"]
    assert shown["files"][0]["hunks"], "what was rejected can still be looked at"


def test_a_move_shows_the_links_it_mends_even_where_agents_may_not_look(asking: Bridge) -> None:
    asking.served.open()
    waiting = asking.served.ok("move_note", identifier="Work/A.md", destination_path="Free.md")["pending"]
    shown = asking.get(f"proposals/{waiting}")
    assert shown["whole"]
    assert [(f["op"], f["path"], f["to"], f["hidden"]) for f in shown["files"]] == [
        ("move", "Work/A.md", "Free.md", False),
        ("replace", "Work/B.md", None, True),
    ]
    asking.fails("POST", f"proposals/{waiting}/accept", 400, "invalid", json={"files": [{"path": "Work/A.md"}]})
    asking.post(f"proposals/{waiting}/accept", files=None)
    assert asking.served.read("Work/B.md").endswith("[[Free]]")


def test_what_fits_no_more_says_why(asking: Bridge) -> None:
    waiting = proposed(asking)
    asking.served.write("Work/A.md", LINES.replace("\n5\n", "\n!\n"))
    shown = asking.get(f"proposals/{waiting}")
    assert (shown["stale"], shown["state"]) == (True, "waiting")
    assert "Work/A.md" in shown["problem"]
    asking.fails("POST", f"proposals/{waiting}/accept", 409, "stale", json={})


def test_events_tell_of_each_step(asking: Bridge) -> None:
    cursor = asking.get("events")["cursor"]
    one = proposed(asking)
    asking.post(f"proposals/{one}/accept")
    heard = [e["data"] for e in asking.get("events", after=cursor)["events"] if e["type"] == "proposal"]
    assert heard == [{"id": one, "state": "waiting"}, {"id": one, "state": "accepted"}]


@pytest.mark.parametrize("route", ["proposals/p-none", "proposals/zz"])
def test_what_is_not_there(asking: Bridge, route: str) -> None:
    asking.fails("GET", route, 404, "not_found")
    for decision in ("accept", "reject"):
        asking.fails("POST", f"{route}/{decision}", 404, "not_found", json={})
        assert asking.ask("GET", f"{route}/{decision}").status_code == 405
    asking.fails("GET", "proposals", 400, "invalid", params={"state": "open"})


def test_nothing_but_the_bridge_accepts() -> None:
    package = Path(__file__).parents[2] / "sidecar"
    callers = {
        str(file.relative_to(package))
        for file in package.rglob("*.py")
        if ".proposals.accept(" in file.read_text("utf-8")
    }
    assert callers == {"bridge/routes/proposals.py"}
    tools: set[Any] = {tool.name for family in FAMILIES.values() for tool in family}
    assert not any("accept" in name or "approv" in name for name in tools)
    commands = {
        command.name or getattr(command.callback, "__name__", "") for command in command_line.registered_commands
    }
    assert not any("accept" in name or "approv" in name or "propos" in name for name in commands)
