"""Conditions on properties, as people write them in one line: ``status=active``, ``priority>=2``, ``tags has x``."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sidecar.catalog.keys import text_key, value_key
from sidecar.errors import Invalid
from sidecar.model.note import Json

__all__ = ["Condition", "condition_of", "conditions_in", "value_at"]

_MOST = 20
_SIGN = re.compile(r"\s*(>=|<=|!=|==|=|>|<)\s*")
_WORD = re.compile(r"\s+(not\s+in|in|between|has|contains|exists|missing)(?=[\s\[(]|$)\s*", re.IGNORECASE)
_RANGE = re.compile(r"\s*\.\.\s*|\s+and\s+", re.IGNORECASE)
_EXAMPLES = "status=active, priority>=2, tags has x, k in [a, b], k between 1..5, k exists, k missing"


@dataclass(frozen=True, slots=True)
class Condition:
    """A property by name, or by a dotted path into nested ones, and what its value must be."""

    name: str
    sign: str
    """A comparison, or one of the words: has, in, not in, between, exists, missing. What is absent differs from all."""
    values: tuple[Json, ...] = ()

    def holds(self, value: Json) -> bool:
        """Tell whether a value meets it; an absent one is ``None``. A list is equal to each of its items."""
        items = value if isinstance(value, list) else [value]
        match self.sign:
            case "exists" | "missing":
                return (value is not None) == (self.sign == "exists")
            case "=" | "has" | "in":
                return _is_one_of(value, items, self.values)
            case "!=" | "not in":
                return not _is_one_of(value, items, self.values)
            case "between":
                low, high = self.values
                return any(_compares(i, ">=", low) and _compares(i, "<=", high) for i in items)
            case _:
                return any(_compares(item, self.sign, self.values[0]) for item in items)


def conditions_in(value: object) -> list[str]:
    """Return the conditions of a parameter: a list of them, a mapping, JSON of either, or one text with commas.

    Raises:
        ValueError: when it is none of these.

    """
    if isinstance(value, str):
        if value.lstrip().startswith(("[", "{")):
            return conditions_in(json.loads(value))
        return [part.strip() for part in _split(value) if part.strip()]
    if isinstance(value, dict):
        return [f"{name} = {json.dumps(wanted, ensure_ascii=False)}" for name, wanted in value.items()]
    if isinstance(value, list) and all(isinstance(part, str) for part in value):
        return [part for part in value if part.strip()]
    raise ValueError(f"give conditions such as {_EXAMPLES}")


def condition_of(text: str) -> Condition:
    """Read one condition.

    Raises:
        Invalid: with examples, when it cannot be understood.

    """
    sign, word = _SIGN.search(text), _WORD.search(text)
    first = sign if sign and (not word or sign.start() < word.start()) else word
    if first is None:
        return _checked(text, Condition(text.strip(), "exists"))
    kind = " ".join(first[1].lower().split())
    kind = {"==": "=", "contains": "has"}.get(kind, kind)
    condition = Condition(text[: first.start()].strip(), kind, _values(kind, text[first.end() :].strip()))
    if condition.sign == "=" and condition.values == (None,):
        condition = Condition(condition.name, "missing")
    return _checked(text, condition)


def _checked(text: str, condition: Condition) -> Condition:
    count = len(condition.values)
    match condition.sign:
        case "exists" | "missing":
            enough = count == 0
        case "in" | "not in":
            enough = count > 0
        case "between":
            enough = count == 2  # noqa: PLR2004 - the two ends
        case _:
            enough = count == 1
    if not condition.name or not enough:
        raise Invalid(f"The condition '{text}' cannot be understood.", hint=f"Write it like one of: {_EXAMPLES}.")
    return condition


def value_at(properties: Mapping[str, Json], name: str) -> Json:
    """Return a property by its name in any case, or by a dotted path into nested ones; ``None`` when it is not there.

    A name that has a dot itself comes before a path.
    """
    found = {text_key(written): value for written, value in properties.items()}
    key = text_key(name)
    if key in found:
        return found[key]
    head, dot, rest = key.partition(".")
    while dot:
        inner = found.get(head)
        if isinstance(inner, dict):
            return value_at(inner, rest)
        step, dot, rest = rest.partition(".")
        head = f"{head}.{step}"
    return None


def _is_one_of(value: Json, items: Sequence[Json], wanted: Sequence[Json]) -> bool:
    keys = {value_key(value), *map(value_key, items)}
    return any(value_key(one) in keys for one in wanted)


def _compares(value: Json, sign: str, bound: Json) -> bool:
    """Compare numbers with numbers, and texts by their letters, which is right for dates."""
    one, other = _number(value), _number(bound)
    if one is not None and other is not None:
        order = (one > other) - (one < other)
    elif isinstance(value, str) and isinstance(bound, str) and (one is None) == (other is None):
        order = (text_key(value) > text_key(bound)) - (text_key(value) < text_key(bound))
    else:
        return False
    return (order < 0 and sign[0] == "<") or (order > 0 and sign[0] == ">") or (order == 0 and sign.endswith("="))


def _number(value: Json) -> float | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        return float(value)
    except ValueError:
        return None


def _split(text: str) -> list[str]:
    """Split at commas that stand outside of brackets and quotes."""
    parts, depth, quote = [""], 0, ""
    for char in text:
        if char == quote:
            quote = ""
        elif not quote and char in "\"'":
            quote = char
        elif not quote:
            depth += (char in "[({") - (char in "])}")
        if char == "," and depth <= 0 and not quote:
            parts.append("")
        else:
            parts[-1] += char
    # A quote that does not end is a letter like any other.
    return text.split(",") if quote else parts


def _values(sign: str, text: str) -> tuple[Json, ...]:
    """Return the values behind a sign: a list in brackets or two ends where the sign wants them, else one."""
    inner = text[1:-1] if text[:1] + text[-1:] in ("[]", "()") else None
    if sign in ("in", "not in") and text.count("[") != text.count("]"):
        return ()
    if sign in ("in", "not in") or (sign == "between" and inner is not None):
        return tuple(_value(part) for part in _split(text if inner is None else inner) if part.strip())
    if sign == "between":
        return tuple(map(_value, _RANGE.split(text)))
    return (_value(text),) if text or sign in ("=", "!=") else ()


def _value(text: str) -> Json:
    """Return what a value says: quoted it is text, else numbers, true, false and null are what they look like."""
    bare = text.strip()
    if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in "\"'":
        return bare[1:-1]
    if bare.lower() in ("true", "false"):
        return bare.lower() == "true"
    if bare.lower() in ("null", "none", "~"):
        return None
    return bare
