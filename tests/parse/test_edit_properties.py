from collections.abc import Callable

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sidecar.errors import Ambiguous, Invalid, Refused
from sidecar.model.note import Json
from sidecar.parse.edit_properties import (
    PropertiesUnreadable,
    PropertyNotEditable,
    add_to_list,
    remove_property,
    set_property,
)
from sidecar.parse.frontmatter import read_properties

C01 = """\
---
# my comment
date: 2026-03-16
title: "Quoted: title"
tags: [a, b]
time: 12:30
zip: 01234
---
Body
"""
C02 = '---\na: "unterminated\nkeep: yes\n---\nBody\n'
C03 = "---\ntags:\n  - keep\n  - 42\n  - {meta: x}\nother: yes\n---\n"


def note(yaml: str, body: str = "Body\n") -> str:
    return f"---\n{yaml}\n---\n{body}"


def test_c01_set_one_property_touch_nothing_else() -> None:
    assert set_property(C01, "status", "active", "\n") == C01.replace("zip: 01234\n", "zip: 01234\nstatus: active\n")


def test_c02_y3_a_block_that_does_not_parse_is_never_edited() -> None:
    edits: list[Callable[[], str]] = [
        lambda: set_property(C02, "status", "x", "\n"),
        lambda: remove_property(C02, "a", "\n"),
        lambda: add_to_list(C02, "tags", ["x"], "\n"),
    ]
    for edit in edits:
        with pytest.raises(PropertiesUnreadable) as refused:
            edit()
        assert refused.value.data["line"] == 2
        assert refused.value.category == "refused"


@pytest.mark.parametrize("yaml", ["- a\n- b", "just text", "a: 1\na: 2", "a: b: c"])
def test_y3_other_unreadable_blocks(yaml: str) -> None:
    with pytest.raises(PropertiesUnreadable):
        set_property(note(yaml), "status", "x", "\n")


def test_c02_no_second_block_before_one_that_is_never_closed() -> None:
    with pytest.raises(PropertiesUnreadable) as refused:
        set_property("---\ntitle: T\n\nBody\n", "status", "x", "\n")
    assert refused.value.data["line"] == 1


def test_a_rule_at_the_top_is_no_block() -> None:
    assert set_property("---\n\nBody\n", "a", 1, "\n") == "---\na: 1\n---\n---\n\nBody\n"


def test_c03_odd_members_survive_and_a_list_is_a_list() -> None:
    added = add_to_list(C03, "tags", ["added"], "\n")
    assert added == C03.replace("{meta: x}\n", "{meta: x}\n  - added\n")
    assert set_property(added, "aliases", ["A", "B"], "\n") == added.replace(
        "other: yes\n", "other: yes\naliases:\n  - A\n  - B\n"
    )


SET = [
    ("status: draft # was idea", "status", "done", "status: done # was idea"),
    ("status: draft", "Status", "done", "status: done"),
    ("a: 1\nstatus:\nb: 2", "status", "x", "a: 1\nstatus: x\nb: 2"),
    ('"my key" : 1 # c', "my key", [1], '"my key" : # c\n  - 1'),
    ("a: |\n  one\n  # text\n\n  two\n# comment\nb: 2", "a", 1, "a: 1\n# comment\nb: 2"),
    ("a:\n  # inner\n  b:\n    c: 1\n\n# above d\nd: 2 # end", "a", None, "a:\n\n# above d\nd: 2 # end"),
    ("a: one\n  two\nb: 2", "a", "x", "a: x\nb: 2"),
    ("a: [1,\n  2] # c\nb: 2", "a", "x", "a: x\nb: 2"),
    ("  a: 1\n  b: 2", "c", ["x\ny"], "  a: 1\n  b: 2\n  c:\n    - |-\n      x\n      y"),
    ("  a: 1\n  b: 2", "a", "x\n\ny", "  a: |-\n    x\n\n    y\n  b: 2"),
    ("a: x # c", "a", "y\nz", "a: |- # c\n  y\n  z"),
    ("b: &x 1\na: *x # c", "a", 2, "b: &x 1\na: 2 # c"),
    ("a: -", "a", 1, "a: 1"),
    ("# only a comment", "a", 1, "# only a comment\na: 1"),
    ("A: 1\na: 2", "a", 3, "A: 1\na: 3"),
    ("a: '[[x]]'", "b", "[[y]]", "a: '[[x]]'\nb: \"[[y]]\""),
]


@pytest.mark.parametrize(("before", "name", "value", "after"), SET)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_y5_set_touches_only_its_lines(before: str, name: str, value: Json, after: str, newline: str) -> None:
    edited = set_property(note(before).replace("\n", newline), name, value, newline)
    assert edited == note(after).replace("\n", newline)


