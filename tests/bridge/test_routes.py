"""Each route answers what the protocol says, and each error has its status and the one form."""

import json
from typing import Any

import pytest

from sidecar import __version__
from tests.bridge.bridges import KEY, Bridge

NONCE = "0f" * 16


def test_hello_proves_the_token_and_tells_whether_the_vault_is_served(bridge: Bridge) -> None:
    said = bridge.get("hello", nonce=NONCE)
    assert said["proof"] == bridge.daemon.secret.proof(NONCE)
    assert (said["vault"], said["version"], said["instance_id"]) == ("served", __version__, "instance")
    assert said["protocol"] == {"min": 1, "max": 1}
    assert {"status", "events", "activity", "parity"} <= set(said["capabilities"])
    assert bridge.get("hello", nonce=NONCE, vault="cd" * 32)["vault"] == "unknown"


@pytest.mark.parametrize("nonce", ["", "0f", "x" * 32, "0f" * 100, " " + NONCE])
def test_hello_proves_no_nonce_that_is_none(bridge: Bridge, nonce: str) -> None:
    bridge.fails("GET", "hello", 400, "invalid", params={"nonce": nonce})


def test_status_tells_how_far_the_index_is(bridge: Bridge) -> None:
    said = bridge.get("status")
    assert (said["project"], said["state"], said["files"]["note"]) == ("Vault", "ready", 2)
    assert said["clients"] == [{"name": "claude", "session": "s1", "since": 1}]
    assert (said["held"], said["fault"], said["problems"], said["change_cursor"]) == (0, None, [], None)
    assert said["last_reconcile"] > 1_700_000_000_000
    bridge.served.write("bad.md", b"\xff\xfe\xff")
    bridge.served.reindex()
    change = bridge.served.ok("write_note", title="C", directory="", content="x")["change"]
    said = bridge.get("status")
    assert [problem["path"] for problem in said["problems"]] == ["bad.md"]
    assert said["change_cursor"] == change


def test_pausing_leaves_changes_from_outside_but_not_those_of_agents(bridge: Bridge) -> None:
    assert bridge.post("pause", paused=True)["state"] == "paused"
    assert bridge.get("status")["state"] == "paused"
    bridge.served.ok("write_note", title="C", directory="", content="zebra")
    assert bridge.served.found("zebra") == ["C.md"]
    assert bridge.post("pause", paused=False)["state"] in ("ready", "indexing")


def test_rebuild_reads_everything_anew(bridge: Bridge) -> None:
    generation = bridge.get("status")["generation"]
    bridge.post("rebuild")
    bridge.served.open().pipeline.settle()
    said = bridge.get("status")
    assert said["generation"] > generation
    assert said["state"] == "ready"
    assert bridge.served.found("three") == ["B.md"]


def test_stop_answers_and_then_ends(bridge: Bridge) -> None:
    assert bridge.post("stop")["project"] == "Vault"
    assert bridge.daemon.ended == ["the person asked in Obsidian"]


def test_one_more_vault_is_served_when_the_person_asks(bridge: Bridge) -> None:
    asked = {"path": str(bridge.served.root)}
    assert bridge.ask("POST", "vaults", vault="", json=asked).json()["project"] == "Vault"
    bridge.fails("POST", "vaults", 400, "invalid", vault="", json={"path": "/"})


def test_what_can_be_looked_up(bridge: Bridge) -> None:
    assert bridge.get("log", lines=2) == {"lines": ["two", "three"]}
    assert bridge.get("connection")["http_url"] == "http://127.0.0.1:1/mcp"
    bridge.served.write(".mcpignore", "# mine\n\nPrivate/\n")
    assert bridge.get("access") == {"deny": [], "read_only": [], "ask": [], "mcpignore": ["Private/"]}


def test_the_present_cursor_is_told_at_once(bridge: Bridge) -> None:
    cursor = bridge.get("events")["cursor"]
    assert bridge.get("events", after=cursor, wait=0) == {"cursor": cursor, "reset": False, "events": []}
    assert bridge.get("events", after=1, wait=25)["reset"] is True


