import itertools
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sidecar.canvas.layout.arrange import Drawing, Layout, arrange
from sidecar.canvas.layout.choose import MOST
from sidecar.canvas.layout.geometry import GAP, GRID, Box, Size, enclose
from sidecar.canvas.layout.nested import HEAD, MARGIN
from sidecar.canvas.layout.quality import (
    aspect,
    containment_faults,
    crossings,
    cut_through,
    foreign_cards,
    off_grid,
    overlaps,
)

CARD = Size(250, 60)


def named(count: int) -> dict[str, Size]:
    return {f"c{number:03}": CARD for number in range(count)}


def chain(count: int) -> list[tuple[str, str]]:
    return list(itertools.pairwise(named(count)))


def test_one_card_and_none() -> None:
    assert arrange({}, []).boxes == {}
    assert arrange({"a": CARD}, []).boxes == {"a": Box(0, 0, 250, 60)}


def test_a_flow_to_the_right_reads_from_left_to_right() -> None:
    drawing = arrange(named(4), [*chain(3), ("c000", "c003")], layout=Layout.FLOW, direction="right")
    boxes = drawing.boxes
    assert boxes["c000"].right < boxes["c001"].x < boxes["c001"].right < boxes["c002"].x
    assert set(drawing.sides.values()) == {("right", "left")}


def test_a_flow_downwards() -> None:
    drawing = arrange(named(3), chain(3), layout=Layout.FLOW, direction="down")
    assert drawing.boxes["c000"].bottom < drawing.boxes["c001"].y
    assert set(drawing.sides.values()) == {("bottom", "top")}


def test_a_circle_is_no_trouble() -> None:
    edges = [*chain(3), ("c002", "c000"), ("c001", "c001")]
    drawing = arrange(named(3), edges, layout=Layout.FLOW, direction="right")
    assert len({box.x for box in drawing.boxes.values()}) == 3


def test_a_long_chain_turns_back_at_its_end() -> None:
    drawing = arrange(named(40), chain(40), layout=Layout.FLOW)
    assert 1 < aspect(drawing.boxes) < 2.5
    assert crossings(drawing.boxes, chain(40), drawing.sides) == 0
    assert cut_through(drawing.boxes, chain(40), drawing.sides) == 0


