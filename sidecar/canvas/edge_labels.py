"""How much room the labels of edges take on a canvas."""

from collections.abc import Iterable, Mapping
from typing import Final

from sidecar.canvas.layout.geometry import Size
from sidecar.canvas.line_marks import width_of
from sidecar.model.note import Json

__all__ = ["label_size", "label_sizes"]

_HEIGHT: Final = 30
_SIDES: Final = 16
_WIDEST: Final = 320
"""A longer label runs on over what is beside it: no edge can be made as long as a sentence."""


def label_size(text: str) -> Size:
    """Estimate how wide and high a label is, on one line."""
    return Size(min(round(width_of(" ".join(text.split()))), _WIDEST) + _SIDES, _HEIGHT)


def label_sizes(edges: Iterable[tuple[tuple[str, str], Mapping[str, Json]]]) -> dict[tuple[str, str], Size]:
    """Return the size of each label, by the cards that its edge leads from and to; the widest where there are more."""
    sizes: dict[tuple[str, str], Size] = {}
    for ends, fields in edges:
        label = fields.get("label")
        if isinstance(label, str) and label.strip():
            size = label_size(label)
            sizes[ends] = max(size, sizes.get(ends, size), key=lambda one: one.width)
    return sizes
