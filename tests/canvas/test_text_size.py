import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.canvas.layout.geometry import GRID, Size
from sidecar.canvas.text_size import SMALLEST, text_size


@pytest.mark.parametrize(
    "text", ["", "a", "One short line", "[[A very long target path/that is not shown|shown]]", "**bold** `code`"]
)
def test_j8_short_text_gets_obsidians_own_size(text: str) -> None:
    assert text_size(text) == SMALLEST == Size(250, 60)


@pytest.mark.parametrize(
    ("smaller", "larger"),
    [
        ("abc " * 20, "abc " * 200),
        ("ab " * 30, "読書 " * 30),
        ("plain", "# Heading"),
        ("##### Heading", "# Heading that is longer"),
        ("a\nb", "a\n\nb"),
        ("- a\n- b", "- a\n- b\n- c\n  - d"),
        ("word " * 12, "> " + "word " * 12),
        ("![[a.png]] and", "![[a.png]]"),
        ("| a |\n", "| a |\n| --- |\n| 1 |"),
        ("x" * 25, "```\n" + "x" * 25 + "\n```"),
        ("a\n", "a\n---\nb"),
    ],
)
def test_more_to_show_takes_more_room(smaller: str, larger: str) -> None:
    small, large = text_size(smaller), text_size(larger)
    assert small.width * small.height < large.width * large.height
    assert text_size(smaller, 250).height < text_size(larger, 250).height


def test_long_text_grows_wider_before_it_grows_high() -> None:
    size = text_size("word " * 80)
    assert 400 <= size.width <= 640
    assert size.height <= size.width


def test_a_given_width_stays() -> None:
    assert text_size("word " * 40, 333).width == 333
    assert text_size("word " * 40, 1).height > text_size("word " * 40, 333).height


def test_a_table_widens_its_card_until_its_words_fit() -> None:
    days = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
    assert 640 < text_size(f"|{days}|\n{'|-' * 7}|").width < 960
    assert text_size(f"|{days * 9}|\n{'|-' * 55}|").width == 960


def test_a_very_long_text_is_measured_by_its_beginning() -> None:
    once, twice = text_size("a line\n" * 20_000), text_size("a line\n" * 40_000)
    assert twice.height / once.height == pytest.approx(2, rel=0.01)


@given(st.text(max_size=300), st.none() | st.integers(1, 2000))
def test_law_sizes_are_on_the_grid_and_never_below_the_smallest(text: str, width: int | None) -> None:
    size = text_size(text, width)
    assert size.height % GRID == 0
    assert size.height >= SMALLEST.height
    if width is None:
        assert size.width == SMALLEST.width or size.width % GRID == 0
        assert size.width >= SMALLEST.width
