"""Arguments that are JSON objects, which some clients send as text."""

import json
from typing import Annotated, Any

from pydantic import BeforeValidator

__all__ = ["JsonObject", "JsonObjects", "Section", "as_object"]


def as_object(value: object) -> object:
    """Accept ``'{"a": 1}'`` where an object is asked for; an empty text is none."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value) if value.strip() else None
    except ValueError:
        return value


def _as_heading_path(value: object) -> object:
    """Accept ``["A", "B"]``, as a list or as text, for the heading B below A."""
    if isinstance(value, str) and value.lstrip().startswith('["'):
        try:
            value = json.loads(value)
        except ValueError:
            return value
    if isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        return " › ".join(value)
    return value


Section = Annotated[str | None, BeforeValidator(_as_heading_path)]
"""A section's name, its path also given as a list of headings."""
JsonObjects = Annotated[list[dict[str, Any]], BeforeValidator(as_object)]
"""JSON objects in a list, also given as text."""
JsonObject = Annotated[dict[str, Any] | None, BeforeValidator(as_object)]
"""A JSON object, also given as text, or none."""
