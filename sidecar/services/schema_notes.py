"""The schemas of a vault: notes of type ``schema``, found by the type they are for, by name, or inside a note."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from sidecar.catalog.queries import NoteRecord
from sidecar.errors import Ambiguous, Invalid, NotFound, Refused, SidecarError
from sidecar.model.note import FileKind, Json, kind_of
from sidecar.model.path import VaultPath
from sidecar.parse.frontmatter import block_of
from sidecar.parse.text import read_text
from sidecar.parse.wikilink import target_of_whole
from sidecar.picoschema.grammar import Schema, SchemaProblem, parse
from sidecar.picoschema.names import name_key
from sidecar.picoschema.subject import Lead, Subject
from sidecar.services.lookup import find_file
from sidecar.services.views import View
from sidecar.vault.files import VaultFiles

__all__ = ["UNTYPED", "BrokenSchema", "NoteSchema", "SchemaNotes", "types_of"]

UNTYPED = "note"
"""The type of a note that names none."""
_SCHEMA = "schema"
_MODES = {"warn": False, "strict": True, "error": True}


@dataclass(frozen=True, slots=True)
class NoteSchema:
    """A schema that can be used. ``rules`` are for properties alone; ``strict`` makes its faults errors."""

    entity: str
    path: VaultPath
    schema: Schema
    rules: Schema | None
    strict: bool
    version: float


@dataclass(frozen=True, slots=True)
class BrokenSchema:
    """A schema that cannot be read: what is wrong, in which field and line, as far as that is known."""

    entity: str
    path: VaultPath
    message: str
    field: str = ""
    line: int | None = None

    def error(self) -> Invalid:
        """Return the error that says so."""
        at = f", line {self.line}" if self.line else ""
        field = f", field '{self.field}'" if self.field else ""
        return Invalid(
            f"The schema in '{self.path}' cannot be read{at}{field}: {self.message}.",
            hint="Correct it there; read_note shows it.",
            candidates=[self.path],
            data={"path": self.path, "field": self.field, "line": self.line},
        )


def types_of(value: Json) -> tuple[str, ...]:
    """Return the types that a property ``type`` names: one text, or a list."""
    items = value if isinstance(value, list) else [value]
    return tuple(item.strip() for item in items if isinstance(item, str) and item.strip())


class SchemaNotes:
    """Finds schemas, types and the targets of links, all in one view."""

    def __init__(
        self, view: View, files: VaultFiles, project: str, index_now: Callable[[VaultPath], bool] = lambda _: False
    ) -> None:
        self.view = view
        self._files = files
        self._project = project
        self._index_now = index_now

    @cached_property
    def types(self) -> Mapping[VaultPath, tuple[str, ...]]:
        """The types of all notes that name one."""
        values = ((path, types_of(value)) for path, value in self.view.property_values("type"))
        return {path: types for path, types in values if types and kind_of(path) is FileKind.NOTE}

    @cached_property
    def schemas(self) -> Mapping[str, tuple[NoteSchema | BrokenSchema, ...]]:
        """The schema notes by the key of the type they are for; the one that counts comes first."""
        found: dict[str, list[NoteSchema | BrokenSchema]] = {}
        for path, types in sorted(self.types.items()):
            record = self.view.note(path) if _SCHEMA in map(name_key, types) else None
            if record is not None:
                schema = self._of_note(record)
                found.setdefault(name_key(schema.entity), []).append(schema)
        return {key: tuple(sorted(schemas, key=_rank)) for key, schemas in found.items()}

    def typed(self, note_type: str) -> tuple[VaultPath, ...]:
        """Return the notes of a type by path, without those that the user excluded (A13)."""
        key = name_key(note_type)
        paths = {path for path, types in self.types.items() if key in map(name_key, types)}
        if key == UNTYPED:
            paths |= {p for p, _ in self.view.files() if kind_of(p) is FileKind.NOTE and p not in self.types}
        return tuple(sorted(paths - self.view.excluded))

    def for_type(self, note_type: str) -> NoteSchema | BrokenSchema | None:
        """Return the schema that counts for a type."""
        found = self.schemas.get(name_key(note_type))
        return found[0] if found else None

    def for_note(self, record: NoteRecord) -> NoteSchema | BrokenSchema | None:
        """Return a note's schema: its own, else the one it names, else that of its type."""
        types = self.types.get(record.path, (UNTYPED,))
        by_type = (found for found in map(self.for_type, types) if found is not None)
        said = next((value for name, value in record.properties.items() if name.lower() == _SCHEMA), None)
        if _SCHEMA not in map(name_key, types):
            if isinstance(said, dict):
                return self._read(record, types[0], said, record.properties)
            if isinstance(said, str) and said.strip():
                return self._named(record, types[0], said.strip())
        return next(by_type, None)

    def subject(self, record: NoteRecord) -> Subject:
        """Return what a note says, ready to be checked."""
        path = record.path

        def lead(text: str) -> Lead | None:
            target = target_of_whole(text.strip())
            return self._lead(target.linkpath, path) if target else None

        return Subject(record.properties, self.view.observations(path), self.view.relations(path), lead)

    def _lead(self, linkpath: str, source: VaultPath) -> Lead:
        target = self.view.resolve(linkpath, source).target if linkpath else source
        if target is None:
            return Lead(None)
        if kind_of(target) is not FileKind.NOTE:
            return Lead((kind_of(target).value,))
        return Lead(self.types.get(target, (UNTYPED,)))

    def _named(self, record: NoteRecord, entity: str, name: str) -> NoteSchema | BrokenSchema:
        """Return the schema that a note names by the type it is for, or by the schema note's own name."""
        by_type = self.for_type(name)
        if by_type is not None:
            return by_type
        try:
            path = find_file(self.view, name, project=self._project, index_now=self._index_now)
        except (NotFound, Ambiguous, Refused) as error:
            return self._broken(record, entity, SchemaProblem(f"its schema '{name}' is not found: {error.message}"))
        named = self.view.note(path)
        if named is None or _SCHEMA not in map(name_key, self.types.get(path, ())):
            return self._broken(record, entity, SchemaProblem(f"'{name}' is no note of type schema"))
        return self._of_note(named)

    def _of_note(self, record: NoteRecord) -> NoteSchema | BrokenSchema:
        properties = {name.lower(): value for name, value in record.properties.items()}
        entity = properties.get("entity")
        return self._read(
            record,
            entity.strip() if isinstance(entity, str) and entity.strip() else record.title,
            properties.get(_SCHEMA),
            properties,
        )

    def _read(
        self, record: NoteRecord, entity: str, value: Json, properties: Mapping[str, Json]
    ) -> NoteSchema | BrokenSchema:
        version = properties.get("version", 1)
        try:
            strict, rules = _settings(properties.get("settings") or {})
            return NoteSchema(
                entity=entity,
                path=record.path,
                schema=_parsed(value, "schema"),
                rules=rules,
                strict=strict,
                version=version if isinstance(version, int | float) else 1,
            )
        except SchemaProblem as problem:
            return self._broken(record, entity, problem)

    def _broken(self, record: NoteRecord, entity: str, problem: SchemaProblem) -> BrokenSchema:
        line = self._line_of(record.path, problem.field or "schema")
        return BrokenSchema(entity, record.path, problem.message, problem.field, line)

    def _line_of(self, path: VaultPath, field: str) -> int | None:
        """Find the line of a field's name; the names above it are looked for first, one below the other."""
        try:
            text = read_text(self._files.read(path))[0]
        except SidecarError:
            return None
        block = block_of(text)
        at, end = 0, block.yaml_end if block else 0
        for name in field.split("."):
            found = re.compile(rf"""^[ \t]*["']?{re.escape(name)}["']?[ \t]*:""", re.MULTILINE).search(text, at, end)
            if found is None:
                break
            at = found.end()
        return text.count("\n", 0, at) + 1 if at else None


def _settings(value: Json) -> tuple[bool, Schema | None]:
    """Return whether faults are errors, and the rules for properties alone."""
    if not isinstance(value, dict):
        raise SchemaProblem("settings are a list of 'name: value' lines", "settings")
    mode = value.get("validation", "warn")
    if not isinstance(mode, str) or mode not in _MODES:
        raise SchemaProblem("validation is warn or strict", "settings.validation")
    rules = value.get("frontmatter")
    return _MODES[mode], _parsed(rules, "settings.frontmatter") if rules else None


def _parsed(value: Json, name: str) -> Schema:
    try:
        return parse(value)
    except SchemaProblem as problem:
        raise SchemaProblem(problem.message, f"{name}.{problem.field}" if problem.field else name) from None


def _rank(schema: NoteSchema | BrokenSchema) -> tuple[float, VaultPath]:
    """Put the newest version first, then the first path; one that cannot be read comes last."""
    return (-schema.version if isinstance(schema, NoteSchema) else float("inf"), schema.path)
