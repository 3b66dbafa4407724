from sidecar.daemon.sessions import HttpSessions


def test_an_http_session_is_one_session_and_its_id_stays_secret() -> None:
    sessions = HttpSessions()
    assert sessions.of("a", "secret-id") == sessions.of("b", "secret-id") != sessions.of("a", "other-id")
    assert "secret" not in sessions.of("a", "secret-id")


def test_without_one_a_client_is_known_by_its_name_until_it_is_silent_for_long() -> None:
    now = [0.0]
    sessions = HttpSessions(lambda: now[0])
    first = sessions.of("a", None)
    assert sessions.of("b", None) != first
    for moment in (1700.0, 3400.0, 5100.0):
        now[0] = moment
        assert sessions.of("a", None) == first
    now[0] += 1801
    assert sessions.of("a", None) != first
