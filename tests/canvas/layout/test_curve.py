import pytest
from hypothesis import given
from hypothesis import strategies as st

from sidecar.canvas.layout.curve import Curve, reach_of, traced
from sidecar.canvas.layout.geometry import Box

_NEAR = 1e-6
_PLACES = st.integers(-4000, 4000).map(float)


@given(st.tuples(*[_PLACES] * 8))
def test_law_a_curve_is_within_its_reach(curve: Curve) -> None:
    reach = reach_of(curve)
    for x, y in traced(curve):
        assert reach.x - _NEAR <= x <= reach.right + _NEAR
        assert reach.y - _NEAR <= y <= reach.bottom + _NEAR


@pytest.mark.parametrize(
    ("curve", "reach"),
    [
        ((0, 0, 50, 0, 50, 100, 100, 100), Box(0, 0, 100, 100)),
        ((0, 0, 100, 0, 100, 60, 0, 60), Box(0, 0, 75, 60)),
        ((0, 0, 0, 0, 0, 0, 0, 0), Box(0, 0, 0, 0)),
    ],
)
def test_a_bow_reaches_three_quarters_of_the_way_it_bends(curve: Curve, reach: Box) -> None:
    assert reach_of(curve) == reach
