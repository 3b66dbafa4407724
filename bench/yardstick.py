"""Graphviz as the yardstick of our drawings, where it is installed."""

import shlex
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias

from sidecar.canvas.layout.geometry import Box, Size

__all__ = ["Program", "drawn_by_graphviz"]

Program: TypeAlias = Literal["neato", "dot", "fdp"]

_POINTS = 72


def drawn_by_graphviz(
    program: Program,
    sizes: Mapping[str, Size],
    edges: Iterable[tuple[str, str]],
    groups: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, Box] | None:
    """Draw with ``neato`` (overlaps removed by its ``prism``), ``dot`` or ``fdp``; ``None`` where there is no Graphviz.

    ``dot`` and ``fdp`` keep the members of ``groups`` together, as clusters.
    """
    if shutil.which(program) is None:
        return None
    lines = ["digraph G {", 'overlap=prism; sep="+20"; nodesep=0.55; ranksep=1; node [shape=box fixedsize=true];']
    lines += ["rankdir=LR;"] if program == "dot" else []
    names = {card: f"c{number}" for number, card in enumerate(sizes)}
    lines += [f"{names[c]} [width={s.width / _POINTS} height={s.height / _POINTS}];" for c, s in sizes.items()]
    for number, members in enumerate((groups or {}).values()):
        held = "; ".join(names[card] for card in members if card in names)
        lines.append(f"subgraph cluster{number} {{ margin=30; {held} }}")
    lines += [f"{names[start]} -> {names[end]};" for start, end in edges]
    done = subprocess.run(
        [program, "-Tplain"], input="\n".join([*lines, "}"]), capture_output=True, text=True, check=True
    )
    cards = {name: card for card, name in names.items()}
    boxes = {}
    for parts in map(shlex.split, done.stdout.splitlines()):
        if parts[0] == "node":
            card, size = cards[parts[1]], sizes[cards[parts[1]]]
            x, y = float(parts[2]) * _POINTS, -float(parts[3]) * _POINTS
            boxes[card] = Box(x - size.width / 2, y - size.height / 2, size.width, size.height)
    return boxes
