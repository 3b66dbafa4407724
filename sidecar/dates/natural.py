"""Moments in plain English, for what our own grammar of timeframes cannot read; dateparser's one door."""

import re
from datetime import datetime, timedelta

__all__ = ["read_moment"]

_LONGEST = 60
_WORD = re.compile(r"[a-z]{3}")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_WEEKDAY = re.compile(r"(?:on\s+|last\s+|this\s+)?([a-z]{3,9})")


def read_moment(text: str, now: datetime) -> datetime | None:
    """Return the moment that lower-cased words name, before or after ``now``; ``None`` when they name none.

    A month without a day is its first day, a weekday the last one that is over. What has no word in it, such as
    ``12/11/2024``, has more than one meaning and is not read.
    """
    if len(text) > _LONGEST or not _WORD.search(text) or text[0] in "+-":
        return None
    weekday = _WEEKDAY.fullmatch(text)
    if weekday:
        for number, name in enumerate(_WEEKDAYS):
            if weekday[1] in (name, name[:3]):
                days = (now.weekday() - number) % 7 or 7
                return now.replace(tzinfo=None, hour=0, minute=0, second=0, microsecond=0) - timedelta(days=days)
    return _parsed(text, now)


def _parsed(text: str, now: datetime) -> datetime | None:
    import dateparser  # type: ignore[import-untyped]  # noqa: PLC0415 - a tenth of a second that few calls need

    settings = {
        "PREFER_DATES_FROM": "past",
        "PREFER_DAY_OF_MONTH": "first",
        "RELATIVE_BASE": now.replace(tzinfo=None),
        "PARSERS": ["relative-time", "absolute-time"],
        "REQUIRE_PARTS": ["month"],
    }
    try:
        found = dateparser.parse(text, languages=["en"], settings=settings)
    except (ValueError, OverflowError):
        return None
    return found if isinstance(found, datetime) else None
