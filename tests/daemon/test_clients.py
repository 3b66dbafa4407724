"""The AI clients the person is told of."""

from sidecar.daemon.clients import HttpVisitors, Visitor
from sidecar.daemon.sessions import HttpSessions


def test_a_connection_is_known_by_the_name_its_client_gives() -> None:
    visitor = Visitor("s1", None)
    assert (visitor.told.name, visitor.told.session) == ("unnamed client", "s1")
    assert visitor("claude", None) == "s1"
    assert visitor.told.name == "claude"
    assert visitor.told.since > 1_700_000_000_000


def test_a_client_over_http_stays_for_half_an_hour_after_its_last_call() -> None:
    now = [0.0]
    visitors = HttpVisitors(HttpSessions(lambda: now[0]), lambda: now[0])
    session = visitors.of("claude", "http-1")
    visitors.of("cursor", None)
    assert sorted(client.name for client in visitors.now) == ["claude", "cursor"]
    now[0] += 20 * 60
    assert visitors.of("claude", "http-1") == session
    now[0] += 20 * 60
    assert [(client.name, client.session) for client in visitors.now] == [("claude", session)]
    now[0] += 20 * 60
    assert visitors.now == ()
