import pytest

from sidecar.catalog.keys import text_key, value_key
from sidecar.model.note import Json


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (5, 5.0),
        (5, "5"),
        (1000, "1e3"),
        (0.5, "0.5"),
        (True, "TRUE"),
        ("Draft", "draft"),
        ("Cafe\u0301", "CAFÉ"),
        (["a", 1], ["A", 1.0]),
        ({"a": 1, "b": 2}, {"B": 2, "A": 1}),
        ("x" * 300, "X" * 300),
    ],
)
def test_equal_values_share_a_key(one: Json, other: Json) -> None:
    assert value_key(one) == value_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (None, ""),
        (None, "null"),
        ("007", 7),
        (2**53, 2**53 + 1),
        (["a", "b"], ["b", "a"]),
        (["a"], "a"),
        (["a", "b"], ["a, b"]),
        ("x" * 300, "x" * 301),
        ([], {}),
    ],
)
def test_different_values_do_not(one: Json, other: Json) -> None:
    assert value_key(one) != value_key(other)


@pytest.mark.parametrize("value", [float("inf"), float("nan"), "9" * 5000, "\ud800", 1e300])
def test_odd_values_have_a_key_that_can_be_stored(value: Json) -> None:
    assert value_key(value).encode()


def test_text_key_is_nfc_and_lower() -> None:
    assert text_key("E\u0301TE\u0301") == "été"
