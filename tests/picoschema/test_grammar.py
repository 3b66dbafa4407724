"""Picoschema as it is written, and as it cannot be."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.model.note import Json
from sidecar.parse.yaml_loader import load
from sidecar.parse.yaml_writer import dump_mapping
from sidecar.picoschema.grammar import (
    Choice,
    Field,
    Group,
    LinkTo,
    Scalar,
    Schema,
    SchemaProblem,
    is_name,
    parse,
)
from sidecar.picoschema.names import name_key

WRITTEN: list[tuple[str, Field]] = [
    ("name: string", Field("name", Scalar.STRING)),
    ("name: string, full name", Field("name", Scalar.STRING, description="full name")),
    ("role?: string", Field("role", Scalar.STRING, required=False)),
    ("age?: integer, in years, whole", Field("age", Scalar.INTEGER, required=False, description="in years, whole")),
    ("score: number", Field("score", Scalar.NUMBER)),
    ("done: boolean", Field("done", Scalar.BOOLEAN)),
    ("more: any", Field("more", Scalar.ANY)),
    ("works at: Organization, employer", Field("works at", LinkTo("Organization"), description="employer")),
    ("knows?(array): Person", Field("knows", LinkTo("Person"), required=False, many=True)),
    ("skills(array, what they know): string", Field("skills", Scalar.STRING, many=True, description="what they know")),
    ("status(enum): [open, done]", Field("status", Choice(("open", "done")))),
    ("status?(enum, how far (so far)): [open, 2, true]", Field("status", Choice(("open", "2", "true")), required=False, description="how far (so far)")),
    ("status: [open, done]", Field("status", Choice(("open", "done")))),
    ('status(enum): "[open, done], how far"', Field("status", Choice(("open", "done")), description="how far")),
    ("colours(array): [red, blue]", Field("colours", Choice(("red", "blue")), many=True)),
    ("address(object, where): {city: string}", Field("address", Group((Field("city", Scalar.STRING),)), description="where")),
    ("address?: {city?: string}", Field("address", Group((Field("city", Scalar.STRING, required=False),)), required=False)),
    ("jobs(array): {at: Company}", Field("jobs", Group((Field("at", LinkTo("Company")),)), many=True)),
]  # fmt: skip


@pytest.mark.parametrize(("yaml", "field"), WRITTEN, ids=[yaml for yaml, _ in WRITTEN])
def test_every_form_of_a_field(yaml: str, field: Field) -> None:
    assert parse(load(yaml)).fields == (field,)


BROKEN: list[tuple[str, str, str]] = [
    ("name: txet", "name", "'txet' is no type"),
    ("age: intger", "age", "is 'integer' meant?"),
    ("age: 5", "age", "'5' is no type"),
    ("age:", "age", "is no type"),
    ("a: {b: {c: nope}}", "a.b.c", "'nope' is no type"),
    ("status(enum): string", "status(enum)", "(enum) needs a list of values"),
    ("status(enum): []", "status(enum)", "no values to choose from"),
    ("status(enum): [[a]]", "status(enum)", "single texts or numbers"),
    ("where(object): string", "where(object)", "(object) needs fields"),
    ("tags(list): string", "tags(list)", "'(list)' is none of"),
    ("tags(array: string", "tags(array", "a field is written"),
    ("'': string", "", "a field is written"),
    ("{a: string, 'a?': string}", "a?", "two fields 'a'"),
    ("{works at: string, works_at: string}", "works_at", "two fields"),
    ("just text", "", "a schema is a list of"),
]


@pytest.mark.parametrize(("yaml", "field", "message"), BROKEN, ids=[yaml for yaml, _, _ in BROKEN])
def test_what_cannot_be_read_is_named(yaml: str, field: str, message: str) -> None:
    with pytest.raises(SchemaProblem) as caught:
        parse(load(yaml))
    assert caught.value.field == field
    assert message in caught.value.message


words = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=8)
names = words.filter(lambda text: is_name(text) and is_name(f"{text} x"))
sentences = st.lists(words, min_size=1, max_size=4).map(" ".join)
capitals = words.map(lambda w: f"A{w}").filter(lambda w: "," not in w)
choices = st.lists(words, min_size=1, max_size=4, unique=True).map(lambda values: Choice(tuple(values)))


def _fields(types: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Field, ...]]:
    field = st.builds(Field, names, types, st.booleans(), st.booleans(), st.none() | sentences)
    unique: Callable[[Field], str] = lambda f: name_key(f.name)  # noqa: E731 - Hypothesis takes a function
    return st.lists(field, max_size=4, unique_by=unique).map(tuple)


flat = st.sampled_from(Scalar) | capitals.map(LinkTo) | choices
schemas = st.recursive(_fields(flat), lambda inner: _fields(flat | inner.map(Group)), max_leaves=4).map(Schema)


@given(schemas)
def test_a_schema_is_read_as_it_was_written(schema: Schema) -> None:
    assert parse(schema.written()) == schema


@given(schemas)
def test_and_through_the_yaml_of_a_note_too(schema: Schema) -> None:
    assert parse(load(dump_mapping(schema.written())) or {}) == schema


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), lambda j: st.lists(j, max_size=3) | st.dictionaries(st.text(max_size=9), j, max_size=3)))  # fmt: skip
def test_any_value_is_a_schema_or_a_problem(value: Json) -> None:
    try:
        schema = parse(value)
    except SchemaProblem as problem:
        assert problem.message  # noqa: PT017 - either outcome is right
    else:
        assert parse(schema.written()) == schema


@pytest.mark.parametrize("text", ["", "why?", "a(b)", " a", "_", "--"])
def test_names_that_no_field_can_have(text: str) -> None:
    assert not is_name(text)
