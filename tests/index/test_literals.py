import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.errors import Invalid
from sidecar.index.literals import branches_of, bytes_check, letters_check, required
from sidecar.index.query import parse_query
from sidecar.index.regex import OutOfTime, Patience, compile_regex
from sidecar.model.search import And, Matches, Not, Or, Place, Query, Term, Within


@pytest.mark.parametrize(
    ("pattern", "letters"),
    [
        ("alpha", {"alpha"}),
        ("Alpha Beta", {"alpha beta"}),
        ("alpha[a-z]* b", {"alpha"}),
        (r"\d{4}-\d{2}", None),
        (r"\bfoo\b", {"foo"}),
        ("foo|barbar", {"foo", "barbar"}),
        ("foo|.", None),
        ("colou?r", {"colo"}),
        ("colou*r", {"colo"}),
        ("ab+cd", {"ab"}),
        ("abc+", {"abc"}),
        ("ab{0,3}cde", {"cde"}),
        ("(foo)?bar", {"bar"}),
        ("(foo|bars)z", {"foo", "bars"}),
        ("(?:foo)+", {"foo"}),
        ("(?<n>foo)", {"foo"}),
        ("(?=foo)ba", {"ba"}),
        ("(?!foo)", None),
        (r"a\.b", {"a.b"}),
        (r"\u0041bc", {"bc"}),
        (r"[abc]de", {"de"}),
        (r"[^]]de", {"de"}),
        ("é", None),
        ("café au", {"caf"}),
        ("a", None),
        ("", None),
        (")abc", None),
    ],
)
def test_letters_that_every_match_holds(pattern: str, letters: set[str] | None) -> None:
    assert required(pattern) == letters


@pytest.mark.parametrize(
    ("query", "data", "may"),
    [
        (Matches("task"), "A TASK", True),
        (Matches("task"), "a tusk", False),
        # what is the same as k and s where case does not matter
        (Matches("task"), "ta\u017fk", True),
        (Matches("tak"), "ta\u212a", True),
        (Matches("ali"), "al\u0130", True),
        (Matches("foo"), "fo\u212a", False),
        (And((Matches("foo"), Term("x"))), "fo", False),
        (Or((Matches("foo"), Matches("bar"))), "a bar", True),
        (Or((Matches("foo"), Matches("bar"))), "a baz", False),
        (Within(Place.LINE, Matches("foo")), "fo", False),
    ],
)
def test_bytes_that_may_meet_a_query(query: Query, data: str, may: bool) -> None:
    check = bytes_check(query)
    assert check is not None
    assert check(data.encode()) is may
    assert check(data.encode("utf-16"))


@pytest.mark.parametrize(
    "query", [Matches("."), Term("foo"), Not(Matches("foo")), Or((Matches("foo"), Term("x"))), And((Term("x"),))]
)
def test_queries_that_let_everything_pass(query: Query) -> None:
    assert bytes_check(query) is None
    assert bytes_check(parse_query("path:/foo/")) is None


pieces = st.sampled_from(
    [*"abks.|()*+?^$-", "ab", "sk", r"\.", r"\b", r"\d", "(?:", "(?=", "(?!", "(?<=", "(?<x>", "[ab]", "[^a]", "[]", "[^]", "{2}", "{0}", "{0,2}",
     "{,3}", "{", "}", "]", r"\u0061", r"\x61", r"\k<x>", r"\1", r"\cJ", r"\p{L}", "é", r"\é", " ", "/"]
)  # fmt: skip
texts = st.lists(st.sampled_from([*"abksABKS.-0 {}],3/\n", "é", "ſ", "K", "İ"]), max_size=12).map("".join)


@given(st.lists(pieces, max_size=9).map("".join), st.lists(texts, min_size=3, max_size=3), st.booleans())
def test_no_text_that_an_expression_matches_is_ruled_out(pattern: str, candidates: list[str], case: bool) -> None:
    check = bytes_check(Matches(pattern, case))
    for text in candidates:
        try:
            found = compile_regex(pattern, Patience(0.2), case=case).span(text)
        except (Invalid, OutOfTime):
            return
        if found and check:
            assert check(text.encode()), text


@pytest.mark.parametrize(
    ("pattern", "branches"),
    [
        ("a", ["a"]),
        ("a|bc|", ["a", "bc", ""]),
        (r"a\|b|[|]c", [r"a\|b", "[|]c"]),
        ("(a|b)c|(?=d|e)f", ["(a|b)c", "(?=d|e)f"]),
        (r"(a)|b\1", [r"(a)|b\1"]),
        (r"(?<n>a)|\k<n>b", [r"(?<n>a)|\k<n>b"]),
        ("a)|b", ["a)|b"]),
    ],
)
def test_branches_stand_outside_of_groups_and_alone(pattern: str, branches: list[str]) -> None:
    assert branches_of(pattern) == branches


@pytest.mark.parametrize("text", ["TASK", "ta\u017fk", "tas\u212a", "x task"])
def test_letters_rule_no_other_form_of_a_letter_out(text: str) -> None:
    may_match = letters_check("task")
    assert may_match is not None
    assert may_match(text.lower())
    assert not may_match("t\u00e4sk")
    assert letters_check(".") is None
