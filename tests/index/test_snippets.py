import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sidecar.index.query import parse_query
from sidecar.index.snippets import Needle, Needles, needles, snippet
from sidecar.model.note import Heading


def of(query: str) -> Needles:
    return needles(parse_query(query))


def test_needles_of_conditions_on_the_text() -> None:
    assert of("line:(alpha -beta) -line:gamma path:delta /epsilon/ task:match-case:Zeta") == (
        Needle(("alpha",)),
        Needle(("zeta",)),
    )


def test_needles_are_the_text_that_is_wanted() -> None:
    assert of('Alpha (beta OR -gamma) -"not this" "just this" tag:x path:y 系統 delt') == (
        Needle(("alpha",)),
        Needle(("beta",)),
        Needle(("just", "this"), exact=True),
        Needle(("系", "統")),
        Needle(("delt",), prefix=True),
    )
    assert of("-x") == of("") == of("!!!") == ()


NOTE = """\
# Garden

Nothing of note is here.

## Trees
The old oak stands by the gate.
Its crème blossoms were running wild.

- plant an apple tree

## Tools
spade, 系統図の rake and hose
"""


@pytest.mark.parametrize(
    ("query", "width", "text", "line"),
    [
        ("oak", 38, "The old oak stands by the gate.", 6),
        ("OAK gat", 38, "The old oak stands by the gate.", 6),
        ("creme", 40, "Its crème blossoms were running wild.", 7),
        ("runs", 40, "Its crème blossoms were running wild.", 7),
        ('"old oak"', 38, "The old oak stands by the gate.", 6),
        ("統図", 40, "## Tools\nspade, 系統図の rake and hose", 12),
        ("oak crème", 72, "The old oak stands by the gate.\nIts crème blossoms were running wild.", 6),
        ("oak", 20, "…old oak stands by…", 6),
        ("nowhere", 40, "# Garden\n\nNothing of note is here.", 1),
        ("apple", 1000, NOTE.strip(), 9),
    ],
)
def test_the_best_piece_in_whole_lines(query: str, width: int, text: str, line: int) -> None:
    found = snippet(NOTE, of(query), width)
    assert (found.text, found.line) == (text, line)


def test_more_different_words_win_then_the_closest_then_the_first() -> None:
    text = "\n".join(["aa aa aa aa", "x" * 60, "aa then much later bb", "y" * 60, "aa bb", "z" * 60, "aa bb"])
    found = snippet(text, of("aa bb"), 30)
    assert (found.text, found.line) == ("aa bb", 5)
    assert snippet(text, of("aa"), 12).line == 1


def test_the_heading_above_and_the_line_in_the_file() -> None:
    headings = [Heading(1, "Garden", 11, 0, 0), Heading(2, "Trees", 15, 0, 0), Heading(2, "Tools", 21, 0, 0)]
    found = snippet(NOTE, of("oak"), 38, headings=headings, first_line=11)
    assert (found.line, found.heading) == (16, "Trees")
    assert snippet(NOTE, of("rake"), 40, headings=headings, first_line=11).heading == "Tools"
    assert snippet("\n" + NOTE, of("nowhere"), 40, headings=headings, first_line=9).heading is None


@pytest.mark.parametrize(
    ("query", "focus", "text", "line"),
    [
        # only a match in the focus counts, however good another one is
        ("oak gate", "spade, 系統図の rake and hose", "spade, 系統図の rake and hose", 12),
        ("the rake", "spade, 系統図の rake and hose", "spade, 系統図の rake and hose", 12),
        ("", "apple", "- plant an apple tree", 9),
        ("", "\n- plant an apple tree\n\n", "- plant an apple tree", 9),
    ],
)
def test_the_focus_is_shown(query: str, focus: str, text: str, line: int) -> None:
    start = NOTE.index(focus)
    found = snippet(NOTE, of(query), 30, focus=(start, start + len(focus)))
    assert (found.text, found.line) == (text, line)


def test_a_long_focus_is_shown_from_its_beginning() -> None:
    text = "short\n" + "word " * 100
    assert snippet(text, (), 40, focus=(6, len(text))).text.startswith("word word")


def test_a_phrase_across_lines_is_seen() -> None:
    assert snippet("aa\nbb cc\n\ndd\nee", of('"cc dd"'), 10).text == "bb cc\n\ndd"


def test_data_is_no_match() -> None:
    assert snippet("data:a/b,secret\nno secret", of("secret"), 12).line == 2


def test_windows_line_breaks_and_empty_texts() -> None:
    assert snippet("one\r\ntwo\r\n\r\nthree\r\n", of("two"), 12).text == "one\ntwo"
    found = snippet("", of("two"))
    assert (found.text, found.line, found.heading) == ("", 1, None)
    assert snippet(" \n ", ()).text == ""


def test_a_long_text_without_spaces_is_cut_between_characters() -> None:
    family = "👩\u200d👩\u200d👧"
    text = family * 30 + "系統" + "e\u0301" * 100
    for width in range(20, 60):
        shown = snippet(text, of("系統"), width).text
        assert len(shown) <= width
        assert "系統" in shown
        assert shown[0] == shown[-1] == "…"
        assert shown[1] == "👩"
        assert shown[-2] == "\u0301"


@pytest.mark.parametrize("leaning", ["\u200d", "\u0301"])
def test_no_cut_is_made_before_what_leans_on_a_space(leaning: str) -> None:
    assert snippet(f"aaa  {leaning}aaaa系", of("系"), 10).text[1] == "a"


def places_of(piece: str, text: str) -> list[int]:
    return [at for at in range(1, len(text)) if text.startswith(piece, at)]


texts = st.text(st.sampled_from("ab 系\n\r\u0301\u200d👩🏽🇩🇪\ud83d\ude00"), max_size=120)


@example("aaa  \u200daaaa系", "系", 10)
@example("aaa  \u0301aaaa系", "系", 10)
@example("ab ab ab \ude00ab ab系", "系", 10)
@given(texts, st.sampled_from(["a", "ab", "系", '"a b"', "a* 系", "zz"]), st.integers(10, 60))
def test_a_snippet_is_a_piece_of_the_text_that_splits_no_character(text: str, query: str, width: int) -> None:
    found = snippet(text, of(query), width)
    plain = text.replace("\r\n", "\n")
    inside = found.text.removeprefix("…").removesuffix("…")
    assert inside in plain
    assert len(found.text) <= width
    assert 1 <= found.line <= text.count("\n") + 1
    if found.text.startswith("…"):
        assert not unicodedata.combining(inside[0])
        assert inside[0] != "\u200d"
        # Half a character may stand alone in a text; it must not come to stand alone.
        assert any(plain[at - 1] != "\ud83d" for at in places_of(inside, plain)) or inside[0] != "\ude00"
    if of(query) and snippet(text, of(query), 10_000).text and query == "系" and "系" in text:
        assert "系" in found.text
