"""The report on notes and their schemas, as JSON and as text."""

import secrets
from typing import Any

from sidecar.picoschema.check import Fault, Finding
from sidecar.services.portions import fitting, weight
from sidecar.services.schema_notes import BrokenSchema
from sidecar.services.schemas import NoteValidation, ValidationReport
from sidecar.tools.json_view import json_of
from sidecar.tools.schema_words import NAMED, ROOM, marked, rivals_line, schema_json, types_json, types_line
from sidecar.tools.text_view import blocks_of, counted

__all__: list[str] = []


def _said(finding: Finding) -> str:
    """Word one fault."""
    value = finding.found
    words = {
        Fault.MISSING: f"missing ({finding.expected})",
        Fault.TOO_MANY: f"{value} values, but the schema has one",
        Fault.WRONG_TYPE: f"'{value}' is not of type {finding.expected}",
        Fault.NOT_A_CHOICE: f"'{value}' is none of {finding.expected}",
        Fault.WRONG_NOTE: f"{value} is no note of type {finding.expected}",
        Fault.LEADS_NOWHERE: f"{value} leads to no note yet",
    }
    line = f" (line {finding.line})" if finding.line else ""
    return f"{finding.field}: {words[finding.fault]}{line}"


def _broken_line(schema: BrokenSchema) -> str:
    place = ", ".join(filter(None, (schema.field, f"line {schema.line}" if schema.line else "")))
    return f"Cannot be read: {schema.path}{f' ({place})' if place else ''}: {schema.message}."


def _guidance(r: ValidationReport) -> str | None:
    """Say what to do when nothing was checked."""
    if r.results or r.broken:
        return None
    if r.without_schema:
        what = r.note_type or "TYPE"
        return (
            f"There is no schema for {counted(r.without_schema, 'note')}. "
            f"schema_infer('{what}') suggests one; write_note it."
        )
    if r.note_type:
        return f"There is no note of type '{r.note_type}'. {types_line(r.types)}"
    return f"There is nothing to check. {types_line(r.types)}"


def _checks_first(r: ValidationReport) -> list[NoteValidation]:
    """Order notes by how much is wrong with them: errors, warnings, the rest."""
    return sorted(r.results, key=lambda n: (not n.errors, not n.warnings, n.path))


def _note_json(note: NoteValidation) -> dict[str, Any]:
    return {
        "note_identifier": note.permalink or note.path,
        "title": note.title,
        "file_path": note.path,
        "schema_entity": note.entity,
        "passed": note.passed,
        "errors": [_said(finding) for finding in note.errors],
        "warnings": [_said(finding) for finding in note.warnings],
        "problems": [_problem(f, "error") for f in note.errors] + [_problem(f, "warning") for f in note.warnings],
        "unmatched_observations": dict(note.unmatched_observations),
        "unmatched_relations": dict(note.unmatched_relations),
    }


def _problem(finding: Finding, severity: str) -> dict[str, Any]:
    return {
        "field": finding.field,
        "status": finding.fault.value,
        "expected": finding.expected,
        "found": finding.found,
        "line": finding.line,
        "severity": severity,
    }


@json_of.register
def _(r: ValidationReport) -> dict[str, Any]:
    shown = fitting(map(_note_json, _checks_first(r)), ROOM, lambda note: weight(str(note)))
    return {
        "note_type": r.note_type,
        "identifier": r.identifier,
        "schemas": [schema_json(schema) for schema in r.schemas[:NAMED]],
        "total_notes": len(r.results),
        "valid_count": sum(not n.errors and not n.warnings for n in r.results),
        "warning_count": sum(len(n.warnings) for n in r.results),
        "error_count": sum(len(n.errors) for n in r.results),
        "results": list(shown),
        "left_out": len(r.results) - len(shown),
        "without_schema": r.without_schema,
        "broken_schemas": [_broken_json(schema) for schema in r.broken[:NAMED]],
        "several_schemas": {entity: list(paths) for entity, paths in r.rivals.items()},
        "types": types_json(r.types),
        "guidance": _guidance(r),
    }


def _broken_json(schema: BrokenSchema) -> dict[str, Any]:
    return {"file_path": schema.path, "field": schema.field, "line": schema.line, "message": schema.message}


@blocks_of.register
def _(r: ValidationReport) -> tuple[str, ...]:
    if guidance := _guidance(r):
        return (guidance,)
    mark = secrets.token_hex(3)
    faulty = [note for note in _checks_first(r) if note.errors or note.warnings]
    fit = f"{len(r.results) - len(faulty)} fit their schema, {len(faulty)} do not"
    lines = [f"# Checked {counted(len(r.results), 'note')}: {fit}"]
    lines += [f"schema: {s.entity} in {s.path} ({'strict' if s.strict else 'warn'})" for s in r.schemas[:NAMED]]
    lines += [rivals_line(entity, paths) for entity, paths in r.rivals.items()]
    lines += [_broken_line(schema) for schema in r.broken[:NAMED]]
    if r.without_schema:
        lines.append(f"Without a schema: {counted(r.without_schema, 'note')} more.")
    lines += marked((line for note in faulty for line in _note_lines(note)), mark)
    lines += _unmatched(r, mark)
    return ("\n".join(lines),)


def _note_lines(note: NoteValidation) -> list[str]:
    lines = [f"{note.path} ({note.entity})"]
    lines += [f"  error  {_said(finding)}" for finding in note.errors]
    return lines + [f"  warn   {_said(finding)}" for finding in note.warnings]


def _unmatched(r: ValidationReport, mark: str) -> list[str]:
    """Name what the schemas do not know, once for all notes."""
    counts: dict[str, int] = {}
    for note in r.results:
        for name in (*(f"[{c}]" for c in note.unmatched_observations), *note.unmatched_relations):
            counts[name] = counts.get(name, 0) + 1
    commonest = sorted(counts, key=lambda name: (-counts[name], name))[:NAMED]
    if not commonest:
        return []
    named = ", ".join(f"{name[:60]} ({counts[name]})" for name in commonest)
    return [f"Not in the schema, by number of notes: <{mark}>{named}</{mark}>"]
