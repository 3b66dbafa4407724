from array import array
from collections.abc import Mapping
from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from sidecar.index.occurrences import SHIFT, Occurrences
from sidecar.index.postings import encode_places

places = st.lists(st.integers(0, 70_000), min_size=1, max_size=6, unique=True).map(sorted)


@given(st.dictionaries(st.integers(0, 40), places, min_size=1), st.none() | st.sets(st.integers(0, 45)))
def test_places_are_numbers_that_rise(where: Mapping[int, list[int]], files: set[int] | None) -> None:
    numbers = array("I", sorted(where))
    occurrences = Occurrences(numbers, [encode_places(where[number]) for number in numbers])
    asked = numbers if files is None else [number for number in numbers if number in files]
    for _ in range(2):
        assert list(occurrences.keys(files)) == [(number << SHIFT) + at for number in asked for at in where[number]]
        assert [list(accumulate(steps)) for steps in occurrences.steps(files)] == [where[number] for number in asked]
    assert occurrences.size > 0


def test_a_term_with_very_many_places() -> None:
    where = list(range(0, 20_000, 3))
    occurrences = Occurrences(array("I", [7]), [encode_places(where)])
    assert list(occurrences.keys(None)) == [(7 << SHIFT) + place for place in where]
