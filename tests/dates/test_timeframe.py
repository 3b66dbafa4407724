from datetime import UTC, datetime

import pytest

from sidecar.dates.timeframe import since
from sidecar.errors import Invalid

NOW = 1_000_000 * 1_000_000_000
SECOND = 1_000_000_000


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90m", 5400),
        ("24h", 86_400),
        ("7d", 604_800),
        ("2w", 1_209_600),
        (" 1 D ", 86_400),
        ("2 days ago", 172_800),
        ("last week", 604_800),
        ("an hour ago", 3600),
        ("the past 3 months", 7_889_238),
        ("1 year", 31_556_952),
        ("30 min", 1800),
    ],
)
def test_spans_count_back_from_now(text: str, seconds: int) -> None:
    assert since(text, NOW) == NOW - seconds * SECOND


def test_dates_are_local_and_zones_are_respected() -> None:
    assert since("2026-11-30T08:15+01:00", NOW) == int(datetime(2026, 11, 30, 7, 15, tzinfo=UTC).timestamp()) * SECOND
    assert since("2026-11-30", NOW) == int(datetime(2026, 11, 30).astimezone().timestamp()) * SECOND


@pytest.mark.parametrize("text", ["", "soon", "7", "d7", "2026-13-01", "-3d", "week", "ago", "last tuesday"])
def test_what_is_no_time_is_invalid(text: str) -> None:
    with pytest.raises(Invalid):
        since(text, NOW)


def test_days_begin_at_midnight() -> None:
    noon = int(datetime(2026, 11, 30, 12).astimezone().timestamp()) * SECOND
    midnight = noon - 12 * 3600 * SECOND
    assert since("today", noon) == midnight
    assert since("Yesterday", noon) == int(datetime(2026, 11, 29).astimezone().timestamp()) * SECOND
