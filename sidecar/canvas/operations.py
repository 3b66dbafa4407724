"""The operations of an edit as an agent sends them: which fields each has, and what is wrong with a list of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from sidecar.canvas.defaults import PAYLOAD
from sidecar.canvas.layout.geometry import GEOMETRY
from sidecar.model.note import Json

__all__ = ["Operation", "operations_of"]

_CARD_FIELDS: Final = ("type", "near", "color", "subpath", "label", *PAYLOAD.values(), *GEOMETRY)
_FIELDS: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = MappingProxyType(
    {
        "add": ((), ("id", *_CARD_FIELDS)),
        "update": (("card",), _CARD_FIELDS),
        "remove": (("card",), ()),
        "connect": (("from", "to"), ("label", "color")),
        "disconnect": (("from", "to"), ("label", "color")),
        "group": (("cards",), ("id", "label", "color")),
        "ungroup": (("card",), ()),
    }
)
"""For each operation the fields it needs and those it may have."""
_ALSO_CALLED: Final = {"fromNode": "from", "toNode": "to", "node": "card"}
_LISTS: Final = ("cards", "near")


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation; its fields have the right names and kinds, but need not fit the canvas."""

    number: int
    """Counted from 1."""
    op: str
    fields: Mapping[str, Json]

    def text(self, key: str) -> str:
        """Return a field as text, ``""`` when it is not given."""
        value = self.fields.get(key)
        return value if isinstance(value, str) else ""

    def names(self, key: str) -> list[str]:
        """Return the cards that a field names."""
        value = self.fields.get(key)
        return [str(name) for name in value] if isinstance(value, list) else []

    def __str__(self) -> str:
        """Return how messages call it."""
        return f"Operation {self.number} ({self.op})"


def operations_of(given: Sequence[Json]) -> tuple[list[Operation], list[str]]:
    """Read a list of operations; return those that can be tried, and what is wrong with the others, each a sentence."""
    good, faults = [], []
    for number, value in enumerate(given, 1):
        if not isinstance(value, dict):
            faults.append(f"Operation {number} is not an object.")
            continue
        op = value.get("op")
        if not isinstance(op, str) or op not in _FIELDS:
            has = "has no 'op'" if op is None else f"has the op {op!r}"
            faults.append(f"Operation {number} {has}; use one of {', '.join(_FIELDS)}.")
            continue
        operation = Operation(number, op, _renamed(value, op))
        wrong = _faults(operation)
        faults += [f"{operation}: {fault}." for fault in wrong]
        if not wrong:
            good.append(operation)
    return good, faults


def _renamed(value: Mapping[str, Json], op: str) -> dict[str, Json]:
    needed, may = _FIELDS[op]
    fields = {}
    for key, content in value.items():
        name = key if key in needed or key in may else _ALSO_CALLED.get(key, key)
        if name == "id" and "card" in needed:
            name = "card"
        fields[name] = _plain(name, content)
    return {key: content for key, content in fields.items() if key != "op"}


def _plain(name: str, content: Json) -> Json:
    """Let one card stand for a list of one, and a number for the text of an id."""
    if name in _LISTS:
        held = content if isinstance(content, list) else [] if content is None else [content]
        return [_plain("card", one) for one in held]
    is_count = isinstance(content, int) and not isinstance(content, bool)
    return str(content) if is_count and name in ("card", "from", "to", "id") else content


def _faults(operation: Operation) -> list[str]:
    needed, may = _FIELDS[operation.op]
    faults = [f"needs '{key}'" for key in needed if operation.fields.get(key) in (None, "", [])]
    for key, value in operation.fields.items():
        if key not in (*needed, *may):
            faults.append(f"has no field '{key}'; it takes {', '.join((*needed, *may)) or 'none'}")
        elif value is None:
            continue
        elif key in _LISTS:
            faults += [f"'{key}' holds {name!r}, which names no card" for name in _items(value) if not _is_name(name)]
        elif key in GEOMETRY:
            if isinstance(value, bool) or not isinstance(value, int | float):
                faults.append(f"{key} {value!r} is not a number")
        elif not isinstance(value, str):
            faults.append(f"{key} {value!r} is not text")
    return faults


def _items(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _is_name(value: Json) -> bool:
    return isinstance(value, str) and value != ""
