"""How notes have moved away from their schema: fields that came, fields that went, other numbers and types."""

from collections.abc import Sequence
from dataclasses import dataclass

from sidecar.picoschema.check import Fault, faults_of
from sidecar.picoschema.grammar import Field, Schema
from sidecar.picoschema.infer import FieldUse, infer
from sidecar.picoschema.names import name_key
from sidecar.picoschema.subject import Subject, told_by

__all__ = ["Drift", "DriftedField", "TypeDrift", "drift"]

_NEW = 0.25
_DROPPED = 0.1
_MANY = 0.5
_MISFITS = 0.1
_LEAST_SINGLE = 3
"""Notes with one value each that make a list look needless."""


@dataclass(frozen=True, slots=True)
class DriftedField:
    """A declared field, and in how many of ``total`` notes that is so what the report is about."""

    field: Field
    count: int
    total: int


@dataclass(frozen=True, slots=True)
class TypeDrift:
    """A declared field of whose ``total`` holders ``count`` have other values; ``seen`` describes all of them."""

    field: Field
    seen: Field
    count: int
    total: int


@dataclass(frozen=True, slots=True)
class Drift:
    """All differences between a schema and its notes."""

    new: tuple[FieldUse, ...]
    dropped: tuple[DriftedField, ...]
    became_many: tuple[DriftedField, ...]
    became_one: tuple[DriftedField, ...]
    types: tuple[TypeDrift, ...]

    @property
    def is_none(self) -> bool:
        return not (self.new or self.dropped or self.became_many or self.became_one or self.types)


def drift(schema: Schema, subjects: Sequence[Subject]) -> Drift:
    """Compare a schema with notes: new from 25 % of them on, dropped below 10 %, a list when half say several."""
    total = len(subjects)
    uses = {name_key(use.field.name): use for use in infer(subjects, 0).uses}
    declared = {name_key(field.name): field for field in schema.fields}
    used = [(field, use) for key, field in declared.items() if (use := uses.get(key))]
    counts = {key: uses[key].count if key in uses else 0 for key in declared}
    return Drift(
        new=tuple(use for key, use in uses.items() if key not in declared and use.share >= _NEW),
        dropped=tuple(
            DriftedField(field, counts[key], total) for key, field in declared.items() if counts[key] < _DROPPED * total
        ),
        became_many=tuple(
            DriftedField(field, use.several, use.count)
            for field, use in used
            if not field.many and use.several > _MANY * use.count
        ),
        became_one=tuple(
            DriftedField(field, use.count, use.count)
            for field, use in used
            if field.many and not use.several and use.count >= _LEAST_SINGLE
        ),
        types=tuple(_type_drifts(used, subjects)),
    )


def _type_drifts(used: Sequence[tuple[Field, FieldUse]], subjects: Sequence[Subject]) -> list[TypeDrift]:
    misfits = [0] * len(used)
    for subject in subjects:
        told = told_by(subject)
        for index, (field, _) in enumerate(used):
            entry = told.get(name_key(field.name))
            misfits[index] += entry is not None and any(
                finding.fault in _OF_TYPE for finding in faults_of(field, entry, subject.lead)
            )
    return [
        TypeDrift(field, use.field, count, use.count)
        for (field, use), count in zip(used, misfits, strict=True)
        if count and count >= _MISFITS * use.count
    ]


_OF_TYPE = frozenset({Fault.WRONG_TYPE, Fault.NOT_A_CHOICE, Fault.WRONG_NOTE})
