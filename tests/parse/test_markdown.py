import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.parse.markdown import rendered_text


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Plain  words", "Plain words"),
        ('💡 | <span style="color:#C2B6C4">Tasks:</span>', "💡 | Tasks:"),
        ("a **b** _c_ ~~d~~ ==e **f**==", "a b c d e f"),
        ("`[[x]] *y*`", "[[x]] *y*"),
        ("[text](url) <https://a.b> ![alt](i.png)", "text https://a.b alt"),
        ("See [[Other]]", "See Other"),
        ("[[A|shown *so*]] ![[B]] [[C#H#I]] [[#J]] [[ ]]", "shown *so* B C > H > I J"),
        (r"\*no\* a &amp; b", "*no* a & b"),
        ("seen %%hidden%%", "seen"),
        ("snake_case_x <!-- c -->", "snake_case_x"),
        ("C #", "C #"),
        ("`C #` #", "C # #"),
        ("`one\ntwo`", "one two"),
        ("", ""),
        ("*" * 2000, "*" * 2000),
    ],
)
def test_c07_what_a_reader_sees_of_a_heading(raw: str, shown: str) -> None:
    assert rendered_text(raw) == shown


@settings(max_examples=200, deadline=None)
@given(st.text() | st.text(st.sampled_from("ab *_`[]()<>!|=~%\\&;#\n"), max_size=30))
def test_law_rendering_never_raises_and_stays_on_one_line(raw: str) -> None:
    assert "\n" not in rendered_text(raw)
