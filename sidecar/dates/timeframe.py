"""Points in time as agents write them: ``2026-11-30``, ``24h``, ``yesterday``, ``3 weeks ago``, ``last month``."""

import re
from datetime import UTC, datetime, timedelta

from sidecar.errors import Invalid

__all__ = ["since"]

_NANO = 1_000_000_000
_SPAN = re.compile(
    r"(?P<count>\d{1,5}|an?|one)?\s*"
    r"(?P<unit>m|min|minutes?|h|hours?|d|days?|w|weeks?|months?|y|years?)(?:\s+ago)?"
)
_LAST = re.compile(r"(?:the\s+)?(?:last|past|previous|this)\s+(.+)")
_SECONDS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800, "mo": 2_629_746, "y": 31_556_952}


def since(text: str, now_ns: int) -> int:
    """Return the moment ``text`` names, in nanoseconds since the epoch; days and times without zone are local.

    ``today`` and ``yesterday`` begin at midnight; ``last week`` and ``7d`` are spans back from now.

    Raises:
        Invalid: when it is no date, no time and no span.

    """
    said = " ".join(text.lower().split())
    day = {"today": 0, "yesterday": 1}.get(said)
    if day is not None:
        now = datetime.fromtimestamp(now_ns / _NANO).astimezone()
        return _ns(now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=day))
    last = _LAST.fullmatch(said)
    span = _SPAN.fullmatch(last[1] if last else said)
    if span and (last or span["count"]):
        count = int(span["count"]) if (span["count"] or "").isdigit() else 1
        return now_ns - count * _seconds(span["unit"]) * _NANO
    try:
        return _ns(datetime.fromisoformat(text.strip()))
    except ValueError:
        raise Invalid(
            f"'{text}' is not a time.", hint="Write a date such as 2026-11-30, or a span such as 7d or 2 weeks ago."
        ) from None


def _seconds(unit: str) -> int:
    return _SECONDS["mo" if unit.startswith("mo") else unit[0]]


def _ns(moment: datetime) -> int:
    return int(moment.astimezone(UTC).timestamp()) * _NANO