def test_parity_finds_what_differs(bridge: Bridge) -> None:
    same = {
        "resolved": {"A.md": {"B.md": 1}, "B.md": {}},
        "unresolved": {"A.md": {"Nowhere": 1}},
        "tags": {"A.md": ["#x"]},
    }
    assert bridge.post("parity", **same)["differences"] == []
    said = bridge.post("parity", **{**same, "tags": {"A.md": ["#x", "#y"]}})
    assert said["differences"] == [{"path": "A.md", "kind": "tag", "what": "y", "app": 1, "sidecar": 0}]
    assert (said["total"], said["files"]) == (1, 2)
    assert "`y`" in said["report"]


@pytest.mark.parametrize("route", ["status", "events", "activity", "access", "log", "connection"])
@pytest.mark.parametrize("vault", ["", "cd" * 32, KEY.upper(), "../.."])
def test_a_vault_that_is_not_served_is_said_so(bridge: Bridge, route: str, vault: str) -> None:
    bridge.fails("GET", route, 404, "unknown_vault", vault=vault)


@pytest.mark.parametrize("route", ["pause", "rebuild", "stop", "vaults", "activity/undo", "parity"])
def test_nothing_changes_by_get(bridge: Bridge, route: str) -> None:
    bridge.fails("GET", route, 405, "invalid", params={"paused": "true", "path": "/", "mode": "apply"})
    assert bridge.daemon.ended == []
    assert bridge.get("status")["state"] == "ready"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_body_that_a_web_form_could_send_is_refused(bridge: Bridge, kind: str) -> None:
    bridge.fails("POST", "stop", 415, "unsupported", content=b"{}", headers={"content-type": kind})
    assert bridge.daemon.ended == []


BAD_BODIES: list[bytes] = [
    b"",
    b"{",
    b"[]",
    b"null",
    b'{"paused": "yes"}',
    b'{"paused": 1}',
    b"{}",
    b"\xff",
    b'{"paused": NaN}',
]


@pytest.mark.parametrize("body", BAD_BODIES)
def test_a_body_that_is_not_understood_is_said_so(bridge: Bridge, body: bytes) -> None:
    told = bridge.fails("POST", "pause", 400, "invalid", content=body, headers={"content-type": "application/json"})
    assert "pause" in told["message"]


def test_a_body_is_read_no_further_than_it_may_be(bridge: Bridge) -> None:
    body = json.dumps({"paused": True, "more": "x" * 1_000_001}).encode()
    bridge.fails("POST", "pause", 413, "too_large", content=body, headers={"content-type": "application/json"})
    assert bridge.get("status")["state"] == "ready"


@pytest.mark.parametrize(
    ("route", "params"),
    [
        ("events", {"after": "x"}),
        ("events", {"after": "-1"}),
        ("events", {"after": "1", "wait": "26"}),
        ("events", {"after": "1", "wait": "nan"}),
        ("activity", {"limit": "0"}),
        ("activity", {"limit": "1000"}),
        ("log", {"lines": "0"}),
    ],
)
def test_a_query_out_of_bounds_is_refused(bridge: Bridge, route: str, params: dict[str, Any]) -> None:
    bridge.fails("GET", route, 400, "invalid", params=params)


@pytest.mark.parametrize("route", ["", "nothing", "activity/x", "../mcp", "%2e%2e/mcp", "activity/..%2f..%2fx/diff"])
def test_other_paths_lead_nowhere(bridge: Bridge, route: str) -> None:
    assert bridge.ask("GET", route).status_code == 404


def test_a_fault_of_ours_tells_no_note_text(bridge: Bridge, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_lines: int) -> list[str]:
        raise ValueError("the secret text of a note")

    monkeypatch.setattr(bridge.daemon, "log_tail", broken)
    told = bridge.fails("GET", "log", 500, "error")
    assert "secret" not in json.dumps(told)
