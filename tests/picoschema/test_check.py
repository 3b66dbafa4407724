"""Presence, number and type of every value."""

import pytest

from sidecar.parse.yaml_loader import load
from sidecar.picoschema.check import check
from sidecar.picoschema.grammar import parse
from sidecar.picoschema.subject import Subject
from tests.picoschema.builders import subject

FITS: list[tuple[str, Subject]] = [
    ("name: string", subject({"name": "Ada"})),
    ("Full Name: string", subject({"full_name": "Ada"})),
    ("name: string", subject({}, ("name", "Ada"))),
    ("name: string", subject({}, name="Ada")),
    ("name?: string", subject({})),
    ("name?: string", subject({"name": None})),
    ("born: string", subject({"born": "1815-12-10"})),
    ("age: integer", subject({"age": 36})),
    ("age: integer", subject({"age": 36.0})),
    ("age: integer", subject({}, ("age", "36 #years"))),
    ("size: number", subject({"size": 1.5})),
    ("size: number", subject({}, ("size", "-1.5e3"))),
    ("done: boolean", subject({"done": False})),
    ("done: boolean", subject({}, ("done", "True"))),
    ("x: any", subject({"x": {"a": [1]}})),
    ("x(array): any", subject({"x": [1, "a", {"b": 2}]})),
    ("tags(array): string", subject({"tags": ["a", "b"]})),
    ("tags(array): string", subject({"tags": "a"})),
    ("idea(array): string", subject({}, ("idea", "one"), ("idea", "two"))),
    ("one: string", subject({"one": ["x"]})),
    ("status(enum): [open, 2]", subject({"status": "open"})),
    ("status(enum): [open, 2]", subject({"status": 2})),
    ("status(enum): [open, done]", subject({}, ("status", "done #tag"))),
    ("status(enum): [open, done]", subject({}, status="done")),
    ("colours(array): [red, blue]", subject({"colours": ["red", "blue"]})),
    ("knows: Person", subject({}, knows="Bob", links={"Bob": ("person",)})),
    ("knows: Old_friend", subject({}, knows="Bob", links={"Bob": ("x", "Old friend")})),
    ("knows: Person", subject({"knows": "[[Bob]]"}, links={"Bob": ("person",)})),
    ("knows: Person", subject({}, ("knows", "[[Bob]]"), links={"Bob": ("person",)})),
    (
        "knows(array): Person",
        subject({"knows": ["[[Bob]]", "[[Eve]]"]}, links={"Bob": ("person",), "Eve": ("person",)}),
    ),
    ("at: {city: string, zip?: integer}", subject({"at": {"City": "London"}})),
    ("jobs(array): {at: string}", subject({"jobs": [{"at": "a"}, {"at": "b"}]})),
]


@pytest.mark.parametrize(("schema", "note"), FITS, ids=[f"{n} {schema}" for n, (schema, _) in enumerate(FITS)])
def test_what_fits(schema: str, note: Subject) -> None:
    assert check(parse(load(schema)), note).findings == ()


FAULTS: list[tuple[str, Subject, str]] = [
    ("name: string", subject({}), "missing name string None None"),
    ("name: string", subject({"name": None}), "missing name string None None"),
    ("name(array): string", subject({"name": []}), "missing name string None None"),
    ("name: string", subject({"name": 5}), "wrong_type name string 5 None"),
    ("age: integer", subject({"age": "old"}), "wrong_type age integer old None"),
    ("age: integer", subject({"age": True}), "wrong_type age integer true None"),
    ("age: integer", subject({"age": 1.5}), "wrong_type age integer 1.5 None"),
    ("age: integer", subject({}, ("x", "y"), ("age", "very  old")), "wrong_type age integer very old 2"),
    ("size: number", subject({"size": "big"}), "wrong_type size number big None"),
    ("done: boolean", subject({"done": "yes"}), "wrong_type done boolean yes None"),
    ("name: string", subject({"name": {"first": "Ada"}}), "wrong_type name string {'first': 'Ada'} None"),
    ("ages(array): integer", subject({"ages": [1, "two", 3]}), "wrong_type ages integer two None"),
    ("one: string", subject({"one": ["a", "b"]}), "too_many one string 2 None"),
    ("one: string", subject({}, ("one", "a"), ("one", "b")), "too_many one string 2 2"),
    ("status(enum): [open, done]", subject({"status": "Open"}), "not_a_choice status open | done Open None"),
    ("status(enum): [open, done]", subject({"status": {"a": 1}}), "not_a_choice status open | done {'a': 1} None"),
    ("knows: Person", subject({"knows": "Bob"}), "wrong_type knows Person Bob None"),
    ("knows: Person", subject({"knows": 5}), "wrong_type knows Person 5 None"),
    ("knows: Person", subject({}, knows="Bob"), "leads_nowhere knows Person [[Bob]] 50"),
    ("knows: Person", subject({}, knows="Bob", links={"Bob": ("place", "x")}), "wrong_note knows Person [[Bob]] (place, x) 50"),
    ("at: {city: string}", subject({"at": "London"}), "wrong_type at fields city London None"),
    ("at: {city: string}", subject({"at": {"town": "London"}}), "missing at.city string None None"),
    ("at: {no: {zip: integer}}", subject({"at": {"no": {"zip": "x"}}}), "wrong_type at.no.zip integer x None"),
    ("jobs(array): {at: string}", subject({"jobs": [{"at": "a"}, {}, "b"]}), "missing jobs.at string None None; wrong_type jobs fields at b None"),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "note", "said"), FAULTS, ids=[f"{n} {schema}" for n, (schema, _, _) in enumerate(FAULTS)])  # fmt: skip
def test_what_does_not(schema: str, note: Subject, said: str) -> None:
    findings = check(parse(load(schema)), note).findings
    assert "; ".join(f"{f.fault.value} {f.field} {f.expected} {f.found} {f.line}" for f in findings) == said


def test_rules_for_properties_look_at_nothing_else() -> None:
    rules = parse(load("status(enum): [open]"))
    note = subject({}, ("status", "open"))
    assert [f.fault for f in check(parse({}), note, rules).findings] == ["missing"]
    assert check(parse({}), subject({"status": "open"}), rules).findings == ()


def test_what_the_schema_does_not_know() -> None:
    note = subject({"extra": 1}, ("name", "Ada"), ("hint", "a"), ("hint", "b"), likes="Tea", name="X")
    checked = check(parse(load("name(array): string")), note)
    assert checked.unmatched_observations == {"hint": 2}
    assert checked.unmatched_relations == {"likes": 1}
