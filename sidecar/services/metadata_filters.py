"""Conditions on properties as a mapping: ``{"status": "active", "priority": {"$gte": 2}, "due": null}``."""

import re
from collections.abc import Callable, Iterator, Mapping

from sidecar.errors import Invalid
from sidecar.model.note import FileKind, Json, kind_of
from sidecar.model.path import VaultPath
from sidecar.model.search import PropertyIs, TagIs
from sidecar.services.meta_conditions import Condition, value_at
from sidecar.services.views import View

__all__ = ["conditions_of", "notes_meeting"]

_SIGNS = {"eq": "=", "ne": "!=", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
_OPERATORS = (*_SIGNS, "in", "nin", "between", "contains", "exists")
_TAGS = frozenset({"tag", "tags"})
_IS = frozenset({"=", "!=", "has", "in", "not in"})
_ENDS = 2
_KEY = re.compile(r"[^.\s](?:[^.]*[^.\s])?(?:\.[^.\s](?:[^.]*[^.\s])?)*")


def conditions_of(filters: Mapping[str, Json]) -> tuple[Condition, ...]:
    """Read the filters; all have to hold.

    A value stands for itself, a list for all of its items, ``null`` for a property that is not there or empty.
    Operators may be written with or without ``$``; several in one mapping have to hold together. Dots lead into nested
    properties.

    Raises:
        Invalid: naming the operator or key, and what there is.

    """
    return tuple(condition for key, wanted in filters.items() for condition in _conditions(key, wanted))


def _conditions(key: str, wanted: Json) -> Iterator[Condition]:
    if not _KEY.fullmatch(key):
        raise Invalid(
            f"metadata_filters: '{key}' is no name of a property.", hint="Nested properties are written outer.inner."
        )
    match wanted:
        case None:
            yield Condition(key, "missing")
        case list():
            yield from (Condition(key, "has", (item,)) for item in _listed(key, "", wanted))
        case dict():
            if not wanted:
                raise Invalid(f"metadata_filters: there is no operator for '{key}'.", hint=_hint(key))
            for operator, operand in wanted.items():
                yield from _operated(key, operator, operand)
        case _:
            yield Condition(key, "=", (wanted,))


def _operated(key: str, operator: str, operand: Json) -> Iterator[Condition]:
    name = operator.removeprefix("$").lower()
    match name:
        case "in" | "nin":
            yield Condition(key, "in" if name == "in" else "not in", _listed(key, operator, operand))
        case "between":
            ends = _listed(key, operator, operand)
            if len(ends) != _ENDS:
                raise Invalid(f"metadata_filters: {operator} of '{key}' takes a list of two values, low and high.")
            yield Condition(key, "between", tuple(_bound(key, operator, end) for end in ends))
        case "contains":
            items = _listed(key, operator, operand) if isinstance(operand, list) else (operand,)
            yield from (Condition(key, "has", (item,)) for item in items)
        case "exists":
            if not isinstance(operand, bool):
                raise Invalid(f"metadata_filters: {operator} of '{key}' takes true or false.")
            yield Condition(key, "exists" if operand else "missing")
        case "eq" | "ne" if operand is None:
            yield Condition(key, "missing" if name == "eq" else "exists")
        case "eq" | "ne":
            yield Condition(key, _SIGNS[name], (operand,))
        case "gt" | "gte" | "lt" | "lte":
            yield Condition(key, _SIGNS[name], (_bound(key, operator, operand),))
        case _:
            raise Invalid(
                f"metadata_filters: there is no operator '{operator}' (for '{key}').",
                hint=_hint(key),
                candidates=[f"${known}" for known in _OPERATORS],
            )


def _hint(key: str) -> str:
    return f'The operators are listed; a nested property is written {{"{key}.inner": value}}.'


def _listed(key: str, operator: str, operand: Json) -> tuple[Json, ...]:
    if not isinstance(operand, list) or not operand:
        raise Invalid(f"metadata_filters: {operator or 'the list'} of '{key}' takes a list that is not empty.")
    return tuple(operand)


def _bound(key: str, operator: str, operand: Json) -> Json:
    if isinstance(operand, bool) or not isinstance(operand, str | int | float):
        raise Invalid(f"metadata_filters: {operator} of '{key}' compares with a number or a text.")
    return operand


def notes_meeting(view: View, condition: Condition) -> frozenset[VaultPath]:
    """Return the visible notes that meet a condition.

    Tags in the text are tags too, and a tag has those nested below it; a note that does not say what it is, is a note.
    """
    name, sign = condition.name.lower(), condition.sign
    if sign in _IS and "." not in name:
        leaf = (
            (lambda value: TagIs(str(value).lstrip("#"))) if name in _TAGS else (lambda value: PropertyIs(name, value))
        )
        found = frozenset[VaultPath]().union(*(view.matching(leaf(value)) for value in condition.values))
        return _notes(view, lambda path: path not in found) if sign in ("!=", "not in") else found
    values = _values(view, condition.name)
    if condition.holds(None):
        return _notes(view, lambda path: condition.holds(values.get(path)))
    return frozenset(path for path, value in values.items() if condition.holds(value))


def _notes(view: View, holds: Callable[[VaultPath], bool]) -> frozenset[VaultPath]:
    return frozenset(path for path, _ in view.files() if kind_of(path) is FileKind.NOTE and holds(path))


def _values(view: View, name: str) -> Mapping[VaultPath, Json]:
    """Return the value of a property in each note that has it; a name that has a dot itself comes before a path."""
    found: dict[VaultPath, Json] = {}
    segments = name.split(".")
    for end in range(len(segments), 0, -1):
        top = ".".join(segments[:end])
        for path, value in view.property_values(top):
            found.setdefault(path, value_at({top: value}, name))
    return found
