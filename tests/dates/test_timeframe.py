import contextlib
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.dates.timeframe import since
from sidecar.errors import Invalid

SECOND = 1_000_000_000


def at(*parts: int) -> int:
    return int(datetime(*parts).astimezone().timestamp()) * SECOND  # type: ignore[arg-type]


NOW = at(2026, 11, 25, 12)  # a Wednesday


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90m", 5400),
        ("24h", 86_400),
        ("24 hours", 86_400),
        ("7d", 604_800),
        ("2w", 1_209_600),
        (" 1 D ", 86_400),
        ("2 days ago", 172_800),
        ("last week", 604_800),
        ("1 week", 604_800),
        ("an hour ago", 3600),
        ("the past 3 months", 7_889_238),
        ("in the last 3 months", 7_889_238),
        ("since 2 days ago", 172_800),
        ("3 months ago", 7_889_238),
        ("3mo", 7_889_238),
        ("1 year", 31_556_952),
        ("30 min", 1800),
    ],
)
def test_spans_count_back_from_now(text: str, seconds: int) -> None:
    assert since(text, NOW) == NOW - seconds * SECOND


@given(st.integers(0, 99_999), st.sampled_from([("m", 60), ("h", 3600), ("d", 86_400), ("w", 604_800)]))
def test_a_span_is_exactly_as_long_as_it_says(count: int, unit: tuple[str, int]) -> None:
    assert since(f"{count}{unit[0]}", NOW) == NOW - count * unit[1] * SECOND


def test_dates_are_local_and_zones_are_respected() -> None:
    assert since("2026-11-20T08:15+01:00", NOW) == int(datetime(2026, 11, 20, 7, 15, tzinfo=UTC).timestamp()) * SECOND
    assert since("2026-11-20t08:15:00z", NOW) == int(datetime(2026, 11, 20, 8, 15, tzinfo=UTC).timestamp()) * SECOND
    assert since("2026-11-20", NOW) == at(2026, 11, 20)
    assert since("20261120", NOW) == at(2026, 11, 20)
    assert since("2024-03", NOW) == at(2024, 3, 1)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("today", at(2026, 11, 25)),
        ("Yesterday", at(2026, 11, 24)),
        ("since yesterday", at(2026, 11, 24)),
        ("this week", at(2026, 11, 23)),
        ("this month", at(2026, 11, 1)),
        ("this year", at(2026, 1, 1)),
        ("last Tuesday", at(2026, 11, 24)),
        ("wednesday", at(2026, 11, 18)),
        ("March", at(2026, 3, 1)),
        ("since January 2024", at(2024, 1, 1)),
        ("two weeks ago", NOW - 14 * 86_400 * SECOND),
    ],
)
def test_days_weeks_and_months_have_a_beginning(text: str, moment: int) -> None:
    assert since(text, NOW) == moment


@pytest.mark.parametrize(
    "text",
    [
        "", "soon", "5", "7", "185", "2024", "d7", "2026-13-01", "-3d", "+3d", "week", "ago", "12/11/2024", "10:30",
        "not a date", "0001-01-01", "x" * 500,
    ],
)  # fmt: skip
def test_what_is_no_time_is_invalid(text: str) -> None:
    with pytest.raises(Invalid) as error:
        since(text, NOW)
    assert "7d" in str(error.value.hint)


@pytest.mark.parametrize(
    "text", ["tomorrow", "in 3 days", "next week", "2026-11-26", "2030-01-01T00:00Z", "9999-12-31"]
)
def test_what_lies_ahead_is_invalid(text: str) -> None:
    with pytest.raises(Invalid, match="future"):
        since(text, NOW)


@given(st.text(max_size=30))
def test_any_text_is_a_moment_of_the_past_or_invalid(text: str) -> None:
    with contextlib.suppress(Invalid):
        assert since(text, NOW) <= NOW
