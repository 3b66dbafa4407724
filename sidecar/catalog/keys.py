"""The forms in which the catalog compares titles, tags, property names and property values."""

import hashlib
import json
import re
import unicodedata

from sidecar.model.note import Json

__all__ = ["text_key", "value_key"]

_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d{1,3})?", re.ASCII)
_LONGEST_NUMBER = 40
_LONGEST_KEY = 200
"""Longer texts are compared by their digest, which keeps the database's index small."""


def text_key(text: str) -> str:
    """Return the form in which names and texts compare: NFC, lower-cased (R14)."""
    if text.isascii():
        return text.lower()
    # JSON can hold half a surrogate pair; SQLite cannot.
    return unicodedata.normalize("NFC", text).lower().encode("utf-8", "replace").decode()


def value_key(value: Json) -> str:
    """Return a text that is equal for equal property values.

    Scalars compare by what they say, since who asks cannot see the type: 5, 5.0 and "5" are equal, so are true and
    "True". Lists and mappings equal only their like.
    """
    if isinstance(value, list):
        return f"[{_short(json.dumps([value_key(item) for item in value]))}"
    if isinstance(value, dict):
        return f"{{{_short(json.dumps(sorted((text_key(name), value_key(item)) for name, item in value.items())))}"
    return "null" if value is None else f"={_short(_scalar(value))}"


def _scalar(value: str | float) -> str:
    if isinstance(value, str):
        if len(value) > _LONGEST_NUMBER or not _NUMBER.fullmatch(value):
            return text_key(value)
        value = float(value) if set(value) & set(".eE") else int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).lower()


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_KEY else f"#{hashlib.sha256(text.encode()).hexdigest()}"