@pytest.mark.parametrize("direction", [None, "right", "down"])
def test_no_edges_of_a_tree_cross(direction: Any) -> None:
    ids = list(named(30))
    edges = [(ids[(number - 1) // 3], ids[number]) for number in range(1, 30)]
    drawing = arrange(named(30), edges, layout=Layout.TREE, direction=direction)
    assert crossings(drawing.boxes, edges, drawing.sides) == 0
    assert cut_through(drawing.boxes, edges, drawing.sides) == 0


def test_a_tree_asked_for_where_there_is_none_is_a_flow() -> None:
    edges = [("c000", "c001"), ("c001", "c002"), ("c000", "c002")]
    drawing = arrange(named(3), edges, layout=Layout.TREE, direction="right")
    assert drawing.boxes["c000"].x < drawing.boxes["c001"].x < drawing.boxes["c002"].x


def test_a_timeline_is_in_the_order_of_dates() -> None:
    moments = {"c000": "2026-03-01", "c001": "2026-01-01", "c002": "2026-01-01"}
    boxes = arrange(named(4), [], layout=Layout.TIMELINE, moments=moments).boxes
    assert boxes["c001"].x == boxes["c002"].x < boxes["c000"].x < boxes["c003"].x


def test_groups_in_columns_stand_side_by_side() -> None:
    cards = named(6)
    groups = {"g": ["c000", "c001", "c002"], "h": ["c003", "c004", "c005"]}
    boxes = arrange(cards, [], layout=Layout.COLUMNS, groups=groups).boxes
    assert boxes["g"].y == boxes["h"].y
    assert not containment_faults(boxes, groups, MARGIN, HEAD)


def test_a_group_that_is_linked_with_one_card_stands_beside_it() -> None:
    boxes = arrange(named(3), [("c000", "c001")], groups={"g": ["c001", "c002"]}).boxes
    frame = enclose(boxes.values())
    assert (frame.x, frame.y) == (0, 0)
    assert frame.width < 1200
    assert frame.height < 700


def test_unlinked_cards_are_set_about_16_to_10() -> None:
    assert 1.2 < aspect(arrange(named(24), []).boxes) < 2.2


def test_more_than_can_be_drawn_by_links_is_set_in_stacks() -> None:
    cards = named(MOST + 1)
    boxes = arrange(cards, chain(MOST + 1)).boxes
    assert overlaps(boxes, GAP) == 0


def test_c35_a_linked_card_goes_beside_its_neighbour() -> None:
    home = Box(1000, 500, 250, 60)
    follower = arrange({"new": CARD}, [("home", "new")], fixed={"home": home}).boxes["new"]
    leader = arrange({"new": CARD}, [("new", "home")], fixed={"home": home}).boxes["new"]
    assert 0 < max(follower.x - home.right, follower.y - home.bottom) <= 2 * GAP + GRID
    assert 0 < max(home.x - leader.right, home.y - leader.bottom) <= 2 * GAP + GRID


def test_c35_a_taken_place_is_passed_by() -> None:
    home, right = Box(0, 0, 250, 60), Box(330, 0, 250, 60)
    spot = arrange({"new": CARD}, [("a", "new")], fixed={"a": home, "b": right}).boxes["new"]
    assert not spot.meets(right, GAP)
    assert not spot.meets(home, GAP)
    assert abs(spot.x - home.x) + abs(spot.y - home.y) <= 450


def test_a_card_stays_out_of_a_group_it_was_not_put_in() -> None:
    fixed = {"home": Box(0, 0, 250, 60), "group": Box(-20, -20, 2000, 2000)}
    assert not arrange({"new": CARD}, [("home", "new")], fixed=fixed).boxes["new"].meets(fixed["group"], GRID)


def test_unlinked_cards_go_below_what_stands() -> None:
    boxes = arrange({"new": CARD}, [], fixed={"a": Box(-500, -300, 100.5, 77.7)}).boxes
    assert boxes["new"] == Box(-500, -140, 250, 60)


def test_a_crowd_around_its_neighbour_sends_a_card_below() -> None:
    fixed = {f"{n:05}": Box(n % 120 * 60, n // 120 * 60, 20, 20) for n in range(120 * 120)}
    spot = arrange({"new": Size(20, 20)}, [(f"{60 * 120 + 60:05}", "new")], fixed=fixed).boxes["new"]
    assert not any(spot.meets(box, GAP) for box in fixed.values())


SIZES = st.builds(Size, st.integers(20, 900), st.integers(20, 900))
FIXED = st.builds(Box, st.integers(-2000, 2000), st.integers(-2000, 2000), st.integers(1, 900), st.integers(1, 900))


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(st.sampled_from("abcdefghijkl"), SIZES, max_size=12),
    st.dictionaries(st.sampled_from("mnopqrst"), FIXED, max_size=6),
    st.lists(
        st.tuples(st.sampled_from("abcdefghijklmnopqrstu"), st.sampled_from("abcdefghijklmnopqrstu")), max_size=20
    ),
    st.sampled_from(Layout),
    st.lists(st.lists(st.sampled_from("abcdefghijkl"), min_size=1, max_size=4, unique=True), max_size=3),
)
def test_law_nothing_overlaps_all_is_on_the_grid_and_order_does_not_matter(
    sizes: dict[str, Size],
    fixed: dict[str, Box],
    links: list[tuple[str, str]],
    layout: Layout,
    held: list[list[str]],
) -> None:
    groups = {f"G{number}": members for number, members in enumerate(held)}
    drawing = arrange(sizes, links, layout=layout, groups=groups, fixed=fixed)
    boxes = drawing.boxes
    assert sizes.keys() <= boxes.keys() <= sizes.keys() | groups.keys()
    for card, size in sizes.items():
        assert (boxes[card].width, boxes[card].height) == (size.width, size.height)
    assert not off_grid(boxes, GRID)
    assert overlaps({card: boxes[card] for card in sizes}, GRID) == 0
    assert not any(boxes[card].meets(box, GRID) for card in sizes for box in fixed.values())
    assert all(abs(box.x) < 60_000 and abs(box.y) < 60_000 for box in boxes.values())
    drawn = {group: members for group, members in groups.items() if group in boxes}
    assert not containment_faults(boxes, drawn, MARGIN, HEAD)
    assert not foreign_cards(boxes, drawn)
    mixed = random.Random(3)  # noqa: S311 - any order will do
    again = arrange(
        dict(mixed.sample(sorted(sizes.items()), len(sizes))),
        mixed.sample(links, len(links)),
        layout=layout,
        groups=dict(mixed.sample(sorted(groups.items()), len(groups))),
        fixed=dict(mixed.sample(sorted(fixed.items()), len(fixed))),
    )
    assert again == drawing


def test_every_edge_has_sides() -> None:
    cards = named(5)
    edges = [*chain(5), ("c000", "home"), ("nobody", "c001")]
    drawing: Drawing = arrange(cards, edges, fixed={"home": Box(0, 0, 10, 10)})
    assert set(drawing.sides) == {*chain(5), ("c000", "home")}


def test_the_sheet_begins_at_the_origin_without_anything_fixed() -> None:
    frame = enclose(arrange(named(10), [], layout=Layout.COLUMNS).boxes.values())
    assert (frame.x, frame.y) == (0, 0)
