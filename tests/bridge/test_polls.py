"""Who is there."""

from sidecar.bridge.polls import Polls


def test_a_client_is_present_while_it_polls_and_two_seconds_longer() -> None:
    now = [100.0]
    polls = Polls(lambda: now[0])
    assert (polls.newest, polls.is_present("a"), polls.seconds_away("a")) == (None, False, float("inf"))
    with polls.open("a"):
        now[0] += 60
        assert polls.is_present("a")
        assert polls.seconds_away("a") == 0
    now[0] += 1.9
    assert polls.newest == "a"
    now[0] += 0.2
    assert [name for name in ("a", polls.newest) if name and polls.is_present(name)] == []
    assert round(polls.seconds_away("a"), 3) == 2.1


def test_the_client_that_came_last_is_the_newest_however_often_the_other_polls() -> None:
    now = [100.0]
    polls = Polls(lambda: now[0])
    with polls.open("old"):
        now[0] += 1
        with polls.open("new"):
            assert polls.newest == "new"
    now[0] += 1
    with polls.open("old"):
        assert polls.newest == "new", "it stayed; it did not come again"
        now[0] += 5
        assert polls.newest == "old"
    now[0] += 5
    with polls.open("new"), polls.open("new"):
        assert polls.newest == "new"


def test_clients_that_left_are_not_remembered_for_ever() -> None:
    now = [100.0]
    polls = Polls(lambda: now[0])
    for number in range(300):
        with polls.open(str(number)):
            now[0] += 5
    assert sum(polls.seconds_away(str(n)) < float("inf") for n in range(300)) <= 101
