"""Text of a vault on a terminal."""

import re

__all__ = ["printable"]

_OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters but for the end of a line and the tab, and those that turn the direction of writing."""


def printable(text: str) -> str:
    """Return a text without the characters that a terminal would obey instead of showing them."""
    return _OBEYED.sub("", text)
