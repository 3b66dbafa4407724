import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.parse.plain_text import Spans, comments_of, not_plain
from sidecar.parse.scanner import scan


def plain(text: str) -> str:
    """Return a run with a dot for each character that is not plain."""
    taken = not_plain(text, 0, len(text))
    return "".join("." if taken.meets(at, at + 1) else character for at, character in enumerate(text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a `b` c", "a ... c"),
        ("a ``b` c`` d", "a ........ d"),
        ("a [[b]] c", "a ..... c"),
        ("a [b](c d) e", "a ...(c d) e"),
        ("a [b](c) e", "a ...... e"),
        ("a [b [c] d] e", "a ......... e"),
        ("a \\[b] c", "a \\[b] c"),
        ("[a]: b\nc", "......\nc"),
        ("a $b$ $5 c", "a ... $5 c"),
        ("a <b c='d'>e</b> f", "a .........e.... f"),
        ("a #b/c d", "a .... d"),
        ("a http://b.c/d e", "a ............ e"),
        ("a b@c.d e", "a ..... e"),
        ("a ^b", "a .."),
        ("a b^c", "a b^c"),
    ],
)
def test_what_is_not_plain(text: str, expected: str) -> None:
    assert plain(text) == expected


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("a %%b%% c", ["%%b%%"]),
        ("%%\na\n\nb\n%%\nc", ["%%\na\n\nb\n%%"]),
        ("a %%b", []),
        ("`%%` a %%b%%", ["%%b%%"]),
        ("```\n%%\n```\na %%b%%", ["%%b%%"]),
        ("%%%% a %%%%", []),
    ],
)
def test_b17_b27_comments(text: str, hidden: list[str]) -> None:
    comments = comments_of(text, 0, scan(text))
    told = "".join(c if comments.meets(at, at + 1) else "\0" for at, c in enumerate(text))
    assert [part for part in told.split("\0") if part] == hidden


def test_spans_meet_what_shares_a_character() -> None:
    spans = Spans([(5, 8), (1, 3)])
    assert [at for at in range(10) if spans.meets(at, at + 1)] == [1, 2, 5, 6, 7]
    assert spans.meets(0, 10)
    assert not spans.meets(3, 5)


@given(st.text("`[]()$<>!-%#^\\\n aB1:/w.@", max_size=60))
def test_law_any_text_is_read(text: str) -> None:
    plain(text)
    comments_of(text, 0, scan(text))
