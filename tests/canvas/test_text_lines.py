import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.canvas.line_marks import CHAR, width_of
from sidecar.canvas.text_lines import TextLine, plain_lines, text_lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one two three", [TextLine("one two"), TextLine("three")]),
        ("# Big", [TextLine("Big", scale=1.7, look="heading")]),
        ("- a\n  - b", [TextLine("• a"), TextLine("• b", 15)]),
        ("12. a", [TextLine("12. a")]),
        ("> said", [TextLine("said", 15, look="quote")]),
        ("```\nx  y\n```", [TextLine("x  y", look="code")]),
        ("a\n\n\nb", [TextLine("a"), TextLine("", scale=0.6), TextLine("b")]),
        ("---", [TextLine("", scale=0.6, look="rule")]),
        ("**a** [[N|b]] x_y", [TextLine("a b x_y")]),
        ("![[pic]]", [TextLine("▣ pic")]),
        ("abcdefghijklm", [TextLine("abcdefghij"), TextLine("klm")]),
        ("読書読書読書", [TextLine("読書読書読"), TextLine("書")]),
        ("", []),
    ],
)
def test_lines_of_markdown(text: str, lines: list[TextLine]) -> None:
    assert list(text_lines(text, CHAR * 10 + 1)) == lines


def test_headings_can_be_less_large() -> None:
    assert next(text_lines("# Big", 200, 0.5)).scale == pytest.approx(1.35)


def test_plain_lines_keep_their_signs() -> None:
    assert list(plain_lines("_a_ **b**", 500, "quote")) == [TextLine("_a_ **b**", look="quote")]


@given(st.text(max_size=200), st.floats(40, 900))
def test_law_no_line_of_a_paragraph_is_wider_than_its_room(text: str, room: float) -> None:
    for line in plain_lines(text, room):
        assert width_of(line.text) <= room or len(line.text) == 1
