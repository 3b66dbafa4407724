"""Which group holds a card: membership is geometry, there is nothing about it in the file (contract J8)."""

from collections.abc import Mapping

from sidecar.canvas.layout.geometry import Box

__all__ = ["holders", "holds"]


def holders(boxes: Mapping[str, Box], groups: Mapping[str, Box]) -> dict[str, str]:
    """Return the innermost group around each card or group that is wholly inside one.

    Of two groups in the same place the earlier one, which lies lower, holds the later.
    """
    ranks = {group: number for number, group in enumerate(groups)}
    innermost = sorted(groups.items(), key=lambda item: (item[1].width * item[1].height, -ranks[item[0]]))
    found: dict[str, str] = {}
    for card, box in boxes.items():
        for group, frame in innermost:
            if group == card or not holds(frame, box):
                continue
            if box == frame and card in ranks and ranks[card] < ranks[group]:
                continue
            found[card] = group
            break
    return found


def holds(frame: Box, box: Box) -> bool:
    """Tell whether a box lies wholly inside a frame."""
    return frame.x <= box.x and frame.y <= box.y and box.right <= frame.right and box.bottom <= frame.bottom
