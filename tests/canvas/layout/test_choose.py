from sidecar.canvas.layout.choose import Layout, Pencil
from sidecar.canvas.layout.geometry import Size


def test_j7_the_sides_of_edges_in_a_group_that_was_turned_over_are_forgotten() -> None:
    pencil = Pencil(Layout.FLOW, "right", {}, {})
    boxes = pencil.draw({"a": Size(250, 60), "b": Size(250, 60)}, [("a", "b")])
    pencil.forget_turned({card: box.moved(500, -300) for card, box in boxes.items()})
    assert pencil.sides == {("a", "b"): ("right", "left")}
    pencil.forget_turned({"a": boxes["b"], "b": boxes["a"]})
    assert pencil.sides == {}