ADD = [
    ("tags: [a, b] # c", "tags: [a, b, new] # c"),
    ("tags: [ a, b ]", "tags: [ a, b, new ]"),
    ("tags: [a, b,]", "tags: [a, b, new,]"),
    ("tags: []", "tags: [new]"),
    ("tags: [\n  a, # one\n  b # two\n]", "tags: [\n  a, # one\n  b, new # two\n]"),
    ("tags:\n- a # x\n\n# next\nb: 1", "tags:\n- a # x\n- new\n\n# next\nb: 1"),
    ("tags:\n    -   a\n    - b", "tags:\n    -   a\n    - b\n    - new"),
    ("tags:\n  - - a\n  -\n    b: 1", "tags:\n  - - a\n  -\n    b: 1\n  - new"),
    ("tags:\n  -\n    b: 1", "tags:\n  -\n    b: 1\n  - new"),
    ('tags: "keep" # c\nb: 1', 'tags:\n  - "keep" # c\n  - new\nb: 1'),
    ("tags: 42", "tags:\n  - 42\n  - new"),
    ("tags: one\n  two", "tags:\n  - one two\n  - new"),
    ("tags: |\n  x\nb: 1", "tags:\n  - |\n    x\n  - new\nb: 1"),
    ("tags: # c\nb: 1", "tags: # c\n  - new\nb: 1"),
    ("tags: -", "tags:\n  -\n  - new"),
    ("Tags: [a]", "Tags: [a, new]"),
    ("  tags: x\n  b: 2", "  tags:\n    - x\n    - new\n  b: 2"),
    ("b: 1", "b: 1\ntags:\n  - new"),
    ("? tags\n: [a]", "? tags\n: [a, new]"),
]


@pytest.mark.parametrize(("before", "after"), ADD)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_c03_members_keep_their_bytes(before: str, after: str, newline: str) -> None:
    edited = add_to_list(note(before).replace("\n", newline), "tags", ["new"], newline)
    assert edited == note(after).replace("\n", newline)


def test_a_member_is_added_once_and_quoted_where_it_must() -> None:
    text = note("tags: [a, 'b']")
    assert add_to_list(text, "tags", ["b", "a"], "\n") == text
    assert add_to_list(text, "tags", ["x, y", "a", "x, y"], "\n") == note("tags: [a, 'b', \"x, y\"]")
    assert add_to_list("Body", "tags", [], "\n") == "Body"
    assert add_to_list("Body", "tags", ["x", "x"], "\n") == "---\ntags:\n  - x\n---\nBody"


def test_a_truth_value_is_no_number() -> None:
    assert set_property(note("a: 1"), "a", True, "\n") == note("a: true")
    assert set_property(note("a: 1.0"), "a", 1, "\n") == note("a: 1.0")


@pytest.mark.parametrize(
    ("yaml", "value"),
    [
        ("a: 'x'  # c", "x"),
        ("a: [1, {b: [x]}]", [1, {"b": ["x"]}]),
        ("a: {b: 1, c: 2}", {"c": 2, "b": 1}),
        ('{"a": null}', None),
    ],
)
def test_setting_what_is_there_changes_no_byte(yaml: str, value: Json) -> None:
    assert set_property(note(yaml), "a", value, "\n") == note(yaml)


REMOVE = [
    ("a: 1\nb: 2", "A", note("b: 2")),
    ("b: 2\n# about a\na:\n  - x\n\n  - y # end\n\nc: 3", "a", note("b: 2\n# about a\n\nc: 3")),
    ("a: 1", "a", "Body\n"),
    ("\na: 1\n", "a", "Body\n"),
    ("# note\na: 1", "a", note("# note")),
    ("b: 1", "a", note("b: 1")),
]


@pytest.mark.parametrize(("before", "name", "after"), REMOVE)
def test_remove_takes_the_lines_and_the_empty_block(before: str, name: str, after: str) -> None:
    assert remove_property(note(before), name, "\n") == after


def test_remove_from_a_note_without_properties() -> None:
    assert remove_property("Body", "a", "\n") == "Body"


def test_the_empty_block_stays_when_the_body_would_become_one() -> None:
    assert remove_property(note("a: 1", "---\nb: 2\n---\n"), "a", "\n") == "---\n---\n---\nb: 2\n---\n"


@pytest.mark.parametrize(
    ("yaml", "reason"),
    [
        ("tags: &t [a]\nb: *t", "anchor"),
        ("b: &t [a]\ntags: *t", "another property"),
        ('{"tags": ["a"]}', "braces"),
        ("tags: {a: 1}", "named values"),
    ],
)
def test_what_would_reach_further_is_refused_with_the_reason(yaml: str, reason: str) -> None:
    with pytest.raises(PropertyNotEditable, match=reason):
        add_to_list(note(yaml), "tags", ["x"], "\n")


