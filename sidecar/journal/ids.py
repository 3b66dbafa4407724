"""Ids of changes: twelve characters that sort by time."""

import secrets

__all__ = ["next_id"]

_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"
_LENGTH = 12
_RANDOM_BITS = 18


def next_id(now_ns: int, last: str | None) -> str:
    """Return an id that sorts behind ``last``, even when the clock went back: 42 bits of milliseconds, 18 of chance."""
    number = (now_ns // 1_000_000 << _RANDOM_BITS) | secrets.randbits(_RANDOM_BITS)
    if last is not None:
        number = max(number, _number(last) + 1)
    return "".join(_DIGITS[number >> 5 * place & 31] for place in reversed(range(_LENGTH)))


def _number(identifier: str) -> int:
    number = 0
    for digit in identifier:
        number = number * len(_DIGITS) + _DIGITS.index(digit)
    return number
