"""What a note says, field by field: its properties, its observations by category, its relations by type."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from sidecar.model.note import Json, Observation, Relation
from sidecar.picoschema.names import name_key

__all__ = ["Lead", "Said", "Source", "Subject", "Told", "told_by", "told_in"]

_TAGS_BEHIND = re.compile(r"(?:(?:^|\s+)#\S+)+$")


class Source(StrEnum):
    """Where a value stands."""

    PROPERTY = "property"
    OBSERVATION = "observation"
    RELATION = "relation"


@dataclass(frozen=True, slots=True)
class Said:
    """One value; in a relation a link. ``line`` is ``None`` for properties."""

    source: Source
    value: Json
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Lead:
    """Where a link leads: the types of the note there, ``None`` when there is nothing."""

    types: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Subject:
    """A note to be checked. ``lead`` follows a text that is one whole link; for any other text it is ``None``."""

    properties: Mapping[str, Json] = field(default_factory=dict)
    observations: tuple[Observation, ...] = ()
    relations: tuple[Relation, ...] = ()
    lead: Callable[[str], Lead | None] = lambda _: None


@dataclass(slots=True)
class Told:
    """All values of one field, and whether a property has them as a list."""

    name: str
    values: list[Said] = field(default_factory=list)
    listed: bool = False


def told_by(subject: Subject, *, properties_only: bool = False) -> dict[str, Told]:
    """Return what a note says by the keys of the names; a property without a value says nothing."""
    told = told_in(subject.properties)
    if not properties_only:
        for name, said in _facts(subject):
            told.setdefault(name_key(name), Told(name)).values.append(said)
    return told


def told_in(values: Mapping[str, Json]) -> dict[str, Told]:
    """Return what a mapping says by the keys of its names."""
    told: dict[str, Told] = {}
    for name, value in values.items():
        items = value if isinstance(value, list) else [value]
        said = [Said(Source.PROPERTY, item) for item in items if item is not None and item != ""]
        if said:
            entry = told.setdefault(name_key(name), Told(name))
            entry.values += said
            entry.listed |= isinstance(value, list)
    return told


def _facts(subject: Subject) -> Iterator[tuple[str, Said]]:
    for observation in subject.observations:
        text = _TAGS_BEHIND.sub("", observation.content).strip()
        yield observation.category, Said(Source.OBSERVATION, text or observation.content, observation.line)
    for relation in subject.relations:
        yield relation.type, Said(Source.RELATION, f"[[{relation.target}]]", relation.line)
