"""Whether a note is as its schema says: presence, number and type of every value, groups and links included."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from sidecar.picoschema.grammar import Choice, Field, FieldType, Group, LinkTo, Scalar, Schema, text_of
from sidecar.picoschema.names import name_key
from sidecar.picoschema.subject import Lead, Said, Source, Subject, Told, told_by, told_in

__all__ = ["Checked", "Fault", "Finding", "check", "faults_of", "fits", "type_text"]

_INTEGER = re.compile(r"[-+]?\d+")
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")
_BOOLEANS = ("true", "false")
_SHOWN = 60
"""Characters of a value that are kept for the report."""


class Fault(StrEnum):
    """What is wrong with a field."""

    MISSING = "missing"
    TOO_MANY = "too_many"
    WRONG_TYPE = "wrong_type"
    NOT_A_CHOICE = "not_a_choice"
    WRONG_NOTE = "wrong_note"
    """The link leads to a note of another type."""
    LEADS_NOWHERE = "leads_nowhere"
    """The link leads to no note yet; never more than a warning."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of one field; ``field`` is a dotted path, ``found`` the beginning of the value, or a count."""

    fault: Fault
    field: str
    expected: str
    found: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """All faults, and the observations and relations that the schema does not know."""

    findings: tuple[Finding, ...]
    unmatched_observations: Mapping[str, int]
    unmatched_relations: Mapping[str, int]


def check(schema: Schema, subject: Subject, rules: Schema | None = None) -> Checked:
    """Check a note against a schema, and its properties alone against ``rules``."""
    told = told_by(subject)
    findings = [*_check_fields(schema.fields, told, subject.lead, "")]
    declared = {name_key(field.name) for field in schema.fields}
    if rules is not None:
        findings += _check_fields(rules.fields, told_by(subject, properties_only=True), subject.lead, "")
    return Checked(
        tuple(findings),
        Counter(o.category for o in subject.observations if name_key(o.category) not in declared),
        Counter(r.type for r in subject.relations if name_key(r.type) not in declared),
    )


def type_text(kind: FieldType) -> str:
    """Return a type in one short text."""
    match kind:
        case Choice(values):
            return " | ".join(values)
        case Group(fields):
            return f"fields {', '.join(field.name for field in fields)}"
        case LinkTo(note_type):
            return note_type
        case Scalar():
            return kind.value


def _check_fields(
    fields: tuple[Field, ...], told: Mapping[str, Told], lead: Callable[[str], Lead | None], above: str
) -> Iterator[Finding]:
    for field in fields:
        entry = told.get(name_key(field.name))
        if entry is not None:
            yield from faults_of(field, entry, lead, above)
        elif field.required:
            yield Finding(Fault.MISSING, f"{above}{field.name}", type_text(field.type))


def faults_of(field: Field, told: Told, lead: Callable[[str], Lead | None], above: str = "") -> Iterator[Finding]:
    """Go through the faults of a field that has values."""
    place, expected = f"{above}{field.name}", type_text(field.type)
    if len(told.values) > 1 and not field.many:
        yield Finding(Fault.TOO_MANY, place, expected, str(len(told.values)), told.values[1].line)
    for said in told.values:
        if isinstance(field.type, Group) and isinstance(said.value, dict):
            yield from _check_fields(field.type.fields, told_in(said.value), lead, f"{place}.")
        elif fault := _fault(field.type, said, lead):
            found = " ".join(text_of(said.value).split())
            if fault is Fault.WRONG_NOTE:
                found = f"{found} ({', '.join(_types(said, lead))})"
            yield Finding(fault, place, expected, found[:_SHOWN], said.line)


def _fault(kind: FieldType, said: Said, lead: Callable[[str], Lead | None]) -> Fault | None:
    match kind:
        case Scalar():
            return None if fits(kind, said) else Fault.WRONG_TYPE
        case Choice(values):
            is_single = not isinstance(said.value, dict | list)
            return None if is_single and not {*_spellings(said)}.isdisjoint(values) else Fault.NOT_A_CHOICE
        case LinkTo(note_type):
            leads_to = lead(said.value) if isinstance(said.value, str) else None
            if leads_to is None:
                return Fault.WRONG_TYPE
            if leads_to.types is None:
                return Fault.LEADS_NOWHERE
            return None if name_key(note_type) in map(name_key, leads_to.types) else Fault.WRONG_NOTE
        case Group():
            return Fault.WRONG_TYPE


def _types(said: Said, lead: Callable[[str], Lead | None]) -> tuple[str, ...]:
    leads_to = lead(said.value) if isinstance(said.value, str) else None
    return leads_to.types or () if leads_to else ()


def _spellings(said: Said) -> tuple[str, ...]:
    """Return the texts a choice may be meant by; a relation's is that within its brackets."""
    text = text_of(said.value)
    return (text, text[2:-2]) if said.source is Source.RELATION else (text,)


def fits(kind: Scalar, said: Said) -> bool:
    """Tell whether one value is of a type; what stands in an observation is text that may be read as any."""
    value = said.value
    if kind is Scalar.ANY:
        return True
    if isinstance(value, dict | list) or value is None:
        return False
    if said.source is Source.PROPERTY:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return {
            Scalar.STRING: isinstance(value, str),
            Scalar.BOOLEAN: isinstance(value, bool),
            Scalar.NUMBER: is_number,
            Scalar.INTEGER: is_number and float(value).is_integer(),
        }[kind]
    text = str(value)
    return {
        Scalar.STRING: True,
        Scalar.BOOLEAN: text.lower() in _BOOLEANS,
        Scalar.NUMBER: bool(_NUMBER.fullmatch(text)),
        Scalar.INTEGER: bool(_INTEGER.fullmatch(text)),
    }[kind]
