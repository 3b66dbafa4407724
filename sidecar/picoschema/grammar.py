"""A schema's fields, read from and written to the plain values that YAML holds.

A field is ``name[?][(array|enum|object[, description])]`` with ``type[, description]``, a list of allowed values, or a
mapping of fields.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import TypeAlias

from sidecar.model.note import Json
from sidecar.picoschema.names import name_key

__all__ = [
    "Choice",
    "Field",
    "FieldType",
    "Group",
    "LinkTo",
    "Scalar",
    "Schema",
    "SchemaProblem",
    "is_name",
    "parse",
    "text_of",
]

_KEY = re.compile(r"(?P<name>[^?()]+)(?P<optional>\?)?(?:\((?P<form>[^,()]*)(?:,(?P<about>.*))?\))?", re.DOTALL)
_FORMS = ("array", "enum", "object")
_WORDED_LIST = re.compile(r"\[(?P<values>[^\[\]]*)\](?:,(?P<about>.*))?", re.DOTALL)


class SchemaProblem(Exception):  # noqa: N818 - a finding with its place; callers word the error
    """The schema cannot be read; ``field`` is the dotted path of the faulty field, as written."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.field = field


class Scalar(StrEnum):
    """Types of single values."""

    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    ANY = "any"


@dataclass(frozen=True, slots=True)
class LinkTo:
    """A link to a note of this type; written with a capital."""

    note_type: str


@dataclass(frozen=True, slots=True)
class Choice:
    """One of these values, as text."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """A mapping with fields of its own."""

    fields: tuple["Field", ...]


FieldType: TypeAlias = Scalar | LinkTo | Choice | Group


@dataclass(frozen=True, slots=True)
class Field:
    """One field; with ``many`` it may have any number of values."""

    name: str
    type: FieldType
    required: bool = True
    many: bool = False
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Schema:
    """The fields that notes of one type have."""

    fields: tuple[Field, ...] = ()

    def written(self) -> dict[str, Json]:
        """Return the plain values that :func:`parse` reads the same schema from."""
        return dict(map(_written, self.fields))


def parse(value: Json) -> Schema:
    """Read a schema.

    Raises:
        SchemaProblem: naming the field that cannot be read.

    """
    if not isinstance(value, dict):
        raise SchemaProblem("a schema is a list of 'name: type' lines")
    return Schema(_fields(value, ""))


def is_name(text: str) -> bool:
    """Tell whether a field can have this name: the grammar's own marks cannot stand in it."""
    found = _KEY.fullmatch(text)
    return bool(found and found["name"] == text and text.strip() == text and name_key(text))


def text_of(value: Json) -> str:
    """Return a single value as the text by which choices compare."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def _fields(values: Mapping[str, Json], above: str) -> tuple[Field, ...]:
    fields: list[Field] = []
    names: set[str] = set()
    for key, value in values.items():
        place = f"{above}{key}"
        field = _field(key, value, place)
        if name_key(field.name) in names:
            raise SchemaProblem(f"there are two fields '{field.name}'", place)
        names.add(name_key(field.name))
        fields.append(field)
    return tuple(fields)


def _field(key: str, value: Json, place: str) -> Field:
    found = _KEY.fullmatch(key)
    if not found or not name_key(found["name"]):
        raise SchemaProblem("a field is written name, name? or name(array)", place)
    form = (found["form"] or "").strip()
    if found["form"] is not None and form not in _FORMS:
        raise SchemaProblem(f"'({form})' is none of (array), (enum) and (object)", place)
    kind, about = _type(value, place)
    if form == "enum" and not isinstance(kind, Choice):
        raise SchemaProblem("(enum) needs a list of values, such as [open, done]", place)
    if form == "object" and not isinstance(kind, Group):
        raise SchemaProblem("(object) needs fields of its own below it", place)
    description = about or _one_line(found["about"])
    return Field(found["name"].strip(), kind, not found["optional"], form == "array", description)


def _type(value: Json, place: str) -> tuple[FieldType, str | None]:
    if isinstance(value, dict):
        return Group(_fields(value, f"{place}.")), None
    if isinstance(value, list):
        return _choice(value, place), None
    if not isinstance(value, str):
        raise SchemaProblem(f"'{text_of(value) if value is not None else ''}' is no type", place)
    if listed := _WORDED_LIST.fullmatch(value.strip()):
        return _choice([v.strip().strip("\"'") for v in listed["values"].split(",")], place), _one_line(listed["about"])
    word, _, about = value.partition(",")
    return _named_type(word.strip(), place), _one_line(about)


def _named_type(word: str, place: str) -> Scalar | LinkTo:
    if word[:1].isupper():
        return LinkTo(word)
    try:
        return Scalar(word)
    except ValueError:
        near = get_close_matches(word, list(Scalar), 1)
        meant = f"; is '{near[0]}' meant?" if near else ""
        types = ", ".join(Scalar)
        raise SchemaProblem(
            f"'{word}' is no type{meant} (types: {types}, a list of values, or a note type with a capital)", place
        ) from None


def _choice(values: list[Json], place: str) -> Choice:
    if any(item is None or isinstance(item, list | dict) for item in values):
        raise SchemaProblem("the values to choose from must be single texts or numbers", place)
    texts = tuple(dict.fromkeys(filter(None, map(text_of, values))))
    if not texts:
        raise SchemaProblem("there are no values to choose from", place)
    return Choice(texts)


def _one_line(text: str | None) -> str | None:
    return " ".join(text.split()) or None if text else None


def _written(field: Field) -> tuple[str, Json]:
    name = field.name if field.required else f"{field.name}?"
    form = "array" if field.many else {Choice: "enum", Group: "object"}.get(type(field.type), "")
    about = f", {field.description}" if field.description else ""
    match field.type:
        case Choice(values):
            return f"{name}({form}{about})", list(values)
        case Group(fields):
            return f"{name}({form}{about})" if about or form == "array" else name, Schema(fields).written()
        case LinkTo(word):
            return f"{name}({form})" if form else name, f"{word}{about}"
        case Scalar():
            return f"{name}({form})" if form else name, f"{field.type.value}{about}"
