from typing import Any

import pytest

from sidecar.canvas.model import (
    Edge,
    FileNode,
    GroupNode,
    LinkNode,
    TextNode,
    Unknown,
    edge_of,
    fields_of,
    in_order,
    node_of,
)

PLACE = {"x": 0, "y": -20, "width": 250, "height": 60}


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"type": "text", "text": "a"}, TextNode),
        ({"type": "file", "file": "a.md", "subpath": "#h"}, FileNode),
        ({"type": "link", "url": "https://example.com"}, LinkNode),
        ({"type": "group"}, GroupNode),
        ({"type": "group", "label": None, "backgroundStyle": "ratio"}, GroupNode),
        ({"type": "text", "text": "a", "x": 0.5, "color": None}, TextNode),
        ({"type": "text", "text": 5}, Unknown),
        ({"type": "text"}, Unknown),
        ({"type": "text", "text": "a", "x": "0"}, Unknown),
        ({"type": "text", "text": "a", "x": True}, Unknown),
        ({"type": "portal"}, Unknown),
        ({"type": None}, Unknown),
        ({}, Unknown),
    ],
)
def test_j5_every_node_is_kept_with_its_keys_in_order(fields: dict[str, Any], kind: type) -> None:
    given = {"zIndex": 1, **fields, "id": "a", **PLACE, **fields, "styleAttributes": {"a": [None]}}
    node = node_of(given)
    assert type(node) is kind
    assert list(fields_of(node).items()) == list(given.items())


@pytest.mark.parametrize("value", [None, 1, "x", [], [{}]])
def test_what_is_no_object_is_kept(value: Any) -> None:
    assert node_of(value) == edge_of(value) == Unknown(value)
    assert fields_of(Unknown(value)) == {}


def test_edges_are_kept_with_their_keys_in_order() -> None:
    given: dict[str, Any] = {"toNode": "b", "label": None, "fromNode": "a", "id": "e", "styleAttributes": {}}
    edge = edge_of(given)
    assert isinstance(edge, Edge)
    assert list(edge.to_json().items()) == list(given.items())
    assert edge_of({"id": "e", "fromNode": "a"}) == Unknown({"id": "e", "fromNode": "a"})


def test_j3_keys_set_later_come_last() -> None:
    node = node_of({"y": 0, "x": 0, "width": 1, "height": 1, "type": "text", "extra": 1, "text": "", "id": "a"})
    assert isinstance(node, TextNode)
    changed = node.model_copy(update={"color": "1", "x": 5, "dynamicHeight": True})
    assert list(changed.to_json().items()) == [
        ("y", 0), ("x", 5), ("width", 1), ("height", 1), ("type", "text"), ("extra", 1), ("text", ""), ("id", "a"), ("color", "1"), ("dynamicHeight", True),
    ]  # fmt: skip
    assert "color" not in node.to_json()


def test_values_are_frozen() -> None:
    node = node_of({"id": "a", "type": "text", "text": "", **PLACE})
    with pytest.raises(ValueError, match="frozen"):
        setattr(node, "x", 1)  # noqa: B010 - mypy knows that it is frozen


def test_j3_in_order_puts_known_keys_first() -> None:
    assert list(in_order({"z": 1, "b": 2, "a": 3}, ("a", "b", "c"))) == ["a", "b", "z"]
