"""Completion ranks what begins with what was typed before what only holds it."""

from hypothesis import given
from hypothesis import strategies as st

from sidecar.services.note_list import best_completions


def test_beginnings_first_then_last_parts_then_anything() -> None:
    names = ["zoo/an apple", "Apple", "fruit/apple pie", "pear", "apple/core"]
    assert best_completions("app", names).values == ("Apple", "apple/core", "fruit/apple pie", "zoo/an apple")


@given(st.lists(st.text("abA/ ", max_size=4)), st.text("ab", max_size=2))
def test_each_name_that_fits_comes_once(names: list[str], typed: str) -> None:
    found = best_completions(typed, names)
    assert set(found.values) == {name for name in names if typed in name.lower()}
    assert len(set(found.values)) == len(found.values) == found.total
