import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.parse.yaml_loader import YamlProblem
from sidecar.parse.yaml_outline import Place, Shape, outline

NOTE = """\
# comment
plain: x y # why
"quoted key" : 'z'
folded: one
  two
empty:
block: |
  # no comment

  text

# about tags
tags:
- a

-   b # last
flow: [
  a,
  "b" ] # end
map:
  inner: {a: 1}
same: *x
"""


def test_entries_know_their_lines_and_shapes() -> None:
    found = outline(NOTE.replace("plain: x y", "plain: &x x y"))
    assert not found.is_flow
    assert [(e.name, e.shape, e.key_start.line, e.value_end.line) for e in found.entries] == [
        ("plain", Shape.SCALAR, 1, 1),
        ("quoted key", Shape.SCALAR, 2, 2),
        ("folded", Shape.SCALAR, 3, 4),
        ("empty", Shape.EMPTY, 5, 5),
        ("block", Shape.BLOCK_TEXT, 6, 9),
        ("tags", Shape.LIST, 12, 15),
        ("flow", Shape.FLOW_LIST, 16, 18),
        ("map", Shape.MAPPING, 19, 20),
        ("same", Shape.ALIAS, 21, 21),
    ]


def test_places_count_characters() -> None:
    entry = outline("é: [日, 'b' , ]\r\n").entries[0]
    assert (entry.key_end, entry.value_start, entry.value_end) == (Place(0, 1), Place(0, 3), Place(0, 14))
    assert (entry.first_item, entry.last_item_end) == (Place(0, 4), Place(0, 10))


@pytest.mark.parametrize(("text", "value"), [("", None), ("- a", ["a"]), ("x", "x")])
def test_other_roots_have_no_entries(text: str, value: object) -> None:
    assert (outline(text).value, outline(text).entries) == (value, ())


def test_json_is_flow() -> None:
    assert outline('{"a": 1}').is_flow


def test_a_lone_dash_keeps_its_place() -> None:
    entry = outline("a: 1\nb: -\n").entries[1]
    assert (entry.value_start, entry.value_end) == (Place(1, 3), Place(1, 4))


@settings(max_examples=300, deadline=None)
@given(st.text(st.sampled_from(" \n\t-?:#'\"ab[]{},|>&*!"), max_size=40))
def test_law_an_outline_is_what_loads(text: str) -> None:
    try:
        found = outline(text)
    except YamlProblem:
        return
    lines = text.split("\n")
    ends = [entry.value_end.line for entry in found.entries]
    assert all(0 <= end <= len(lines) for end in ends)
    if not found.is_flow:
        assert ends == sorted(ends)
