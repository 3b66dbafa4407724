import pytest

from sidecar.errors import Invalid
from sidecar.index.regex import Patience
from sidecar.index.values import is_check, value_check
from sidecar.model.note import Json
from sidecar.model.search import Compares, Everything, Matches, Phrase, Term


@pytest.mark.parametrize(
    ("query", "value", "meets"),
    [
        (Everything(), None, True),
        (Phrase("ada"), "Ada Lovelace", True),
        (Phrase("love"), "Ada Lovelace", False),
        (Term("love", prefix=True), "Ada Lovelace", True),
        (Phrase("b c"), ["a", "b c"], True),
        (Phrase("b"), {"k": ["b"]}, True),
        (Phrase("5"), 5, True),
        (Phrase("true"), True, True),
        (Phrase("none"), None, False),
        (Phrase("Ada", case=True), "ada", False),
        (Matches("^a.a$"), ["x", "Ada"], True),
        (Matches("^a.a$", case=True), ["x", "Ada"], False),
        # S11: numbers by size, all else by its letters, which is right for dates
        (Compares("<", "5"), 4.5, True),
        (Compares("<", "5"), 5, False),
        (Compares("<=", "5"), 5, True),
        (Compares(">", "5"), "12", True),
        (Compares(">", "5"), "abc", False),
        (Compares(">", "5"), True, False),
        (Compares(">", "5"), None, False),
        (Compares(">", "5"), [1, 9], True),
        (Compares(">=", "-1.5"), -1.5, True),
        (Compares("<", "2026-02-01"), "2026-01-31", True),
        (Compares("<", "2026-02-01"), "2026-02-01", False),
        (Compares(">", "m"), "Zulu", True),
    ],
)
def test_a_value_meets_a_condition(
    query: Phrase | Term | Matches | Compares | Everything, value: Json, meets: bool
) -> None:
    assert value_check(query, Patience(1))(value) is meets


@pytest.mark.parametrize(
    ("wanted", "value", "meets"),
    [
        (None, None, True),
        (None, "", False),
        (None, [], False),
        (None, [None], False),
        (True, True, True),
        (True, [False, True], True),
        (True, False, False),
        ("done", "Done", True),
        ("done", "not done", True),
        ("done", ["a", "done"], True),
        ("!!!", "!!!", True),
        ("#work", ["work"], True),
        ("5", 5, True),
    ],
)
def test_a_value_is_another(wanted: Json, value: Json, meets: bool) -> None:
    assert is_check(wanted)(value) is meets


def test_an_expression_that_is_none() -> None:
    with pytest.raises(Invalid):
        value_check(Matches("("), Patience(1))
