from sidecar.canvas.layout.geometry import Box, Size
from sidecar.canvas.layout.ports import ported
from sidecar.canvas.layout.quality import curved_through, labels_over
from sidecar.canvas.layout.sides import facing_sides

LEVEL = {"a": Box(0, 0, 200, 60), "x": Box(300, 0, 200, 60), "b": Box(600, 200, 200, 60)}
EDGE = ("a", "b")


def test_j7_an_edge_goes_round_a_card_that_lies_in_its_way() -> None:
    boxes = {**LEVEL, "x": Box(300, 60, 200, 100)}
    sides = ported(boxes, {EDGE: ("right", "left")}, [EDGE], {})
    assert curved_through(boxes, [EDGE], {EDGE: ("right", "left")}) == 1
    assert curved_through(boxes, [EDGE], sides) == 0


def test_j7_an_edge_without_fault_keeps_its_sides_and_so_does_one_that_is_not_free() -> None:
    clear = {"a": LEVEL["a"], "b": LEVEL["b"]}
    assert ported(clear, {EDGE: ("bottom", "top")}, [EDGE], {}) == {EDGE: ("bottom", "top")}
    boxes = {**LEVEL, "x": Box(300, 60, 200, 100)}
    assert ported(boxes, {EDGE: ("right", "left")}, [], {}) == {EDGE: ("right", "left")}


def test_a_label_is_kept_off_cards() -> None:
    boxes = {"a": Box(0, 0, 200, 60), "b": Box(240, 140, 200, 60)}
    labels = {EDGE: Size(120, 30)}
    assert labels_over(boxes, labels, {EDGE: ("right", "left")})[0] == 0
    tight = {"a": Box(0, 0, 200, 100), "b": Box(240, 160, 200, 60), "x": Box(160, 110, 60, 40)}
    sides = ported(tight, {EDGE: ("right", "left")}, [EDGE], labels)
    assert labels_over(tight, labels, sides)[0] <= labels_over(tight, labels, {EDGE: ("right", "left")})[0]


def test_j7_an_edge_with_cards_all_along_its_way_makes_a_bow_around_them() -> None:
    boxes = {"a": Box(0, 0, 200, 60), "x": Box(0, 100, 200, 60), "b": Box(0, 200, 200, 60)}
    sides = ported(boxes, {EDGE: ("bottom", "top")}, [EDGE], {})
    assert sides[EDGE] in {("right", "right"), ("left", "left")}
    assert curved_through(boxes, [EDGE], sides) == 0


def test_a_label_is_kept_off_other_labels() -> None:
    boxes = {"a": Box(0, 0, 200, 60), "b": Box(600, 0, 200, 60), "c": Box(0, 80, 200, 60), "d": Box(600, 80, 200, 60)}
    edges = [("a", "b"), ("c", "d")]
    labels = dict.fromkeys(edges, Size(200, 100))
    usual = {(start, end): facing_sides(boxes[start], boxes[end]) for start, end in edges}
    assert labels_over(boxes, labels, usual) == (0, 1)
    assert labels_over(boxes, labels, ported(boxes, usual, edges, labels)) == (0, 0)
