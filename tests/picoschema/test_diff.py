"""How notes move away from their schema."""

from hypothesis import given
from hypothesis import strategies as st

from sidecar.parse.yaml_loader import load
from sidecar.picoschema.diff import drift
from sidecar.picoschema.grammar import parse
from sidecar.picoschema.infer import infer
from sidecar.picoschema.subject import Subject
from tests.picoschema.builders import subject
from tests.picoschema.test_infer import notes


def test_new_and_dropped_fields() -> None:
    found = drift(
        parse(load("{name: string, rare: string, gone?: string}")),
        [subject({"name": "a", **({"new": 1} if n < 5 else {}), **({"rare": "x"} if n < 2 else {}), **({"odd": 1} if n < 4 else {})}) for n in range(20)],
    )  # fmt: skip
    assert [(use.field.name, use.count) for use in found.new] == [("new", 5)]
    assert [(item.field.name, item.count, item.total) for item in found.dropped] == [("gone", 0, 20)]


def test_one_became_many_and_many_one_but_choices_are_no_lists() -> None:
    schema = parse(load("{a: string, b(array): string, c(array): string, s(enum): [x, y]}"))
    found = drift(schema, [subject({"a": ["1", "2"], "b": "x", "c": ["x"], "s": "x"}) for _ in range(4)])
    assert [(i.field.name, i.count, i.total) for i in found.became_many] == [("a", 4, 4)]
    assert [i.field.name for i in found.became_one] == ["b"]


def test_other_types_and_values() -> None:
    schema = parse(load("{age: integer, s(enum): [x, y], ok: string}"))
    found = drift(
        schema, [subject({"age": "old" if n else 5, "s": "z" if n == 1 else "x", "ok": "a"}) for n in range(10)]
    )
    assert [(i.field.name, i.seen.type, i.count, i.total) for i in found.types] == [
        ("age", "any", 9, 10),
        ("s", found.types[1].seen.type, 1, 10),
    ]
    assert drift(schema, [subject({"age": 5 if n else "x", "s": "x", "ok": "a"}) for n in range(11)]).types == ()


@given(st.lists(notes, min_size=1, max_size=8))
def test_there_is_no_drift_from_a_schema_just_inferred(found: list[Subject]) -> None:
    inferred = infer(found, 0)
    seen = drift(inferred.schema, found)
    assert not {use.field.name for use in seen.new} & {field.name for field in inferred.schema.fields}
    assert (seen.dropped, seen.became_many, seen.became_one, seen.types) == ((), (), (), ())
