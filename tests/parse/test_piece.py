import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.errors import Invalid
from sidecar.parse.piece import (
    Measure,
    Piece,
    escaped_length,
    lines_in,
    lines_span,
    piece_of,
    utf8_length,
)


@pytest.mark.parametrize(("text", "lines"), [("", 0), ("a", 1), ("a\n", 1), ("a\r\nb", 2), ("\n\n", 2)])
def test_lines(text: str, lines: int) -> None:
    assert lines_in(text) == lines


@pytest.mark.parametrize(
    ("first", "last", "shown"),
    [
        (None, None, "a\nb\r\nc"),
        (1, 1, "a\n"),
        (2, 3, "b\r\nc"),
        (2, 99, "b\r\nc"),
        (None, 2, "a\nb\r\n"),
        (3, None, "c"),
    ],
)
def test_lines_count_from_one_and_are_both_included(first: int | None, last: int | None, shown: str) -> None:
    text = "a\nb\r\nc"
    start, end = lines_span(text, first, last)
    assert text[start:end] == shown


@pytest.mark.parametrize(("first", "last"), [(0, 1), (4, None), (3, 2), (-1, None)])
def test_lines_that_are_not_there(first: int, last: int | None) -> None:
    with pytest.raises(Invalid) as invalid:
        lines_span("a\nb\nc\n", first, last)
    assert invalid.value.data["lines"] == 3


def test_an_empty_text_can_be_read_from_its_first_line() -> None:
    assert lines_span("", 1, None) == (0, 0)
    assert piece_of("", 0, 0, 10, len) == Piece("", 1, 1, is_cut=False, next_line=None, is_torn=False)


def test_a_piece_ends_at_a_line() -> None:
    assert piece_of("aa\nbb\ncc\n", 0, 9, 7, len) == Piece("aa\nbb\n", 1, 2, is_cut=True, next_line=3, is_torn=False)
    assert piece_of("aa\nbb\ncc\n", 3, 9, 6, len) == Piece(
        "bb\ncc\n", 2, 3, is_cut=False, next_line=None, is_torn=False
    )


def test_a_line_that_is_too_long_is_torn() -> None:
    assert piece_of("abcdef\nx", 0, 8, 4, len) == Piece("abcd", 1, 1, is_cut=True, next_line=2, is_torn=True)
    assert piece_of("x\nabcdef", 2, 8, 4, len) == Piece("abcd", 2, 2, is_cut=True, next_line=None, is_torn=True)


@settings(max_examples=200)
@given(
    st.text(st.sampled_from('ab\n\r"\\é系\t'), max_size=60),
    st.integers(5, 40),
    st.sampled_from([len, escaped_length, utf8_length]),
)
def test_law_pieces_fit_and_together_are_the_text(text: str, room: int, measure: Measure) -> None:
    read, line = "", 1
    while True:
        start, end = lines_span(text, line, None)
        piece = piece_of(text, start, end, room, measure)
        assert measure(piece.text) <= room
        assert piece.first_line == line
        if piece.is_torn:
            return
        read += piece.text
        if piece.next_line is None:
            break
        line = piece.next_line
    assert read == text


@given(st.text(max_size=20), st.text(max_size=20))
def test_law_measures_add_up(left: str, right: str) -> None:
    assert escaped_length(left) + escaped_length(right) == len(json.dumps(left + right, ensure_ascii=False)) - 2
