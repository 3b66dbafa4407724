from sidecar.canvas.layout.geometry import GRID, Box
from sidecar.canvas.layout.quality import aspect, off_grid, overlaps
from sidecar.canvas.layout.widen import widened


def test_a_high_drawing_is_drawn_out_across_and_a_wide_one_along() -> None:
    high = {f"{n}": Box(n % 2 * 300, n // 2 * 100, 250, 60) for n in range(10)}
    wide = {f"{n}": Box(n % 5 * 300, n // 5 * 300, 250, 60) for n in range(10)}
    for boxes in (high, wide):
        after = widened(boxes)
        assert abs(aspect(after) - 1.6) < abs(aspect(boxes) - 1.6)
        assert overlaps(after, GRID) == 0
        assert not off_grid(after, GRID)


def test_a_drawing_of_the_right_shape_stays() -> None:
    boxes = {"a": Box(0, 0, 250, 60), "b": Box(300, 250, 250, 60)}
    assert widened(boxes) == boxes
