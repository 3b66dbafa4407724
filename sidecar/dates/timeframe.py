"""Points in time as agents write them: ``2026-11-30``, ``2026-11-30T08:15``, ``90m``, ``24h``, ``7d``, ``2w``."""

import re
from datetime import UTC, datetime

from sidecar.errors import Invalid

__all__ = ["since"]

_SPAN = re.compile(r"(\d{1,5})\s*([mhdw])")
_SECONDS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}


def since(text: str, now_ns: int) -> int:
    """Return the moment ``text`` names, in nanoseconds since the epoch; a time without zone is local time.

    Raises:
        Invalid: when it is no date, no time and no span.

    """
    span = _SPAN.fullmatch(text.strip().lower())
    if span:
        return now_ns - int(span[1]) * _SECONDS[span[2]] * 1_000_000_000
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise Invalid(
            f"'{text}' is not a time.", hint="Write a date such as 2026-11-30, or a span such as 24h, 7d or 2w."
        ) from None
    return int(moment.astimezone(UTC).timestamp() * 1_000_000_000)
