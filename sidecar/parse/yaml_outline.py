"""Where each property stands in a YAML block, for edits that touch only its lines (contract Y5)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from sidecar.model.note import Json
from sidecar.parse.yaml_loader import (
    CollectionEndEvent,
    CollectionStartEvent,
    Event,
    NodeEvent,
    ScalarEvent,
    SequenceStartEvent,
    load,
    walk,
)

__all__ = ["Entry", "Outline", "Place", "Shape", "outline"]


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A point of the text: line and column, both from 0."""

    line: int
    column: int


class Shape(StrEnum):
    """How a value is written."""

    EMPTY = "empty"
    SCALAR = "scalar"
    BLOCK_TEXT = "block text"
    LIST = "list"
    FLOW_LIST = "flow list"
    MAPPING = "mapping"
    ALIAS = "alias"


@dataclass(frozen=True, slots=True)
class Entry:
    """One property: its lines go from ``key_start.line`` to ``value_end.line``."""

    name: str
    shape: Shape
    key_start: Place
    key_end: Place
    value_start: Place
    value_end: Place
    first_item: Place | None
    last_item_end: Place | None
    """Where the items of a list begin and end; ``None`` when it is empty or no list."""

    @property
    def is_one_line_scalar(self) -> bool:
        return self.shape is Shape.SCALAR and self.value_start.line == self.value_end.line


@dataclass(frozen=True, slots=True)
class Outline:
    """A block's value and, when it is a mapping, its entries in order."""

    value: Json
    entries: tuple[Entry, ...]
    is_flow: bool
    """The mapping is written in braces, as JSON is."""


def outline(text: str) -> Outline:
    """Tell where each entry of a mapping stands; there are no entries for any other root.

    Raises:
        YamlProblem: when the text does not parse.

    """
    value = load(text)
    if not isinstance(value, dict):
        return Outline(value, (), is_flow=False)
    lines = text.split("\n")
    root = walk(text, lambda events, _: _tree(events, lines))
    named = zip(value, root.children[::2], root.children[1::2], strict=True)
    return Outline(value, tuple(_entry(name, key, node) for name, key, node in named), root.is_flow)


@dataclass(slots=True)
class _Node:
    shape: Shape
    start: Place
    end: Place
    is_flow: bool = False
    children: list["_Node"] = field(default_factory=list)


def _tree(events: Iterator[Event], lines: list[str]) -> _Node:
    document = _Node(Shape.LIST, Place(0, 0), Place(0, 0))
    stack = [document]
    for event in events:
        if isinstance(event, CollectionEndEvent):
            done = stack.pop()
            done.end = _end(event) if done.is_flow else done.children[-1].end
        elif isinstance(event, NodeEvent):
            node = _node(event, lines)
            stack[-1].children.append(node)
            if isinstance(event, CollectionStartEvent):
                stack.append(node)
    return document.children[0]


def _node(event: NodeEvent, lines: list[str]) -> _Node:
    start, end = _start(event), _end(event)
    if isinstance(event, CollectionStartEvent):
        is_flow = bool(event.flow_style)
        is_list = isinstance(event, SequenceStartEvent)
        return _Node((Shape.FLOW_LIST if is_flow else Shape.LIST) if is_list else Shape.MAPPING, start, end, is_flow)
    if isinstance(event, ScalarEvent) and event.style in ("|", ">"):
        return _Node(Shape.BLOCK_TEXT, start, _last_line_with_text(lines, start.line, end.line - 1))
    if isinstance(event, ScalarEvent):
        return _Node(Shape.EMPTY if start == end else Shape.SCALAR, start, end)
    return _Node(Shape.ALIAS, start, end)


def _last_line_with_text(lines: list[str], first: int, last: int) -> Place:
    while last > first and not lines[last].strip():
        last -= 1
    return Place(last, len(lines[last]))


def _start(event: Event) -> Place:
    mark = event.start_mark
    return Place(mark.line, mark.column) if mark else Place(0, 0)


def _end(event: Event) -> Place:
    mark = event.end_mark
    return Place(mark.line, mark.column) if mark else Place(0, 0)


def _entry(name: str, key: _Node, value: _Node) -> Entry:
    items = value.children if value.shape in (Shape.LIST, Shape.FLOW_LIST) else []
    return Entry(
        name,
        value.shape,
        key.start,
        key.end,
        value.start,
        value.end,
        items[0].start if items else None,
        items[-1].end if items else None,
    )
