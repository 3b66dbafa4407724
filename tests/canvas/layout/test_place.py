import itertools

from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.canvas.layout.geometry import GAP, GRID, Box, Size, enclose
from sidecar.canvas.layout.place import place

CARD = Size(250, 60)


def test_linked_cards_read_from_left_to_right() -> None:
    placed = place(dict.fromkeys(range(4), CARD), [(0, 1), (1, 2), (0, 3)], {})
    assert placed[0].right < placed[1].x
    assert placed[1].right < placed[2].x
    assert placed[3].x == placed[1].x


def test_a_circle_is_no_trouble() -> None:
    placed = place(dict.fromkeys(range(3), CARD), [(0, 1), (1, 2), (2, 0), (1, 1)], {})
    assert placed[0].x < placed[1].x < placed[2].x


def test_unlinked_cards_fill_rows() -> None:
    placed = place(dict.fromkeys(range(12), CARD), [], {})
    around = enclose(placed.values())
    assert 1.3 < around.width / around.height < 3
    assert [placed[n].x for n in range(4)] == [0, 300, 600, 0]


def test_a_long_chain_wraps_and_a_wide_fan_is_folded() -> None:
    chain = enclose(place(dict.fromkeys(range(60), CARD), list(itertools.pairwise(range(60))), {}).values())
    fan = enclose(place(dict.fromkeys(range(61), CARD), [(0, n) for n in range(1, 61)], {}).values())
    assert 1.3 < chain.width / chain.height < 2.5
    assert 1.3 < fan.width / fan.height < 2.5


def test_c35_a_linked_card_goes_beside_its_neighbour() -> None:
    home = Box(1000, 500, 250, 60)
    follower = place({1: CARD}, [(0, 1)], {0: home})[1]
    leader = place({1: CARD}, [(1, 0)], {0: home})[1]
    assert (follower.x, follower.y) == (1340, 500)
    assert (leader.x, leader.y) == (660, 500)


def test_c35_a_taken_place_is_passed_by() -> None:
    home, right = Box(0, 0, 250, 60), Box(330, 0, 250, 60)
    spot = place({2: CARD}, [(0, 2)], {0: home, 1: right})[2]
    assert not spot.meets(right, GAP)
    assert not spot.meets(home, GAP)
    assert abs(spot.x - home.x) + abs(spot.y - home.y) <= 450


def test_a_card_stays_out_of_a_group_it_was_not_put_in() -> None:
    group, home = Box(-20, -20, 2000, 2000), Box(0, 0, 250, 60)
    assert not place({2: CARD}, [(0, 2)], {0: home, 1: group})[2].meets(group, GRID)


def test_a_card_with_no_room_near_its_neighbour_goes_below() -> None:
    fixed = {n: Box(n % 120 * 60, n // 120 * 60, 20, 20) for n in range(120 * 120)}
    middle = 60 * 120 + 60
    spot = place({-1: Size(20, 20), -2: Size(20, 20)}, [(middle, -1), (0, -2)], fixed)
    assert spot[-1] == Box(0, 119 * 60 + 20 + 2 * GAP, 20, 20)
    assert spot[-2] == Box(100, -60, 20, 20)


def test_unlinked_cards_go_below_what_stands() -> None:
    fixed = {0: Box(-500, -300, 100.5, 77.7)}
    assert place({1: CARD}, [], fixed)[1] == Box(-500, -140, 250, 60)


def test_large_boxes_are_seen() -> None:
    huge = Box(-1_000_000, -1_000_000, 2_000_000, 2_000_000)
    placed = place({1: CARD, 2: Size(900_000, 900_000)}, [(0, 1), (0, 2)], {0: Box(0, 0, 250, 60), 9: huge})
    assert not any(box.meets(huge, GRID) for box in placed.values())
    assert not placed[1].meets(placed[2], GRID)


SIZES = st.builds(Size, st.integers(20, 900), st.integers(20, 900))
FIXED = st.builds(Box, st.integers(-2000, 2000), st.integers(-2000, 2000), st.integers(1, 900), st.integers(1, 900))


@settings(max_examples=80, deadline=None)
@given(
    st.dictionaries(st.integers(0, 15), SIZES, max_size=12),
    st.dictionaries(st.integers(16, 30), FIXED, max_size=8),
    st.lists(st.tuples(st.integers(0, 31), st.integers(0, 31)), max_size=20),
)
def test_law_nothing_overlaps_all_is_on_the_grid_and_the_same_twice(
    sizes: dict[int, Size], fixed: dict[int, Box], links: list[tuple[int, int]]
) -> None:
    placed = place(sizes, links, fixed)
    assert placed.keys() == sizes.keys()
    for number, box in placed.items():
        assert (box.width, box.height) == (sizes[number].width, sizes[number].height)
        assert box.x % GRID == box.y % GRID == 0
        assert not any(box.meets(other, GRID) for other in fixed.values())
    for one, other in itertools.combinations(placed.values(), 2):
        assert not one.meets(other, GRID)
    assert place(dict(reversed(sizes.items())), links[::-1], dict(reversed(fixed.items()))) == placed
