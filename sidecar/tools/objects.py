"""Arguments that are JSON objects, which some clients send as text."""

import json
from typing import Annotated, Any

from pydantic import BeforeValidator

__all__ = ["JsonObject", "as_object"]


def as_object(value: object) -> object:
    """Accept ``'{"a": 1}'`` where an object is asked for; an empty text is none."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value) if value.strip() else None
    except ValueError:
        return value


JsonObject = Annotated[dict[str, Any] | None, BeforeValidator(as_object)]
"""A JSON object, also given as text, or none."""
