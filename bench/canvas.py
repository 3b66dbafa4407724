"""``python -m bench.canvas``: how good and how fast our drawings of a fixed corpus are, beside Graphviz."""

import argparse
import json
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.process import commit, machine
from bench.yardstick import drawn_by_graphviz
from sidecar.canvas.layout.arrange import Drawing, Layout, arrange
from sidecar.canvas.layout.geometry import GRID, Box, Size
from sidecar.canvas.layout.nested import HEAD, MARGIN
from sidecar.canvas.layout.quality import (
    aspect,
    containment_faults,
    crossings,
    cut_through,
    drift,
    fill,
    foreign_cards,
    off_grid,
    overlaps,
)

__all__ = ["Sample", "measured", "samples"]

GRAPHS = Path(__file__).parent / "graphs"
RESULT = Path(__file__).parent / "results" / "canvas.json"
_LEAST_GAP = 20
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

    def draw(self) -> Drawing:
        """Draw it as a tool would."""
        return arrange(self.sizes, self.edges, layout=self.layout, groups=self.groups)


def samples() -> list[Sample]:
    """Read the corpus: links of real vaults, and generated maps, steps and trees."""
    found = []
    for file in sorted(GRAPHS.glob("*.json")):
        read = json.loads(file.read_text("utf-8"))
        sizes = {card: Size(width, height) for card, (width, height) in read["cards"].items()}
        edges = tuple((start, end) for start, end in read["edges"])
        found.append(Sample(file.stem, Layout(read["layout"]), sizes, edges, read.get("groups", {})))
    return found


def measured(sample: Sample) -> dict[str, Any]:
    """Return a drawing's numbers, those of Graphviz for the same graph, and the CPU seconds ours took."""
    begin = time.process_time()
    drawing = sample.draw()
    seconds = time.process_time() - begin
    cards = {card: box for card, box in drawing.boxes.items() if card in sample.sizes}
    held = {member for members in sample.groups.values() for member in members}
    outer = {name: box for name, box in drawing.boxes.items() if name not in held}
    stepwise = sample.layout is Layout.FLOW or sample.name.startswith("tree")
    theirs = drawn_by_graphviz("dot" if stepwise else "neato", sample.sizes, sample.edges)
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
        "aspect": round(aspect(drawing.boxes), 2),
        "fill": round(fill(outer), 2),
        "drift": _drift(sample, cards),
        "graphviz": theirs and _theirs(theirs, sample),
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
