"""Suggested schemas and the drift from a schema, as JSON and as text."""

import secrets
from typing import Any

from sidecar.picoschema.check import type_text
from sidecar.picoschema.diff import DriftedField
from sidecar.picoschema.grammar import Field
from sidecar.picoschema.infer import FieldUse
from sidecar.services.portions import fitting, weight
from sidecar.services.schemas import DriftReport, InferenceReport
from sidecar.tools.json_view import json_of
from sidecar.tools.schema_words import NAMED, ROOM, marked, rivals_line, schema_json, types_json, types_line
from sidecar.tools.text_view import blocks_of, counted

__all__: list[str] = []


def _field_type(field: Field) -> str:
    return f"list of {type_text(field.type)}" if field.many else type_text(field.type)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


@json_of.register
def _(r: InferenceReport) -> dict[str, Any]:
    shown = fitting(map(_use_json, r.uses), ROOM // 2, lambda use: weight(str(use)))
    return {
        "note_type": r.note_type,
        "notes_analyzed": r.notes,
        "threshold": r.threshold,
        "field_frequencies": list(shown),
        "left_out": len(r.uses) - len(shown),
        "suggested_schema": r.suggested.written(),
        "suggested_required": [field.name for field in r.suggested.fields if field.required],
        "suggested_optional": [field.name for field in r.suggested.fields if not field.required],
        "excluded": [use.field.name for use in r.excluded[:NAMED]],
        "yaml": r.yaml,
        "existing_schemas": list(r.existing),
        "types": types_json(r.types),
        "guidance": None if r.notes else f"There is no note of type '{r.note_type}'. {types_line(r.types)}",
    }


def _use_json(use: FieldUse) -> dict[str, Any]:
    return {
        "name": use.field.name,
        "source": [source.value for source in use.sources],
        "type": type_text(use.field.type),
        "is_array": use.field.many,
        "count": use.count,
        "total": use.total,
        "percentage": round(use.share, 3),
        "sample_values": list(use.samples),
    }


@blocks_of.register
def _(r: InferenceReport) -> tuple[str, ...]:
    if not r.notes:
        return (f"There is no note of type '{r.note_type}'. {types_line(r.types)}",)
    mark = secrets.token_hex(3)
    suggested = f"{len(r.suggested.fields)} of {counted(len(r.uses), 'field')} suggested"
    lines = [f"# {counted(r.notes, 'note')} of type {r.note_type}: {suggested}"]
    lines += [f"There is a schema already: {path}. schema_diff compares." for path in r.existing[:NAMED]]
    if not r.uses:
        return ("\n".join([*lines, "They have no properties of their own, no observations and no relations."]),)
    lines += marked(map(_use_line, fitting(r.uses, ROOM // 2, lambda use: len(_use_line(use)) + 1)), mark)
    if r.excluded:
        names = ", ".join(f"{use.field.name} {_percent(use.share)}" for use in r.excluded[:NAMED])
        lines.append(f"Left out of the schema: <{mark}>{names}</{mark}>")
    if r.yaml:
        lines += ["Frontmatter of a schema note:", f"<{mark}>", r.yaml.rstrip(), f"</{mark}>"]
    return ("\n".join(lines),)


def _use_line(use: FieldUse) -> str:
    sources = "+".join(source.value for source in use.sources)
    samples = ", ".join(use.samples)
    share = f"{_percent(use.share)} ({use.count}/{use.total})"
    return f"- {use.field.name}: {_field_type(use.field)}, {sources}, {share}, e.g. {samples}"


@json_of.register
def _(r: DriftReport) -> dict[str, Any]:
    d = r.drift
    return {
        "note_type": r.note_type,
        "schema_found": r.schema is not None,
        "schema": schema_json(r.schema) if r.schema else None,
        "notes_analyzed": r.notes,
        "new_fields": [_use_json(use) for use in d.new] if d else [],
        "dropped_fields": [_drifted(item) for item in d.dropped] if d else [],
        "cardinality_changes": [
            {**_drifted(item), "declared": declared, "actual": actual}
            for items, declared, actual in ((d.became_many, "one", "many"), (d.became_one, "many", "one"))
            for item in items
        ]
        if d
        else [],
        "type_changes": [
            {
                "name": item.field.name,
                "declared": type_text(item.field.type),
                "actual": type_text(item.seen.type),
                "count": item.count,
                "total": item.total,
            }
            for item in d.types
        ]
        if d
        else [],
        "several_schemas": list(r.rivals),
        "types": types_json(r.types),
        "guidance": _drift_guidance(r),
    }


def _drifted(item: DriftedField) -> dict[str, Any]:
    return {"name": item.field.name, "count": item.count, "total": item.total}


def _drift_guidance(r: DriftReport) -> str | None:
    if r.schema is None and r.notes:
        return f"There is no schema for type '{r.note_type}'. schema_infer('{r.note_type}') suggests one."
    if not r.notes:
        return f"There is no note of type '{r.note_type}'. {types_line(r.types)}"
    return None


@blocks_of.register
def _(r: DriftReport) -> tuple[str, ...]:
    if r.schema is None or r.drift is None:
        return (_drift_guidance(r) or "",)
    mark = secrets.token_hex(3)
    d = r.drift
    lines = [f"# {counted(r.notes, 'note')} of type {r.note_type} against {r.schema.path}"]
    if r.rivals:
        lines.append(rivals_line(r.note_type, r.rivals))
    if d.is_none:
        return ("\n".join([*lines, "No drift: the schema says how they are written."]),)
    found = [f"new: {_use_line(use).removeprefix('- ')}" for use in d.new]
    found += [f"dropped: {item.field.name}, in {item.count} of {item.total} notes" for item in d.dropped]
    found += [f"now a list: {i.field.name}, several values in {i.count} of {i.total} notes" for i in d.became_many]
    found += [f"no list: {i.field.name}, one value in each of {i.total} notes" for i in d.became_one]
    found += [
        f"other values: {i.field.name} is declared {_field_type(i.field)}, but {i.count} of {i.total} notes differ; "
        f"{_field_type(i.seen)} would fit"
        for i in d.types
    ]
    return ("\n".join([*lines, *marked(found, mark)]),)
