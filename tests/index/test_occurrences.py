from array import array
from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from sidecar.index.occurrences import SHIFT, Occurrences
from sidecar.index.postings import encode_places

places = st.lists(st.integers(0, 70_000), min_size=1, max_size=6, unique=True).map(sorted)


@given(st.dictionaries(st.integers(0, 40), places), st.sets(st.integers(0, 45)), st.booleans())
def test_places_are_numbers_that_rise(where: Mapping[int, list[int]], asked: set[int], before: bool) -> None:
    numbers = array("I", sorted(where))
    occurrences = Occurrences(numbers, [encode_places(where[number]) for number in numbers])
    every = [(number << SHIFT) + place for number in numbers for place in where[number]]
    if before:
        assert list(occurrences.keys()) == every
    assert occurrences.are_read is before
    assert list(occurrences.keys_in(sorted(asked))) == [key for key in every if key >> SHIFT in asked]
    assert list(occurrences.keys()) == every
    assert occurrences.size >= 8 * len(every)


def test_a_term_with_very_many_places() -> None:
    where = list(range(0, 20_000, 3))
    assert list(Occurrences(array("I", [7]), [encode_places(where)]).keys()) == [
        (7 << SHIFT) + place for place in where
    ]