def test_an_explicit_key_is_not_replaced() -> None:
    with pytest.raises(PropertyNotEditable, match="'\\?'"):
        set_property(note("? a\n: 1"), "a", 2, "\n")
    with pytest.raises(PropertyNotEditable, match="'\\?'"):
        remove_property(note("? a\n: 1\nb: 1"), "a", "\n")


def test_an_edit_that_others_would_feel_is_refused() -> None:
    with pytest.raises(PropertyNotEditable):
        set_property(note("a: 1\n..."), "b", 2, "\n")
    with pytest.raises(PropertyNotEditable):
        remove_property(note("a: &x 1\nb: *x"), "a", "\n")
    with pytest.raises(PropertyNotEditable):
        set_property(note("a: 1"), "b", float("nan"), "\n")


def test_y4_two_spellings_are_not_guessed_between() -> None:
    with pytest.raises(Ambiguous) as ambiguous:
        set_property(note("Status: 1\nSTATUS: 2"), "status", "x", "\n")
    assert ambiguous.value.candidates == ("Status", "STATUS")


@pytest.mark.parametrize("name", ["", " ", " a", "a\nb", "x" * 2000])
def test_names_that_are_none(name: str) -> None:
    for text in ("Body", note("a: 1")):
        with pytest.raises(Invalid):
            set_property(text, name, 1, "\n")


LINES = st.sampled_from(
    ["a: 1", "b: [x, 'y'] # c", "c:\n  - 1\n  - {k: v}", "d: |\n  text\n\n  # more", "# comment", "", "e: >-\n  f\n  g"]
)
YAML = st.lists(LINES, unique=True, max_size=6).map("\n".join)
NAMES = st.sampled_from(["a", "b", "c", "d", "e", "new", "needs: quotes", "12", "日本"])
TEXTS = st.text(max_size=8) | st.sampled_from(["x\ny", "a: b", "true", "[[N]]", "# no", " x", "it's", '"'])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-999, 999) | TEXTS,
    lambda v: st.lists(v, max_size=3) | st.dictionaries(TEXTS, v, max_size=2),
    max_leaves=5,
)
BODIES = st.sampled_from(["", "Body\n", "---\nx: 1\n---\n", "no end"])
NEWLINES = st.sampled_from(["\n", "\r\n"])


@st.composite
def notes(draw: st.DrawFn) -> tuple[str, str]:
    newline = draw(NEWLINES)
    text = note(draw(YAML), draw(BODIES)) if draw(st.booleans()) else draw(st.sampled_from(["", "Body\n", "# T"]))
    return text.replace("\n", newline), newline


def lone_breaks(text: str) -> int:
    return text.replace("\r\n", "").count("\n")


@settings(max_examples=250, deadline=None)
@given(notes(), NAMES, VALUES)
def test_law_set_changes_only_its_span_and_reads_back(made: tuple[str, str], name: str, value: Json) -> None:
    text, newline = made
    try:
        edited = set_property(text, name, value, newline)
    except Refused:
        assume(False)
    before, after = read_properties(text), read_properties(edited)
    assert after.values == {**before.values, name: value}
    assert edited[after.body_start :] == text[before.body_start :]
    if newline == "\r\n":
        assert lone_breaks(edited) == 0
    else:
        assert "\r\n" not in edited
    if name in before.values:
        assert remove_property(edited, name, newline) == remove_property(text, name, newline)
    assert set_property(edited, name, value, newline) == edited


@settings(max_examples=150, deadline=None)
@given(notes(), VALUES)
def test_law_remove_after_a_set_that_appended_restores(made: tuple[str, str], value: Json) -> None:
    text, newline = made
    has_block = text.startswith("---")
    assume(not has_block or read_properties(text).values)
    edited = set_property(text, "zz", value, newline)
    assert remove_property(edited, "zz", newline) == text


@settings(max_examples=200, deadline=None)
@given(notes(), NAMES, st.lists(VALUES, max_size=3))
def test_law_adding_keeps_what_was_there(made: tuple[str, str], name: str, values: list[Json]) -> None:
    text, newline = made
    try:
        edited = add_to_list(text, name, values, newline)
    except Refused:
        assume(False)
    old = read_properties(text).values.get(name)
    members = old if isinstance(old, list) else [] if old is None else [old]
    new = read_properties(edited).values.get(name)
    if edited != text:
        assert isinstance(new, list)
        assert new[: len(members)] == members
    assert add_to_list(edited, name, values, newline) == edited
