"""``python -m bench.canvas``: how good and how fast our drawings of a fixed corpus are, beside Graphviz."""

import argparse
import json
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from bench.process import commit, machine
from bench.yardstick import Program, drawn_by_graphviz
from sidecar.canvas.edge_labels import label_size
from sidecar.canvas.layout.arrange import Drawing, Layout, arrange
from sidecar.canvas.layout.geometry import GRID, Box, Size
from sidecar.canvas.layout.nested import HEAD, MARGIN
from sidecar.canvas.layout.quality import (
    aspect,
    containment_faults,
    crossings,
    curved_through,
    cut_through,
    drift,
    fill,
    foreign_cards,
    labels_over,
    off_grid,
    overlaps,
)

__all__ = ["Sample", "measured", "samples"]

GRAPHS = Path(__file__).parent / "graphs"
RESULT = Path(__file__).parent / "results" / "canvas.json"
_LEAST_GAP = 20
_CLUSTERING: Final[tuple[Program, ...]] = ("fdp", "dot")
"""Programs that keep groups together; ``neato`` draws the same cards without them, which is easier."""
_ADDED = 10
"""One card in so many is taken away and put back, to see whether the others stay."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A graph of the corpus: cards with sizes, edges, groups, and the layout it is for."""

    name: str
    layout: Layout
    sizes: Mapping[str, Size]
    edges: tuple[tuple[str, str], ...]
    groups: Mapping[str, Sequence[str]]
    labels: Mapping[tuple[str, str], str]

    def draw(self) -> Drawing:
        """Draw it as a tool would."""
        return arrange(self.sizes, self.edges, layout=self.layout, groups=self.groups, labels=self.label_sizes)

    @property
    def label_sizes(self) -> dict[tuple[str, str], Size]:
        """How much room the labels of its edges take."""
        return {edge: label_size(text) for edge, text in self.labels.items()}

    @property
    def is_stepwise(self) -> bool:
        """Whether it is a flow or a tree, for which Graphviz has ``dot``."""
        return self.layout is Layout.FLOW or (len(self.edges) < len(self.sizes) and not self.groups)


def samples() -> list[Sample]:
    """Read the corpus: links of real vaults, and generated maps, steps and trees."""
    found = []
    for file in sorted(GRAPHS.glob("*.json")):
        read = json.loads(file.read_text("utf-8"))
        sizes = {card: Size(width, height) for card, (width, height) in read["cards"].items()}
        edges = tuple((start, end) for start, end in read["edges"])
        labels = {(start, end): text for start, end, text in read.get("labels", ())}
        found.append(Sample(file.stem, Layout(read["layout"]), sizes, edges, read.get("groups", {}), labels))
    return found


def measured(sample: Sample) -> dict[str, Any]:
    """Return a drawing's numbers, those of Graphviz for the same graph, and the CPU seconds ours took."""
    begin = time.process_time()
    drawing = sample.draw()
    seconds = time.process_time() - begin
    cards = {card: box for card, box in drawing.boxes.items() if card in sample.sizes}
    theirs = drawn_by_graphviz("dot" if sample.is_stepwise else "neato", sample.sizes, sample.edges)
    in_clusters = {
        program: _theirs(boxes, sample)
        for program in _CLUSTERING
        if sample.groups and (boxes := drawn_by_graphviz(program, sample.sizes, sample.edges, sample.groups))
    }
    on_cards, on_labels = labels_over(cards, sample.label_sizes, drawing.sides)
    return {
        "cards": len(cards),
        "edges": len(sample.edges),
        "cpu_s": round(seconds, 2),
        "overlaps": overlaps(cards, _LEAST_GAP),
        "off_grid": len(off_grid(cards, GRID)),
        "outside_their_group": len(containment_faults(drawing.boxes, sample.groups, MARGIN, HEAD)),
        "foreign_to_a_group": len(foreign_cards(drawing.boxes, sample.groups)),
        "crossings": crossings(cards, sample.edges, drawing.sides),
        "over_cards": cut_through(cards, sample.edges, drawing.sides),
        "bent_over_cards": curved_through(cards, sample.edges, drawing.sides),
        "labels": len(sample.labels),
        "labels_on_cards": on_cards,
        "labels_on_labels": on_labels,
        "aspect": round(aspect(drawing.boxes), 2),
        "fill": round(fill(cards), 2),
        "drift": _drift(sample, cards),
        "graphviz": theirs and _theirs(theirs, sample),
        **({"graphviz_with_clusters": in_clusters} if in_clusters else {}),
    }


def _theirs(boxes: Mapping[str, Box], sample: Sample) -> dict[str, Any]:
    return {
        "crossings": crossings(boxes, sample.edges),
        "over_cards": cut_through(boxes, sample.edges),
        "aspect": round(aspect(boxes), 2),
    }


def _drift(sample: Sample, cards: Mapping[str, Box]) -> float:
    """Take some cards away, put them back as new ones, and see how far the others moved."""
    taken = random.Random(1).sample(sorted(cards), max(1, len(cards) // _ADDED))
    fixed = {card: box for card, box in cards.items() if card not in taken}
    again = arrange({card: sample.sizes[card] for card in taken}, sample.edges, fixed=fixed)
    if overlaps({**fixed, **again.boxes}, _LEAST_GAP):
        raise RuntimeError(f"{sample.name}: a new card stands on another")
    return drift(fixed, {**fixed, **again.boxes})


def main() -> None:
    argparse.ArgumentParser(description=__doc__).parse_args()
    result = {
        "command": "python -m bench.canvas",
        "commit": commit(),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "drawings": {sample.name: measured(sample) for sample in samples()},
    }
    text = json.dumps(result, indent=2) + "\n"
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main()
