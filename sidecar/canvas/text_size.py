"""How large a text card must be to show its Markdown without scrolling: an estimate with some room to spare."""

from typing import Final

from sidecar.canvas.layout.geometry import Size, snap
from sidecar.canvas.markdown_blocks import blocks_of
from sidecar.canvas.text_blocks import narrowest, stacked

__all__ = ["SMALLEST", "text_size"]

SMALLEST: Final = Size(250, 60)
"""Obsidian's own size for a new text card (J8)."""

_WIDTHS: Final = (SMALLEST.width, 320, 400, 480, 560, 640)
_FLATNESS = 0.75
"""A card grows wider until it is no higher than this part of its width."""
_WIDEST_TABLE: Final = 960
_SIDES, _ENDS = 34, 32  # what a card has beside its text: left and right with the border, above and below
_LEAST_ROOM: Final = 33
_LOOKED_AT: Final = 50_000
"""Characters that are looked at; a longer text goes on like them."""


def text_size(text: str, width: int | None = None) -> Size:
    """Estimate the size of a text card, at least 250 x 60 and in steps of 20; with ``width`` only its height (J8)."""
    blocks = blocks_of(text[:_LOOKED_AT])
    times = max(len(text) / _LOOKED_AT, 1)

    def height(of_width: int) -> int:
        return max(SMALLEST.height, snap(stacked(blocks, max(of_width - _SIDES, _LEAST_ROOM)) * times + _ENDS))

    if width is not None:
        return Size(width, height(width))
    least = min(snap(narrowest(blocks) + _SIDES), _WIDEST_TABLE)
    fitting = [one for one in _WIDTHS if one >= least] or [least]
    chosen = next((one for one in fitting if height(one) <= one * _FLATNESS), fitting[-1])
    return Size(chosen, height(chosen))
