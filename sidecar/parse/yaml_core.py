"""The words and numbers of YAML 1.2's core schema, read and written (contract Y2, Y5)."""

import math
import re
from collections.abc import Mapping

from sidecar.model.note import Json

__all__ = ["flow_text", "number_text", "resolve_plain"]

_WORDS: Mapping[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_NUMBER = re.compile(
    r"(?P<int>[-+]?[0-9]+)|0o(?P<oct>[0-7]+)|0x(?P<hex>[0-9a-fA-F]+)"
    r"|(?P<float>[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)"
)
_NUMBER_STARTS = frozenset("0123456789+-.")
# Longer ones exceed what a JSON reader takes for a finite number; as text nothing of them is lost.
_MAX_DIGITS = 250


def resolve_plain(text: str) -> bool | float | str | None:
    """Return the value of an unquoted scalar; text that is no other thing stays itself (contract Y2)."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_STARTS or len(text) > _MAX_DIGITS:
        return text
    match = _NUMBER.fullmatch(text)
    return _number(match) if match else text


def _number(match: re.Match[str]) -> float | str:
    if match["int"]:
        return int(match["int"])
    if match["oct"]:
        return int(match["oct"], 8)
    if match["hex"]:
        return int(match["hex"], 16)
    number = float(match["float"])
    return number if math.isfinite(number) else match["float"]


def number_text(value: float) -> str:
    """Write a number as JavaScript would: no ``.0`` on whole numbers (contract Y5)."""
    if isinstance(value, int):
        return str(value)
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    if value.is_integer() and abs(value) < 1e21:  # noqa: PLR2004 - from here on JavaScript writes exponents
        return str(int(value))
    mantissa, exponent, power = repr(value).partition("e")
    return f"{mantissa}e{int(power):+d}" if exponent else mantissa


def flow_text(value: Json) -> str:
    """Write a key that is no text as the text it becomes: ``1``, ``true``, ``{ date }`` (contract Y2, A14)."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case int() | float():
            return number_text(value)
        case str():
            return value
        case list():
            inner = ", ".join(flow_text(item) or "null" for item in value)
            return f"[ {inner} ]" if value else "[]"
        case dict():
            pairs = (k if v is None else f"{k}: {flow_text(v)}" for k, v in value.items())
            return f"{{ {', '.join(pairs)} }}" if value else "{}"
