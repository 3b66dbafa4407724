import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.canvas.letters import code_words_of, words_of


@pytest.mark.parametrize(
    ("smaller", "larger"),
    [
        ("illi", "mmmm"),
        ("abcd", "ABCD"),
        ("abcd", "読書読書"),
        ("abcd", "🌱🌱🌱🌱"),
        ("word", "#word"),
        ("e", "e e"),
    ],
)
def test_letters_have_widths_of_their_own(smaller: str, larger: str) -> None:
    assert words_of(smaller).whole < words_of(larger).whole


def test_marks_and_joined_signs_take_no_room() -> None:
    assert words_of("n\u0303").whole == words_of("n").whole
    assert words_of("👩\u200d🌾").whole == words_of("👩").whole
    assert words_of("bold", 1.5).whole == pytest.approx(words_of("bold").whole * 1.5)


@pytest.mark.parametrize(
    ("text", "room", "lines"),
    [
        ("", 100, 1),
        ("one two", 100, 1),
        ("one two three four", 80, 2),
        ("one-two-three", 50, 3),
        ("x" * 40, 100, 4),
        ("読" * 20, 100, 4),
        ("ab " + "読" * 20, 120, 4),
        ("น้ำฝนจากหลังคาโรงเก็บของเติมถัง", 120, 3),
    ],
)
def test_lines_are_broken_between_words_behind_hyphens_and_where_there_are_none(
    text: str, room: float, lines: int
) -> None:
    assert words_of(text).lines(room) == lines


def test_larger_letters_need_more_lines() -> None:
    assert words_of("one two three").lines(100) < words_of("one two three").lines(100, 2)


def test_code_keeps_its_spaces() -> None:
    assert code_words_of("    a").lines(100) == 1
    assert code_words_of("a" + " " * 30 + "b").whole == code_words_of("a" * 32).whole


@given(st.text(max_size=200), st.floats(20, 600))
def test_law_more_room_never_takes_more_lines(text: str, room: float) -> None:
    words = words_of(text)
    assert 1 <= words.lines(room * 2) <= words.lines(room)
    assert words.lines(room) * room >= words.whole * 0.4 or words.lines(room) == 1


def test_a_text_that_is_far_too_long_is_only_counted() -> None:
    assert len(words_of("a b " * 2_000).words) == 1
    assert len(code_words_of("a b " * 2_000).words) == 1
