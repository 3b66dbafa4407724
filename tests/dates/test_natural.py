import sys
from datetime import datetime

import pytest

from sidecar.dates.natural import read_moment

NOW = datetime.fromisoformat("2026-11-30T12:00").astimezone()  # a Monday


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("two weeks ago", "2026-11-16T12:00"),
        ("1 hour and 30 minutes ago", "2026-11-30T10:30"),
        ("the day before yesterday", "2026-11-28T12:00"),
        ("march", "2026-03-01T00:00"),
        ("in march", "2026-03-01T00:00"),
        ("january 2024", "2024-01-01T00:00"),
        ("5 march 2024", "2024-03-05T00:00"),
        ("nov 3", "2026-11-03T00:00"),
        ("december", "2025-12-01T00:00"),
        ("tuesday", "2026-11-24T00:00"),
        ("last monday", "2026-11-23T00:00"),
        ("on sun", "2026-11-29T00:00"),
        ("tomorrow", "2026-12-01T12:00"),
        ("in 3 days", "2026-12-03T12:00"),
    ],
)
def test_plain_words_name_a_moment(text: str, moment: str) -> None:
    assert read_moment(text, NOW) == datetime.fromisoformat(moment)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5",
        "185",
        "2024",
        "12/11/2024",
        "10:30",
        "a",
        "-3d",
        "- 5 days",
        "soon",
        "ago",
        "week",
        "x" * 61,
        "12 monkeys",
    ],
)
def test_what_has_no_meaning_or_several_is_not_read(text: str) -> None:
    assert read_moment(text, NOW) is None


def test_dateparser_is_loaded_only_when_it_is_needed() -> None:
    sys.modules.pop("dateparser", None)
    assert read_moment("friday", NOW) == datetime.fromisoformat("2026-11-27T00:00")
    assert "dateparser" not in sys.modules
