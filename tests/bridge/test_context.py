"""What is open in the app: taken in, and forgotten in time."""

from typing import Any

import pytest

from sidecar.bridge.context import AppContexts
from sidecar.bridge.polls import Polls
from sidecar.model.path import VaultPath
from sidecar.services.obsidian import AppContext, Selection
from tests.bridge.bridges import Bridge

SAID: dict[str, Any] = {
    "client_id": "one", "window_id": "main", "active_file": "A.md", "open_files": ["A.md", "B.md"], "unsaved": ["B.md"],
    "selection": {"path": "A.md", "text": "Nowhere", "line_from": 3, "line_to": 3},
}  # fmt: skip
A, B = AppContext(VaultPath("A.md")), AppContext(VaultPath("B.md"))


def test_it_is_forgotten_a_minute_after_the_last_poll() -> None:
    now = [100.0]
    polls = Polls(lambda: now[0])
    contexts = AppContexts(polls, lambda: now[0])

    def known() -> list[AppContext | None]:
        return [contexts.newest, contexts.of("one")]

    contexts.tell("one", A)
    assert known() == [A, A], "it is said before the first poll"
    with polls.open("one"):
        now[0] += 600
        assert known() == [A, A]
    now[0] += 59
    assert known() == [A, A]
    now[0] += 2
    assert known() == [None, None]


def test_the_newest_client_counts_and_the_last_one_when_all_are_gone() -> None:
    now = [100.0]
    polls = Polls(lambda: now[0])
    contexts = AppContexts(polls, lambda: now[0])
    with polls.open("old"):
        contexts.tell("old", A)
        now[0] += 1
        with polls.open("new"):
            assert [contexts.newest] == [None], "it has not said yet what it sees"
            contexts.tell("new", B)
            contexts.tell("old", A)
            assert [contexts.newest] == [B]
    now[0] += 10
    assert contexts.newest == A


def test_few_clients_are_remembered() -> None:
    contexts = AppContexts(Polls())
    for number in range(100):
        contexts.tell(str(number), A)
    assert sum(contexts.of(str(n)) is not None for n in range(100)) == 20


def test_the_route(bridge: Bridge) -> None:
    assert bridge.post("context", **SAID, later="ignored") == {}
    assert bridge.vault.contexts.of("one") == AppContext(
        VaultPath("A.md"),
        Selection(VaultPath("A.md"), "Nowhere", 3, 3),
        (VaultPath("A.md"), VaultPath("B.md")),
        (VaultPath("B.md"),),
    )
    bridge.post("context", **{**SAID, "active_file": None, "selection": None, "open_files": [], "unsaved": []})
    assert bridge.vault.contexts.of("one") == AppContext()


def test_paths_that_are_none_of_the_vault_are_passed_over(bridge: Bridge) -> None:
    outside = {"active_file": "../x.md", "open_files": [".obsidian/app.json", "A.md", "a/../../b"], "unsaved": [".x"]}
    selection = {"path": "../x.md", "text": "t", "line_from": 1, "line_to": 1}
    bridge.post("context", **{**SAID, **outside, "selection": selection})
    assert bridge.vault.contexts.of("one") == AppContext(open_files=(VaultPath("A.md"),))


@pytest.mark.parametrize(
    "wrong",
    [
        {"client_id": None},
        {"open_files": "A.md"},
        {"selection": {"path": "A.md"}},
        {"active_file": 1},
        {"unsaved": [1]},
    ],
)
def test_malformed_contexts_are_refused(bridge: Bridge, wrong: dict[str, Any]) -> None:
    bridge.fails("POST", "context", 400, "invalid", json={**SAID, **wrong})
