from sidecar.canvas.layout.aside import stepped_aside
from sidecar.canvas.layout.geometry import GAP, GRID, Box, Size
from sidecar.canvas.layout.graph import graph_of
from sidecar.canvas.layout.ports import ported
from sidecar.canvas.layout.quality import labels_over, off_grid, overlaps
from sidecar.canvas.layout.sides import facing_sides

ROWS = {"a": 0, "b": 0, "c": 100, "d": 100, "e": -100, "f": -100}
BOXES = {card: Box(240 * (number % 2), y, 200, 60) for number, (card, y) in enumerate(ROWS.items())}
SIZES = {card: Size(200, 60) for card in BOXES}


def covered(boxes: dict[str, Box], labels: dict[tuple[str, str], Size]) -> tuple[int, int]:
    facing = {(start, end): facing_sides(boxes[start], boxes[end]) for start, end in labels}
    return labels_over(boxes, labels, ported(boxes, facing, labels, labels))


def test_a_card_steps_aside_for_a_label() -> None:
    labels = {("a", "b"): Size(120, 30)}
    assert covered(BOXES, labels) != (0, 0)
    after = stepped_aside(BOXES, graph_of(SIZES, labels, labels))
    assert covered(after, labels) == (0, 0)
    assert overlaps(after, GAP) == 0
    assert not off_grid(after, GRID)
    assert sum(after[card] != box for card, box in BOXES.items()) == 1


def test_labels_that_cover_each_other_are_parted() -> None:
    boxes = {"a": Box(0, 0, 200, 60), "b": Box(600, 0, 200, 60), "c": Box(0, 100, 200, 60), "d": Box(600, 100, 200, 60)}
    labels = {("a", "d"): Size(200, 30), ("c", "b"): Size(200, 30)}
    facing = {(start, end): facing_sides(boxes[start], boxes[end]) for start, end in labels}
    assert labels_over(boxes, labels, facing) == (0, 1)
    sizes = {card: Size(200, 60) for card in boxes}
    assert covered(stepped_aside(boxes, graph_of(sizes, labels, labels)), labels) == (0, 0)


def test_without_labels_or_faults_nothing_moves() -> None:
    assert stepped_aside(BOXES, graph_of(SIZES, [("a", "b")])) == BOXES
    labels = {("a", "c"): Size(20, 20)}
    assert stepped_aside(BOXES, graph_of(SIZES, labels, labels)) == BOXES


def test_where_there_is_no_room_the_search_ends() -> None:
    many = {f"{n:03}": Box(n % 15 * 240, n // 15 * 100, 200, 60) for n in range(150)}
    labels = {("052", "053"): Size(300, 200), ("067", "068"): Size(300, 200)}
    after = stepped_aside(many, graph_of(dict.fromkeys(many, Size(200, 60)), labels, labels))
    assert overlaps(after, GAP) == 0
