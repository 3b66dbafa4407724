from hypothesis import given
from hypothesis import strategies as st

from sidecar.services.portions import fitting, portions, weight

wants = st.lists(st.integers(0, 1000), max_size=6)


@given(st.integers(-100, 3000), wants)
def test_nobody_gets_more_than_wanted_and_nothing_is_spent_twice(room: int, wanted: list[int]) -> None:
    shares = portions(room, wanted)
    assert all(0 <= share <= want for share, want in zip(shares, wanted, strict=True))
    assert sum(shares) <= max(0, room)
    assert sum(wanted) > room or list(shares) == wanted


@given(st.integers(0, 3000), wants)
def test_who_is_cut_has_no_less_than_anybody_else_but_for_rounding(room: int, wanted: list[int]) -> None:
    shares = portions(room, wanted)
    for share, want in zip(shares, wanted, strict=True):
        assert share == want or share + 1 >= max(shares)


@given(st.integers(0, 50), st.lists(st.integers(1, 20)))
def test_the_first_that_fit(room: int, weights: list[int]) -> None:
    kept = fitting(weights, room, lambda w: w)
    assert list(kept) == weights[: len(kept)]
    assert sum(kept) <= room
    assert len(kept) == len(weights) or sum(kept) + weights[len(kept)] > room


def test_line_breaks_and_quotes_weigh_as_in_json() -> None:
    assert (weight("ab"), weight('a"\nb', "ä")) == (4, 8 + 3)
