import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.errors import Invalid
from sidecar.model.note import Json
from sidecar.services.meta_conditions import Condition, condition_of, conditions_in, value_at


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("status=active", Condition("status", "=", ("active",))),
        ("status == 'a=b'", Condition("status", "=", ("a=b",))),
        ("page count>=2", Condition("page count", ">=", ("2",))),
        ("a<=b", Condition("a", "<=", ("b",))),
        ("a<1", Condition("a", "<", ("1",))),
        ("a != x y", Condition("a", "!=", ("x y",))),
        ("done=TRUE", Condition("done", "=", (True,))),
        ("due=null", Condition("due", "missing")),
        ("due != null", Condition("due", "!=", (None,))),
        ("a=", Condition("a", "=", ("",))),
        ("tags has x", Condition("tags", "has", ("x",))),
        ("tags contains 'x y'", Condition("tags", "has", ("x y",))),
        ("k in [a, 'b, c']", Condition("k", "in", ("a", "b, c"))),
        ("k not in a, b", Condition("k", "not in", ("a", "b"))),
        ("k IN (a)", Condition("k", "in", ("a",))),
        ("k between 1..5", Condition("k", "between", ("1", "5"))),
        ("k between 2026-01-01 and 2026-02-01", Condition("k", "between", ("2026-01-01", "2026-02-01"))),
        ("k between [1, 5]", Condition("k", "between", ("1", "5"))),
        ("k exists", Condition("k", "exists")),
        ("k missing", Condition("k", "missing")),
        ("k", Condition("k", "exists")),
        ("born in=Rome", Condition("born in", "=", ("Rome",))),
        ("title=made in China", Condition("title", "=", ("made in China",))),
    ],
)
def test_what_a_condition_says(text: str, expected: Condition) -> None:
    assert condition_of(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "=x",
        "",
        "k in []",
        "k in [a",
        "k not in a, b]",
        "k has",
        "k between 1",
        "k between 1..2..3",
        "k>",
        "k exists now",
    ],
)
def test_what_says_nothing(text: str) -> None:
    with pytest.raises(Invalid) as error:
        condition_of(text)
    assert error.value.hint is not None
    assert "priority>=2" in error.value.hint


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a=1, b in [x, y], c='d,e'", ["a=1", "b in [x, y]", "c='d,e'"]),
        ('["a=1", "b"]', ["a=1", "b"]),
        (["a=1, 2", " "], ["a=1, 2"]),
        ({"a": "x", "n": 1}, ['a = "x"', "n = 1"]),
        ('{"a": true}', ["a = true"]),
        ("it's=1, b", ["it's=1", "b"]),
        ("", []),
    ],
)
def test_conditions_in_a_parameter(value: object, expected: list[str]) -> None:
    assert conditions_in(value) == expected


@pytest.mark.parametrize("value", [3, [3], "[", None])
def test_what_are_no_conditions(value: object) -> None:
    with pytest.raises(ValueError):
        conditions_in(value)


@pytest.mark.parametrize(
    ("condition", "value", "holds"),
    [
        ("k=5", 5, True),
        ("k=5", "5", True),
        ("k=5.0", 5, True),
        ("k=Done", "done", True),
        ("k=do", "done", False),
        ("k=true", True, True),
        ("k=a", ["b", "a"], True),
        ("k has a", ["b", "A"], True),
        ("k!=a", ["b", "a"], False),
        ("k!=a", None, True),
        ("k=null", None, True),
        ("k!=null", None, False),
        ("k!=null", "x", True),
        ("k in [a, b]", "b", True),
        ("k not in [a, b]", "c", True),
        ("k>2", 10, True),
        ("k>2", "10", True),
        ("k>2", "ten", False),
        ("k>2", True, False),
        ("k>2", None, False),
        ("k>=2", [1, 2], True),
        ("k<2026-07-01", "2026-06-30", True),
        ("k<2026-07-01", 5, False),
        ("k between 1..5", 5, True),
        ("k between 1..5", [0, 6], False),
        ("k exists", "", True),
        ("k exists", None, False),
        ("k missing", None, True),
    ],
)
def test_whether_a_value_meets_it(condition: str, value: Json, holds: bool) -> None:
    assert condition_of(condition).holds(value) is holds


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("A", 1),
        ("b.C", 2),
        ("b.d.e", 3),
        ("b", {"c": 2, "d": {"e": 3}}),
        ("x.y", 4),
        ("x.z.w", 5),
        ("b.c.d", None),
        ("n", None),
    ],
)
def test_nested_properties(name: str, expected: Json) -> None:
    properties: dict[str, Json] = {"a": 1, "b": {"c": 2, "d": {"e": 3}}, "x.y": 4, "x.z": {"w": 5}}
    assert value_at(properties, name) == expected


_words = st.text(alphabet="abc 1,[]='\"", max_size=12)


@given(
    st.dictionaries(
        st.sampled_from(["a", "b c", "d"]),
        st.one_of(_words.filter(lambda t: '"' not in t), st.integers(0, 99), st.booleans()),
    )
)
def test_a_mapping_means_equality(wanted: dict[str, Json]) -> None:
    conditions = list(map(condition_of, conditions_in(wanted)))
    assert all(c.holds(value) for c, value in zip(conditions, wanted.values(), strict=True))
    assert conditions_in(json.dumps(wanted)) == conditions_in(wanted)


@given(st.text(max_size=40))
def test_any_text_is_a_condition_or_invalid(text: str) -> None:
    for part in conditions_in(text.lstrip("[{ \t\n")):
        try:
            condition_of(part).holds("x")
        except Invalid:
            continue
