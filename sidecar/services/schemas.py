"""Whether notes are as their schema says, which schema would describe them, and how far they have moved from it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sidecar.catalog.queries import NoteRecord
from sidecar.errors import Invalid
from sidecar.model.note import FileKind, kind_of
from sidecar.model.path import VaultPath
from sidecar.parse.yaml_writer import dump_mapping
from sidecar.picoschema.check import Fault, Finding, check
from sidecar.picoschema.diff import Drift, drift
from sidecar.picoschema.grammar import Schema
from sidecar.picoschema.infer import FieldUse, infer
from sidecar.picoschema.names import name_key
from sidecar.services.caller import Caller
from sidecar.services.commit import Committer
from sidecar.services.lookup import find_file
from sidecar.services.portions import weight
from sidecar.services.schema_notes import BrokenSchema, NoteSchema, SchemaNotes
from sidecar.services.threads import Threads
from sidecar.services.views import View, Views
from sidecar.vault.files import VaultFiles

__all__ = ["DriftReport", "InferenceReport", "NoteValidation", "Schemas", "ValidationReport"]

_ROOM = 4000
"""Characters of a suggested schema."""


@dataclass(frozen=True, slots=True)
class NoteValidation:
    """One note against its schema."""

    path: VaultPath
    title: str
    permalink: str | None
    entity: str
    errors: tuple[Finding, ...]
    warnings: tuple[Finding, ...]
    unmatched_observations: Mapping[str, int]
    unmatched_relations: Mapping[str, int]

    @property
    def passed(self) -> bool:
        return not self.errors


@dataclass(frozen=True, slots=True)
class ValidationReport:
    """All notes that were checked. ``without_schema`` counts those that have none; ``types`` are those in use."""

    note_type: str | None
    identifier: str | None
    results: tuple[NoteValidation, ...]
    schemas: tuple[NoteSchema, ...]
    broken: tuple[BrokenSchema, ...]
    rivals: Mapping[str, tuple[VaultPath, ...]]
    """Types with several schema notes; the first of these is used."""
    without_schema: int
    types: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class InferenceReport:
    """How notes of a type are written; ``yaml`` is the frontmatter of a schema note that describes them."""

    note_type: str
    threshold: float
    notes: int
    suggested: Schema
    uses: tuple[FieldUse, ...]
    excluded: tuple[FieldUse, ...]
    yaml: str
    existing: tuple[VaultPath, ...]
    types: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class DriftReport:
    """How notes of a type differ from their schema; ``drift`` is ``None`` without schema or notes."""

    note_type: str
    notes: int
    schema: NoteSchema | None
    drift: Drift | None
    rivals: tuple[VaultPath, ...]
    types: Mapping[str, int]


class Schemas:
    """Checks, infers and compares schemas."""

    def __init__(self, views: Views, files: VaultFiles, committer: Committer, threads: Threads, project: str) -> None:
        self._views = views
        self._files = files
        self._committer = committer
        self._threads = threads
        self._project = project

    async def validate(
        self, caller: Caller, *, note_type: str | None = None, identifier: str | None = None
    ) -> ValidationReport:
        """Check one note, the notes of a type, or every note that names its type or a schema.

        With both, the note is checked against the schema of that type.

        Raises:
            NotFound, Ambiguous: when the identifier fits no note, or several.
            Invalid: when the schema that is asked for cannot be read, or the note's properties cannot.

        """
        return await self._threads.read(self._validate, caller, note_type, identifier)

    async def infer(self, caller: Caller, *, note_type: str, threshold: float = 0.25) -> InferenceReport:
        """Suggest a schema for the notes of a type; fields that a smaller share of them has are left out.

        Raises:
            Invalid: when the threshold is not between 0 and 1.

        """
        if not 0 <= threshold <= 1:
            raise Invalid(f"threshold is {threshold}; it goes from 0 to 1.", hint="0.25 means a quarter of the notes.")
        return await self._threads.read(self._infer, caller, note_type, threshold)

    async def diff(self, caller: Caller, *, note_type: str) -> DriftReport:
        """Compare the schema of a type with the notes of that type.

        Raises:
            Invalid: when the schema cannot be read.

        """
        return await self._threads.read(self._diff, caller, note_type)

    def _validate(self, caller: Caller, note_type: str | None, identifier: str | None) -> ValidationReport:
        known = self._known(self._views.newest(caller.audience))
        asked = known.for_type(note_type) if note_type else None
        if isinstance(asked, BrokenSchema):
            raise asked.error()
        if identifier:
            path = find_file(known.view, identifier, project=self._project, index_now=self._committer.index_now)
            known = self._known(self._views.newest(caller.audience))
            records = [_checkable(known.view, path)]
        else:
            paths = known.typed(note_type) if note_type else _typed_or_with_schema(known)
            records = _records(known.view, paths)
        chosen = [asked if identifier and asked else known.for_note(record) for record in records]
        broken = {*(schema for schema in chosen if isinstance(schema, BrokenSchema))}
        if identifier and broken:
            raise broken.pop().error()
        if not identifier:
            types = [name_key(note_type)] if note_type else list(known.schemas)
            every = (schema for key in types for schema in known.schemas.get(key, ()))
            broken |= {schema for schema in every if isinstance(schema, BrokenSchema)}
        pairs = [(r, s) for r, s in zip(records, chosen, strict=True) if isinstance(s, NoteSchema)]
        used = {schema.path: schema for _, schema in pairs}
        keys = {name_key(schema.entity) for schema in used.values()}
        return ValidationReport(
            note_type=note_type,
            identifier=identifier,
            results=tuple(_validated(known, record, schema) for record, schema in pairs),
            schemas=tuple(used.values()),
            broken=tuple(sorted(broken, key=lambda schema: schema.path)),
            rivals={s[0].entity: tuple(n.path for n in s) for k, s in known.schemas.items() if k in keys and s[1:]},
            without_schema=chosen.count(None),
            types=_type_counts(known),
        )

    def _infer(self, caller: Caller, note_type: str, threshold: float) -> InferenceReport:
        known = self._known(self._views.newest(caller.audience))
        records = _records(known.view, known.typed(note_type))
        found = infer([known.subject(record) for record in records], threshold)
        suggested = _readable(found.schema)
        names = {field.name for field in suggested.fields}
        frontmatter = dump_mapping(
            {
                "type": "schema",
                "entity": note_type,
                "version": 1,
                "schema": suggested.written(),
                "settings": {"validation": "warn"},
            }
        )
        return InferenceReport(
            note_type=note_type,
            threshold=threshold,
            notes=len(records),
            suggested=suggested,
            uses=found.uses,
            excluded=tuple(use for use in found.uses if use.field.name not in names),
            yaml=f"---\n{frontmatter}---\n" if suggested.fields else "",
            existing=tuple(schema.path for schema in known.schemas.get(name_key(note_type), ())),
            types=_type_counts(known),
        )

    def _diff(self, caller: Caller, note_type: str) -> DriftReport:
        known = self._known(self._views.newest(caller.audience))
        schema = known.for_type(note_type)
        if isinstance(schema, BrokenSchema):
            raise schema.error()
        records = _records(known.view, known.typed(note_type))
        rivals = known.schemas.get(name_key(note_type), ())
        return DriftReport(
            note_type=note_type,
            notes=len(records),
            schema=schema,
            drift=drift(_declared(schema), [known.subject(r) for r in records]) if schema and records else None,
            rivals=tuple(other.path for other in rivals) if len(rivals) > 1 else (),
            types=_type_counts(known),
        )

    def _known(self, view: View) -> SchemaNotes:
        return SchemaNotes(view, self._files, self._project, self._committer.index_now)


def _checkable(view: View, path: VaultPath) -> NoteRecord:
    record = view.note(path)
    if record is None or kind_of(path) is not FileKind.NOTE:
        raise Invalid(f"'{path}' is no note.", hint="Only Markdown notes are checked against schemas.")
    if record.problem is not None:
        raise Invalid(
            f"The properties of '{path}' do not parse (line {record.problem.line}): {record.problem.message}",
            hint="Correct the YAML between the '---' lines.",
            data={"path": path, "line": record.problem.line},
        )
    return record


def _records(view: View, paths: Sequence[VaultPath]) -> list[NoteRecord]:
    return [record for path in paths if (record := view.note(path))]


def _typed_or_with_schema(known: SchemaNotes) -> tuple[VaultPath, ...]:
    """Return the notes that name their type or a schema, but for the schema notes themselves."""
    named = {path for path, value in known.view.property_values("schema") if kind_of(path) is FileKind.NOTE and value}
    schemas = {path for path, types in known.types.items() if "schema" in map(name_key, types)}
    return tuple(sorted((named | known.types.keys()) - schemas - known.view.excluded))


def _validated(known: SchemaNotes, record: NoteRecord, schema: NoteSchema) -> NoteValidation:
    checked = check(schema.schema, known.subject(record), schema.rules)
    errors = [f for f in checked.findings if schema.strict and f.fault is not Fault.LEADS_NOWHERE]
    return NoteValidation(
        path=record.path,
        title=record.title,
        permalink=record.permalink,
        entity=schema.entity,
        errors=tuple(errors),
        warnings=tuple(f for f in checked.findings if f not in errors),
        unmatched_observations=checked.unmatched_observations,
        unmatched_relations=checked.unmatched_relations,
    )


def _readable(schema: Schema) -> Schema:
    """Leave out fields, the rarest first, for which a schema that somebody can read has no room."""
    room, kept = _ROOM, []
    for field in schema.fields:
        takes = weight(str(Schema((field,)).written()))
        if takes <= room:
            kept.append(field)
            room -= takes
    return Schema(tuple(kept))


def _declared(schema: NoteSchema) -> Schema:
    """Return the fields of a schema and of its rules for properties as one."""
    names = {name_key(field.name) for field in schema.schema.fields}
    more = schema.rules.fields if schema.rules else ()
    return Schema((*schema.schema.fields, *(field for field in more if name_key(field.name) not in names)))


def _type_counts(known: SchemaNotes) -> Mapping[str, int]:
    """Count the notes of each type that notes name, commonest first; spellings of one type count together."""
    spelled: dict[str, Counter[str]] = {}
    for path, types in known.types.items():
        if path not in known.view.excluded:
            for note_type in types:
                spelled.setdefault(name_key(note_type), Counter())[note_type] += 1
    counts = {spellings.most_common(1)[0][0]: spellings.total() for spellings in spelled.values()}
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))
