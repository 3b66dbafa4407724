"""The text cards of a canvas, as mentions in them are sought and shown."""

from typing import NamedTuple

from sidecar.canvas.source import NotACanvas, scan

__all__ = ["TextCard", "text_cards"]


class TextCard(NamedTuple):
    """A card with Markdown of its own."""

    id: str
    text: str
    line: int
    """The line of the card in the file, from 1."""


def text_cards(text: str) -> tuple[TextCard, ...]:
    """Return the text cards of a canvas in their order; a broken canvas has none."""
    try:
        source = scan(text)
    except NotACanvas:
        return ()
    cards = []
    for slot, line in zip(source.items("nodes"), source.lines("nodes"), strict=True):
        fields = slot.content if isinstance(slot.content, dict) else {}
        card, said = fields.get("id"), fields.get("text")
        if fields.get("type") == "text" and isinstance(card, str) and isinstance(said, str):
            cards.append(TextCard(card, said, line))
    return tuple(cards)
