import pytest

from sidecar.canvas.layout import insert as inserting
from sidecar.canvas.layout.geometry import GAP, Box, Occupied, Size
from sidecar.canvas.layout.insert import insert

CARD = Size(200, 60)
_MOST = 8 * 20 * 4 * 40
"""Homes, places beside each, ways from there, steps on each way."""


class Counting(Occupied):
    """Counts how often it is asked."""

    asked = 0

    def blocker(self, box: Box, gap: float) -> Box | None:
        Counting.asked += 1
        return super().blocker(box, gap)


@pytest.mark.parametrize("count", [10, 400, 3_000])
def test_j8_however_many_neighbours_a_card_has_few_places_are_tried(
    count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inserting, "Occupied", Counting)
    Counting.asked = 0
    fixed = {f"{n:04}": Box(n % 50 * 240, n // 50 * 100, 200, 60) for n in range(count)}
    placed = insert({"new": CARD}, [(card, "new") for card in fixed], fixed)
    assert 0 < Counting.asked <= _MOST
    assert not any(placed["new"].meets(box, GAP) for box in fixed.values())


@pytest.mark.parametrize("count", [50, 500])
def test_j8_few_places_are_compared_in_full(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = 0

    def crossed(*_: object) -> bool:
        nonlocal lines
        lines += 1
        return False

    monkeypatch.setattr(inserting, "cross", crossed)
    fixed = {f"{n:04}": Box(n % 25 * 400, n // 25 * 200, 200, 60) for n in range(count)}
    edges = [*((card, "0000") for card in fixed), ("0001", "new")]
    insert({"new": CARD}, edges, fixed)
    assert 0 < lines <= 32 * count
