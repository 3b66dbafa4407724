"""Claims and answers: each request is acted on by one client, once."""

import threading
from typing import Any

import pytest

from sidecar.bridge.errors import Gone
from sidecar.bridge.events import EventLog
from sidecar.bridge.polls import Polls
from sidecar.bridge.requests import Answer, Outcome, Patience, Request, Requests
from tests.bridge.bridges import Bridge

DONE = Answer(Outcome.DONE, "ab" * 32)
AT_ONCE = Patience(claim=0.01, answer=0.01)


def made() -> tuple[Requests, Polls]:
    polls = Polls()
    return Requests(EventLog(), polls), polls


def waited(request: Request, patience: Patience = AT_ONCE, *, is_done: bool = False) -> Answer:
    return request.wait(patience, lambda: is_done)


def test_a_claimed_request_has_the_answer_of_its_client() -> None:
    requests, _ = made()
    request = requests.ask("open_request", {"path": "A.md"}, "one")
    answers: list[Answer] = []
    waiting = threading.Thread(target=lambda: answers.append(waited(request, Patience(20, 20))))
    waiting.start()
    requests.claim(request.id, "one")
    requests.end(request.id, "one", DONE)
    waiting.join()
    assert answers == [DONE]


def test_nobody_claims_what_was_withdrawn_claimed_or_answered() -> None:
    requests, _ = made()
    withdrawn, claimed, answered = (requests.ask("open_request", {}, "one") for _ in range(3))
    assert waited(withdrawn).outcome is Outcome.UNCLAIMED
    requests.claim(claimed.id, "one")
    requests.end(answered.id, "one", DONE)
    for request in (withdrawn, claimed, answered):
        with pytest.raises(Gone):
            requests.claim(request.id, "one")
    for request in (withdrawn, answered):
        with pytest.raises(Gone):
            requests.end(request.id, "one", DONE)
    with pytest.raises(Gone):
        requests.claim("nothing", "one")


def test_an_answer_without_a_claim_means_that_nothing_was_done() -> None:
    requests, _ = made()
    request = requests.ask("write_request", {}, "one")
    requests.end(request.id, "one", Answer(Outcome.DONE))
    assert waited(request).outcome is Outcome.DECLINED


def test_silence_after_a_claim_unless_the_disk_shows_it() -> None:
    requests, _ = made()
    for is_done, outcome in ((False, Outcome.SILENT), (True, Outcome.DONE)):
        request = requests.ask("write_request", {}, "one")
        requests.claim(request.id, "one")
        assert waited(request, Patience(0.01, 0.3), is_done=is_done).outcome is outcome
        assert not request.is_over, "it may still tell"
        requests.end(request.id, "one", DONE)
        assert request.is_over


def test_an_older_client_may_not_claim_even_what_it_was_asked() -> None:
    requests, polls = made()
    with polls.open("old"):
        request = requests.ask("write_request", {}, "old")
        with polls.open("new"):
            with pytest.raises(Gone):
                requests.claim(request.id, "new")
            with pytest.raises(Gone):
                requests.claim(request.id, "old")
        assert waited(request).outcome is Outcome.UNCLAIMED


def test_requests_are_not_remembered_for_ever() -> None:
    requests, _ = made()
    first = requests.ask("open_request", {}, "one")
    for _ in range(300):
        requests.ask("open_request", {}, "one")
    with pytest.raises(Gone):
        requests.claim(first.id, "one")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"client_id": ""},
        {"client_id": "one", "outcome": "declined"},
        {"client_id": "one", "outcome": "done", "sha256": "short"},
        {"client_id": "one", "outcome": "done", "message": 3},
    ],
)
def test_malformed_results_are_refused(bridge: Bridge, body: dict[str, Any]) -> None:
    bridge.fails("POST", "requests/x/result", 400, "invalid", json=body)


def test_the_routes(bridge: Bridge) -> None:
    requests = bridge.vault.requests
    bridge.fails("POST", "requests/x/claim", 410, "gone", json={"client_id": "one"})
    request = requests.ask("write_request", {"path": "A.md"}, "one")
    bridge.fails("POST", f"requests/{request.id}/claim", 410, "gone", json={"client_id": "two"})
    assert bridge.post(f"requests/{request.id}/claim", client_id="one", more=1) == {}
    bridge.fails("POST", f"requests/{request.id}/claim", 410, "gone", json={"client_id": "one"})
    said = {"client_id": "one", "outcome": "done", "sha256": "ab" * 32, "message": None}
    assert bridge.post(f"requests/{request.id}/result", **said) == {}
    bridge.fails("POST", f"requests/{request.id}/result", 410, "gone", json=said)
    assert waited(request) == DONE


def test_only_the_client_that_is_asked_hears_of_it(bridge: Bridge) -> None:
    cursor = bridge.get("events")["cursor"]
    bridge.vault.requests.ask("write_request", {"path": "A.md"}, "one")
    assert bridge.get("events", after=cursor, client="two")["events"] == []
    (event,) = bridge.get("events", after=cursor, client="one")["events"]
    assert (event["type"], event["data"]["path"]) == ("write_request", "A.md")
