"""Points in time as agents write them: ``2026-11-30``, ``24h``, ``yesterday``, ``3 weeks ago``, ``last month``."""

import re
from datetime import datetime, timedelta

from sidecar.dates.natural import read_moment
from sidecar.errors import Invalid

__all__ = ["since"]

_NANO = 1_000_000_000
_FILLER = re.compile(r"(?:since|from|after)\s+|(?:in|within|during|over|for)\s+(?=(?:the\s+)?(?:last|past)\b)")
_SPAN = re.compile(
    r"(?P<count>\d{1,5}|an?|one)?\s*"
    r"(?P<unit>m|min|minutes?|h|hrs?|hours?|d|days?|w|weeks?|mo|months?|y|years?)(?:\s+ago)?"
)
_LAST = re.compile(r"(?:the\s+)?(?:last|past|previous)\s+(.+)")
_SECONDS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800, "mo": 2_629_746, "y": 31_556_952}
_YEAR_AND_MONTH = re.compile(r"\d{4}-\d\d", re.ASCII)
_HINT = "Write a date such as 2026-11-30, a span such as 24h, 7d or 3 months ago, or yesterday, last week, in March."


def since(text: str, now_ns: int) -> int:
    """Return the moment ``text`` names, in nanoseconds since the epoch; days and times without zone are local.

    ``today`` and ``yesterday`` begin at midnight, ``this week`` on Monday, ``this month`` and ``this year`` on their
    first day; ``last week`` and ``7d`` are spans back from now. A bare number names nothing.

    Raises:
        Invalid: when it is no date, no time and no span, or lies in the future.

    """
    now = datetime.fromtimestamp(now_ns // _NANO).astimezone()
    said = " ".join(text.lower().split())
    said = said[filler.end() :] if (filler := _FILLER.match(said)) else said
    span = _seconds_back(said)
    if span is not None:
        return now_ns - span * _NANO
    moment = _beginning(said, now) or _iso(said) or read_moment(said, now)
    if moment is None:
        raise Invalid(f"'{text}' is not a time.", hint=_HINT)
    try:
        found = int(moment.astimezone().timestamp()) * _NANO
    except (ValueError, OverflowError, OSError):
        # Whether the last days of the year 9999 can be counted differs between versions of Python.
        side = "lies in the future" if moment.year > now.year else "is too long ago"
        raise Invalid(f"'{text}' {side}.", hint=_HINT) from None
    if found > now_ns:
        raise Invalid(f"'{text}' lies in the future.", hint=_HINT)
    return found


def _seconds_back(said: str) -> int | None:
    last = _LAST.fullmatch(said)
    span = _SPAN.fullmatch(last[1] if last else said)
    if span is None or not (last or span["count"]):
        return None
    count = int(span["count"]) if (span["count"] or "").isdigit() else 1
    return count * _SECONDS["mo" if span["unit"].startswith("mo") else span["unit"][0]]


def _beginning(said: str, now: datetime) -> datetime | None:
    """Return the beginning of the day, week, month or year that is meant, by the wall clock there was then."""
    today = now.replace(tzinfo=None, hour=0, minute=0, second=0, microsecond=0)
    match said:
        case "today":
            return today
        case "yesterday":
            return today - timedelta(days=1)
        case "this week":
            return today - timedelta(days=today.weekday())
        case "this month":
            return today.replace(day=1)
        case "this year":
            return today.replace(month=1, day=1)
        case _:
            return None


def _iso(said: str) -> datetime | None:
    if _YEAR_AND_MONTH.fullmatch(said):
        said = f"{said}-01"
    try:
        return datetime.fromisoformat(said.upper())
    except ValueError:
        return None
