"""What notes say becomes a schema that they fit."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.picoschema.check import Fault, check
from sidecar.picoschema.grammar import Choice, Field, Group, LinkTo, Scalar, parse
from sidecar.picoschema.infer import infer
from sidecar.picoschema.subject import Subject
from tests.picoschema.builders import subject

PEOPLE = {
    "Bob": ("person",),
    "Eve": ("person",),
    "Acme": ("company", "client"),
    "Init": ("company",),
    "Plain": ("note",),
}


def of_values(*values: Any, links: Mapping[str, tuple[str, ...]] = PEOPLE) -> Field:
    (use,) = infer([subject({"x": value}, links=links) for value in values], 0).uses
    return use.field


TYPES: list[tuple[tuple[Any, ...], Any]] = [
    (("a", "b"), Scalar.STRING),
    ((1, 2), Scalar.INTEGER),
    ((1, 2.5), Scalar.NUMBER),
    ((True, False), Scalar.BOOLEAN),
    ((1, True), Scalar.ANY),
    ((1, "a"), Scalar.ANY),
    (("2026-01-02", "2026-01-02", "2026-01-03", "2026-01-03"), Scalar.STRING),
    (("open", "done", "open", "done"), Choice(("done", "open"))),
    (("open", "done", "open"), Scalar.STRING),
    (("open", "open", "open", "open"), Scalar.STRING),
    (("a" * 41, "b", "a" * 41, "b"), Scalar.STRING),
    (("[[Bob]]", "[[Eve]]"), LinkTo("Person")),
    (("[[Acme]]", "[[Init]]"), LinkTo("Company")),
    (("[[Bob]]", "[[Nobody]]"), LinkTo("Person")),
    (("[[Bob]]", "[[Acme]]"), Scalar.STRING),
    (("[[Bob]]", "Eve"), Scalar.STRING),
    (("[[Nobody]]",), Scalar.STRING),
    (("[[Plain]]",), LinkTo("Note")),
    (({"a": 1}, {"a": 2, "b": "x"}), Group((Field("a", Scalar.INTEGER), Field("b", Scalar.STRING, required=False)))),
    (({"a": 1}, "x"), Scalar.ANY),
    (({"a": None},), Scalar.ANY),
]


@pytest.mark.parametrize(("values", "kind"), TYPES, ids=[str(values)[:40] for values, _ in TYPES])
def test_types(values: tuple[Any, ...], kind: Any) -> None:
    assert of_values(*values).type == kind


def test_observations_are_text_that_may_be_read_as_a_number() -> None:
    notes = [subject({}, ("age", "36"), ("idea", "a"), ("idea", "b"), likes="Bob", links=PEOPLE)]
    fields = infer(notes, 0).schema.fields
    assert fields == (
        Field("age", Scalar.INTEGER),
        Field("idea", Scalar.STRING, many=True),
        Field("likes", LinkTo("Person")),
    )


@pytest.mark.parametrize(("value", "many"), [(["a"], True), ("a", False), (["a", "b"], True)])
def test_lists(value: Any, many: bool) -> None:
    assert of_values(value).many is many


@pytest.mark.parametrize(
    ("held", "threshold", "suggested", "required"),
    [(20, 0.25, True, True), (19, 0.25, True, True), (18, 0.25, True, False), (5, 0.25, True, False), (4, 0.25, False, False), (4, 0.2, True, False), (19, 1, False, True)],
)  # fmt: skip
def test_frequency_decides(held: int, threshold: float, suggested: bool, required: bool) -> None:
    found = infer([subject({"x": "a"} if n < held else {}) for n in range(20)], threshold)
    (use,) = found.uses
    assert (use.count, use.total, use.field.required) == (held, 20, required)
    assert (found.schema.fields == (use.field,)) is suggested


def test_the_commonest_spelling_is_the_name_and_reserved_properties_are_no_fields() -> None:
    notes = [subject({"Works at": "a", "type": "x", "tags": ["t"], "Title": "t"}), subject({"works_at": "a"}), subject({"works_at": "b"})]  # fmt: skip
    assert [use.field.name for use in infer(notes, 0).uses] == ["works_at"]


def test_a_name_that_no_schema_can_hold_is_left_out() -> None:
    found = infer([subject({"why?": "a"})], 0)
    assert (found.schema.fields, [use.field.name for use in found.uses]) == ((), ["why?"])


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.sampled_from(["a", "b", "", " ", "x?", "[[Bob]]", "[[Acme]]", "[[No]]", "2026-01-01"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "a b", "c?", "d(e)"]), inner, max_size=3),
    max_leaves=5,
)  # fmt: skip
properties = st.dictionaries(st.sampled_from(["a", "A", "b", "x y", "x_y", "q?", "type"]), json_values, max_size=4)
facts = st.lists(
    st.tuples(st.sampled_from(["a", "b", "fact?"]), st.sampled_from(["1", "x", "x #y", "true"])), max_size=3
)
relations = st.dictionaries(st.sampled_from(["a", "knows"]), st.sampled_from(["Bob", "Acme", "No"]), max_size=2)
notes = st.builds(lambda p, f, r: subject(p, *f, links=PEOPLE, **r), properties, facts, relations)


@settings(max_examples=150)
@given(st.lists(notes, min_size=1, max_size=8))
def test_notes_fit_the_schema_inferred_from_them(found: list[Subject]) -> None:
    """Below 20 notes, 95 % of them are all; so no required field is missing, and nothing else is wrong either."""
    schema = infer(found, 0).schema
    for note in found:
        assert {f.fault for f in check(schema, note).findings} <= {Fault.LEADS_NOWHERE}


@settings(max_examples=150)
@given(st.lists(notes, max_size=8), st.floats(0, 1))
def test_what_is_inferred_can_be_written_and_read(found: list[Subject], threshold: float) -> None:
    schema = infer(found, threshold).schema
    assert parse(schema.written()) == schema
