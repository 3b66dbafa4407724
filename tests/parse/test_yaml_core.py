import pytest

from sidecar.parse.yaml_core import flow_text, number_text, resolve_plain


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None), ("Null", None), ("NULL", None), ("nULL", "nULL"),
        ("TRUE", True), ("False", False), ("tRUE", "tRUE"), ("no", "no"),
        ("-5", -5), ("+.5e-3", 0.0005), ("5.", 5.0), (".", "."), ("-", "-"), ("1e", "1e"), ("-0o7", "-0o7"),
        ("0o8", "0o8"), ("0xG", "0xG"), ("1 2", "1 2"), ("٣", "٣"), ("1\n", "1\n"),
    ],
)  # fmt: skip
def test_y2_words_and_numbers_of_the_core_schema(text: str, value: object) -> None:
    assert repr(resolve_plain(text)) == repr(value)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "1"), (1.0, "1"), (-0.5, "-0.5"), (1e20, "100000000000000000000"), (1e21, "1e+21"), (1.5e-7, "1.5e-7"),
        (float("inf"), ".inf"), (float("-inf"), "-.inf"), (float("nan"), ".nan"), (10**30, "1" + "0" * 30),
    ],
)  # fmt: skip
def test_y5_numbers_are_written_as_javascript_does(value: float, text: str) -> None:
    assert number_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""), (True, "true"), (False, "false"), (1.5, "1.5"), ("x", "x"), ([], "[]"), ({}, "{}"),
        ([None, "a"], "[ null, a ]"), ({"date": None}, "{ date }"), ({"a": {"b": [1]}}, "{ a: { b: [ 1 ] } }"),
    ],
)  # fmt: skip
def test_y2_names_that_are_no_text(value: object, text: str) -> None:
    assert flow_text(value) == text  # type: ignore[arg-type]
