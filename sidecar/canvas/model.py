"""A canvas as values: four kinds of card, edges, and whatever else a file may hold (contract J3, J5)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ModelWrapValidatorHandler,
    PrivateAttr,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from sidecar.canvas.source import Source
from sidecar.model.note import Json

__all__ = [
    "NODE_KEY_ORDER",
    "Canvas",
    "CanvasEdge",
    "CanvasNode",
    "Edge",
    "FileNode",
    "GroupNode",
    "LinkNode",
    "Number",
    "TextNode",
    "Unknown",
    "edge_of",
    "fields_of",
    "in_order",
    "node_of",
]

Number: TypeAlias = int | float
"""Geometry is written whole (J4), but a file may hold fractions."""


class _Part(BaseModel):
    """An object of a canvas: unknown keys, nulls and the order of its keys stay as they were."""

    model_config = ConfigDict(extra="allow", frozen=True, strict=True)

    key_order: ClassVar[tuple[str, ...]]
    """Where a known key goes in a new object (J3)."""
    _order: tuple[str, ...] = PrivateAttr(())

    @model_validator(mode="wrap")
    @classmethod
    def _keep_order(cls, given: object, handler: ModelWrapValidatorHandler["_Part"]) -> "_Part":
        part = handler(given)
        if isinstance(given, dict):
            part._order = tuple(given)  # noqa: SLF001 - its own class
        return part

    def to_json(self) -> dict[str, Json]:
        """Return the object as JSON holds it: keys in their order, keys set later behind them."""
        extra: Mapping[str, Json] = self.model_extra or {}
        known = [name for name in self.key_order if name in self.model_fields_set]
        names = dict.fromkeys([*self._order, *known, *extra])
        return {name: extra[name] if name in extra else getattr(self, name) for name in names}


class _Node(_Part):
    id: str
    x: Number
    y: Number
    width: Number
    height: Number
    color: str | None = None


class TextNode(_Node):
    """A card with Markdown of its own."""

    key_order = ("id", "type", "text", "x", "y", "width", "height", "color")

    type: Literal["text"] = "text"
    text: str


class FileNode(_Node):
    """A card that shows a file of the vault."""

    key_order = ("id", "type", "file", "subpath", "x", "y", "width", "height", "color")

    type: Literal["file"] = "file"
    file: str
    subpath: str | None = None


class LinkNode(_Node):
    """A card that shows a web page."""

    key_order = ("id", "type", "url", "x", "y", "width", "height", "color")

    type: Literal["link"] = "link"
    url: str


class GroupNode(_Node):
    """A frame; the cards that lie wholly in it are its members (J8)."""

    key_order = (
        "id",
        "type",
        "x",
        "y",
        "width",
        "height",
        "color",
        "label",
        "background",
        "backgroundStyle",
    )

    type: Literal["group"] = "group"
    label: str | None = None
    background: str | None = None
    backgroundStyle: str | None = None  # noqa: N815 - the format's own name


class Edge(_Part):
    """A line from one card to another."""

    key_order = ("id", "fromNode", "fromSide", "toNode", "toSide", "fromEnd", "toEnd", "color", "label")

    id: str
    fromNode: str  # noqa: N815
    fromSide: str | None = None  # noqa: N815
    toNode: str  # noqa: N815
    toSide: str | None = None  # noqa: N815
    fromEnd: str | None = None  # noqa: N815
    toEnd: str | None = None  # noqa: N815
    color: str | None = None
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Unknown:
    """A node or edge that fits none of the known shapes: a later type, a fault, or not even an object. It is kept."""

    value: Json

    def to_json(self) -> Json:
        """Return what the file holds."""
        return self.value


NODE_KEY_ORDER: Final[Mapping[str, tuple[str, ...]]] = {
    "text": TextNode.key_order,
    "file": FileNode.key_order,
    "link": LinkNode.key_order,
    "group": GroupNode.key_order,
}
"""The order of keys in a new node of each type (J3)."""

CanvasNode: TypeAlias = TextNode | FileNode | LinkNode | GroupNode | Unknown
CanvasEdge: TypeAlias = Edge | Unknown

_NODE: TypeAdapter[TextNode | FileNode | LinkNode | GroupNode] = TypeAdapter(
    Annotated[TextNode | FileNode | LinkNode | GroupNode, Field(discriminator="type")]
)


def node_of(value: Json) -> CanvasNode:
    """Read one element of ``nodes``; what fits no known type is kept as :class:`Unknown`."""
    try:
        return _NODE.validate_python(value)
    except ValidationError:
        return Unknown(value)


def edge_of(value: Json) -> CanvasEdge:
    """Read one element of ``edges``; what is no edge is kept as :class:`Unknown`."""
    try:
        return Edge.model_validate(value)
    except ValidationError:
        return Unknown(value)


def in_order(fields: Mapping[str, Json], order: Iterable[str]) -> dict[str, Json]:
    """Return the fields with those of ``order`` first."""
    return {key: fields[key] for key in dict.fromkeys([*order, *fields]) if key in fields}


def fields_of(part: CanvasNode | CanvasEdge) -> Mapping[str, Json]:
    """Return a node's or edge's keys and values; nothing for what is no object."""
    value = part.to_json()
    return value if isinstance(value, dict) else {}


@dataclass(frozen=True, slots=True)
class Canvas:
    """One canvas: nodes from lowest to highest, edges, and the other keys of its root (J5).

    A canvas that was read carries its ``source``: ``dataclasses.replace(canvas, nodes=…)`` keeps that, and what is
    written then differs only where the values differ.
    """

    nodes: tuple[CanvasNode, ...] = ()
    edges: tuple[CanvasEdge, ...] = ()
    extras: Mapping[str, Json] = field(default_factory=dict)
    """Also ``nodes`` or ``edges`` themselves when the file holds something else than an array there."""
    source: Source | None = field(default=None, repr=False, compare=False)
