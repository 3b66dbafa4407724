"""A canvas in words, for someone who cannot see it: cards by what they hold, groups as a tree, edges as arrows."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from sidecar.canvas.card_names import CardNames, keys_of
from sidecar.canvas.colors import COLOR_NAMES
from sidecar.canvas.containment import holders
from sidecar.canvas.layout.geometry import Box, box_of
from sidecar.canvas.model import Canvas, CanvasEdge, fields_of
from sidecar.model.note import Json

__all__ = ["Outline", "OutlineCard", "OutlineEdge", "outline"]

_LONGEST: Final = 280
"""Characters of a card's text that are shown."""
_DEEPEST: Final = 20
"""Levels of groups within groups that are told apart."""


@dataclass(frozen=True, slots=True)
class OutlineCard:
    """One card or group; ``name`` is what edges and edits call it."""

    name: str
    id: str | None
    type: str
    content: str
    """The text on one line, the path with its subpath, the address, or the label."""
    cut: int
    """Characters of the text that are left out."""
    color: str | None
    box: Box | None
    cards: tuple["OutlineCard", ...] = ()
    """What a group holds, in the order in which one reads."""


@dataclass(frozen=True, slots=True)
class OutlineEdge:
    """One edge by the names of its cards; ``None`` for one that is not there."""

    start: str | None
    end: str | None
    label: str
    color: str | None
    arrows: tuple[bool, bool]
    """Whether there is an arrow at the start, and at the end."""


@dataclass(frozen=True, slots=True)
class Outline:
    """A canvas in words."""

    cards: tuple[OutlineCard, ...]
    edges: tuple[OutlineEdge, ...]
    card_count: int
    group_count: int

    def text(self, *, positions: bool = False) -> str:
        """Return a line a card, indented within groups, then a line an edge; the same canvas gives the same text."""
        if not self.card_count and not self.group_count:
            return "The canvas is empty."
        counts = (_count(self.card_count, "card"), _count(self.group_count, "group"), _count(len(self.edges), "edge"))
        lines = [", ".join(counts), ""]
        for card in self.cards:
            lines += _card_lines(card, "", positions=positions)
        if self.edges:
            lines += ["", *(_edge_line(edge) for edge in self.edges)]
        return "\n".join(lines)


def outline(canvas: Canvas, titles: Mapping[str, str] | None = None) -> Outline:
    """Put a canvas into words; ``titles`` holds, by path, the titles of notes that differ from the file's name."""
    keys = keys_of(canvas.nodes)
    cards = {key: fields_of(node) for key, node in zip(keys, canvas.nodes, strict=True)}
    names = CardNames(titles)
    for key, card in cards.items():
        names.add(key, card)
    shown = {key: names.shown(key) for key in keys}
    boxes = {key: box for key, card in cards.items() if (box := box_of(card))}
    groups = {key: boxes[key] for key in keys if cards[key].get("type") == "group" and key in boxes}
    holder = _shallow(holders(boxes, groups))
    ranks = {key: rank for rank, key in enumerate(sorted(keys, key=lambda key: _reading_order(boxes.get(key))))}
    within: dict[str | None, list[str]] = {}
    for key in ranks:
        within.setdefault(holder.get(key), []).append(key)

    def card_of(key: str) -> OutlineCard:
        card = cards[key]
        content, cut = _content(card)
        held = tuple(card_of(one) for one in within.get(key, ()))
        card_type = _text(card, "type") or "unknown"
        return OutlineCard(
            shown[key], _text(card, "id") or None, card_type, content, cut, _color(card), boxes.get(key), held
        )

    first_of = {_text(cards[key], "id"): key for key in reversed(keys)}
    lines = [_edge(edge, first_of, shown, ranks) for edge in canvas.edges if fields_of(edge)]
    edges = tuple(line for _, line in sorted(lines, key=lambda pair: pair[0]))
    group_count = sum(card.get("type") == "group" for card in cards.values())
    return Outline(tuple(card_of(key) for key in within.get(None, ())), edges, len(cards) - group_count, group_count)


def _shallow(holder: Mapping[str, str]) -> dict[str, str]:
    """Let what lies too deep be held by a group further out."""
    depth: dict[str, int] = {}
    shallow: dict[str, str] = {}
    for key in holder:
        line = [key]
        while line[-1] in holder and line[-1] not in depth:
            line.append(holder[line[-1]])
        depth.setdefault(line[-1], 0)
        for one in reversed(line[:-1]):
            group = holder[one]
            shallow[one] = group if depth[group] < _DEEPEST else shallow[group]
            depth[one] = min(depth[group] + 1, _DEEPEST)
    return shallow


def _reading_order(box: Box | None) -> tuple[bool, float, float]:
    return (False, box.y, box.x) if box else (True, 0, 0)


def _content(card: Mapping[str, Json]) -> tuple[str, int]:
    match card.get("type"):
        case "text":
            text = " / ".join(" ".join(line.split()) for line in _text(card, "text").splitlines() if line.strip())
            return (text, 0) if len(text) <= _LONGEST else (text[:_LONGEST].rstrip(), len(text) - _LONGEST)
        case "file":
            return _text(card, "file") + _text(card, "subpath"), 0
        case "link":
            return _text(card, "url"), 0
        case _:
            return " ".join(_text(card, "label").split()), 0


def _edge(
    edge: CanvasEdge, first_of: Mapping[str, str], shown: Mapping[str, str], ranks: Mapping[str, int]
) -> tuple[tuple[int, int], OutlineEdge]:
    fields = fields_of(edge)
    ends = [first_of.get(_text(fields, key) or "\0") for key in ("fromNode", "toNode")]
    arrows = fields.get("fromEnd") == "arrow", fields.get("toEnd") != "none"
    names = [shown[key] if key else None for key in ends]
    rank = [ranks[key] if key else len(ranks) for key in ends]
    label = " ".join(_text(fields, "label").split())
    return (rank[0], rank[1]), OutlineEdge(names[0], names[1], label, _color(fields), arrows)


def _card_lines(card: OutlineCard, indent: str, *, positions: bool) -> Iterator[str]:
    line = f"{indent}- {card.type}:"
    if card.content:
        line += f" {card.content}"
    if card.cut:
        line += f"… ({card.cut} more characters)"
    is_readable = card.name == card.content or (card.name != card.id and card.name in card.content)
    if not is_readable:
        line += f" ({card.name})"
    if card.color:
        line += f" [{card.color}]"
    if positions and card.box:
        box = card.box
        line += f" @ {box.x:g},{box.y:g} {box.width:g}x{box.height:g}"
    yield line
    for held in card.cards:
        yield from _card_lines(held, indent + "  ", positions=positions)


def _edge_line(edge: OutlineEdge) -> str:
    start, end, (at_start, at_end) = edge.start or "?", edge.end or "?", edge.arrows
    if at_start and not at_end:
        start, end, at_start, at_end = end, start, False, True
    label = f"-{edge.label}-" if edge.label else "-"
    line = f"{start} {'<' if at_start else ''}{label}{'>' if at_end else '-' if not edge.label else ''} {end}"
    return f"{line} [{edge.color}]" if edge.color else line


def _color(part: Mapping[str, Json]) -> str | None:
    color = part.get("color")
    return COLOR_NAMES.get(color, color) if isinstance(color, str) and color else None


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _text(part: Mapping[str, Json], key: str) -> str:
    value = part.get(key)
    return value if isinstance(value, str) else ""
