"""A canvas whose cards name other files or hold other text; every other byte stays (contract J9, M5)."""

from collections.abc import Callable

from sidecar.canvas.source import scan
from sidecar.canvas.style import OBSIDIAN, encode, style_of

__all__ = ["rewrite_canvas"]

_KEYS = {"file": "file", "group": "background", "text": "text"}
"""For each type of card the field that may lead to a file."""


def rewrite_canvas(text: str, file: Callable[[str], str], card: Callable[[str], str]) -> str:
    """Return the canvas with new paths from ``file`` and new texts from ``card``.

    Both are asked for each value there is, in the order of the cards, and return the same one to leave it. A card of a
    kind that only a plugin knows is asked about like any other.

    Raises:
        NotACanvas: when the text is not valid JSON, or its root is not an object.

    """
    source = scan(text)
    style = style_of(source) if source.members else OBSIDIAN
    pieces, done = [], 0
    for slot in source.items("nodes"):
        fields = slot.content if isinstance(slot.content, dict) else {}
        key = _KEYS.get(str(fields.get("type")), "")
        old = fields.get(key)
        new = (card if key == "text" else file)(old) if isinstance(old, str) and old else old
        if new != old:
            member = scan(text[slot.start : slot.end]).live[key]
            pieces += [text[done : slot.start + member.value], encode(new, style, "")]
            done = slot.start + member.end
    return "".join([*pieces, text[done:]])
