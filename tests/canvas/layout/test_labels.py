import itertools

import pytest

from sidecar.canvas.edge_labels import label_size, label_sizes
from sidecar.canvas.layout.arrange import Layout, arrange
from sidecar.canvas.layout.geometry import Size
from sidecar.canvas.layout.quality import labels_over

CARDS = {f"c{number}": Size(250, 60) for number in range(6)}
CHAIN = list(itertools.pairwise(CARDS))


@pytest.mark.parametrize("layout", [Layout.AUTO, Layout.FLOW, Layout.TREE, Layout.MAP])
@pytest.mark.parametrize("text", ["no", "is the reason why"])
def test_edges_are_long_enough_for_their_labels(layout: Layout, text: str) -> None:
    labels = dict.fromkeys(CHAIN, label_size(text))
    drawing = arrange(CARDS, CHAIN, layout=layout, labels=labels)
    assert labels_over(drawing.boxes, labels, drawing.sides) == (0, 0)


def test_sizes_by_edge_the_widest_of_several() -> None:
    edges = [(("a", "b"), {"label": "x"}), (("a", "b"), {"label": "longer"}), (("b", "c"), {"label": " "})]
    assert label_sizes(edges) == {("a", "b"): label_size("longer")}
    assert label_size("w" * 900) == label_size("w" * 90)
