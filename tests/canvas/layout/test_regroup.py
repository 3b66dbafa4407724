import itertools
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.canvas import Sample, samples
from sidecar.canvas.layout import arrange as arranging
from sidecar.canvas.layout.geometry import GAP, GRID, Box
from sidecar.canvas.layout.nested import HEAD, MARGIN
from sidecar.canvas.layout.quality import (
    containment_faults,
    crossings,
    cut_through,
    foreign_cards,
    off_grid,
    overlaps,
)
from sidecar.canvas.layout.regroup import framed, regrouped

GROUPED = [sample for sample in samples() if sample.groups]
_BUDGET = 60_000


@pytest.mark.parametrize("sample", GROUPED, ids=lambda sample: sample.name)
def test_groups_made_better_never_have_more_crossings(sample: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    after = sample.draw().boxes
    monkeypatch.setattr(arranging, "_BUDGET", 0)
    before = sample.draw().boxes
    assert crossings(after, sample.edges) <= crossings(before, sample.edges)
    assert cut_through(_cards(after, sample), sample.edges) <= cut_through(_cards(before, sample), sample.edges)


def _cards(boxes: Mapping[str, Box], sample: Sample) -> dict[str, Box]:
    return {card: box for card, box in boxes.items() if card in sample.sizes}


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.lists(st.tuples(st.integers(1, 20), st.integers(1, 20)), min_size=1, max_size=4), min_size=2, max_size=4
    ),
    st.lists(st.tuples(st.integers(0, 15), st.integers(0, 15)), max_size=20),
)
def test_law_every_group_still_holds_what_it_held_and_nothing_else(
    columns: list[list[tuple[int, int]]], links: list[tuple[int, int]]
) -> None:
    boxes: dict[str, Box] = {}
    groups: dict[str, list[str]] = {}
    x = 0.0
    for number, cards in enumerate(columns):
        y, held = 0.0, groups.setdefault(f"G{number}", [])
        for width, height in cards:
            name = f"c{len(boxes)}"
            held.append(name)
            boxes[name] = Box(x, y, width * GRID, height * GRID)
            y += height * GRID + GAP
        x = max(boxes[card].right for card in held) + 2 * (MARGIN + GAP)
    for group, held in groups.items():
        boxes[group] = framed((boxes[card] for card in held), MARGIN, HEAD)
    cards_only = sorted(card for card in boxes if card not in groups)
    edges = [(cards_only[a % len(cards_only)], cards_only[b % len(cards_only)]) for a, b in links]
    edges = [(a, b) for a, b in edges if a != b]
    after = regrouped(boxes, groups, edges, {}, budget=_BUDGET, margin=MARGIN, head=HEAD)
    assert after.keys() == boxes.keys()
    assert all(
        (after[card].width, after[card].height) == (boxes[card].width, boxes[card].height) for card in cards_only
    )
    assert not containment_faults(after, groups, MARGIN, HEAD)
    assert not foreign_cards(after, groups)
    assert overlaps({card: after[card] for card in cards_only}, GRID) == 0
    assert not any(after[one].meets(after[two]) for one, two in itertools.combinations(groups, 2))
    assert not off_grid(after, GRID)
