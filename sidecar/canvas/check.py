"""What is wrong with a canvas: every fault at once, each with the name of the card or edge (contract 7, J4-J10)."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, TypeAlias

from sidecar.canvas.defaults import PAYLOAD
from sidecar.canvas.layout.geometry import FARTHEST, GEOMETRY, is_number
from sidecar.canvas.model import Canvas, CanvasEdge, CanvasNode, fields_of
from sidecar.canvas.overlaps import overlapping
from sidecar.canvas.source import ARRAYS
from sidecar.model.note import Json

__all__ = ["MOST_CARDS", "Finding", "Severity", "check"]

MOST_CARDS: Final = 2_000
"""No canvas with more cards is written: nobody finds anything there, and Obsidian becomes slow long before."""

_COLOR = re.compile(r"[1-6]|#[0-9a-fA-F]{6}")
_SIDES: Final = ("top", "right", "bottom", "left")
_ENDS: Final = ("none", "arrow")
_STYLES: Final = ("cover", "ratio", "repeat")
_TYPES: Final = (*PAYLOAD, "group")


class Severity(StrEnum):
    """An error must not be written; a warning is what Obsidian mends or bears; a hint is only hard to read."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of one card or edge."""

    severity: Severity
    code: str
    """Short name of the kind of fault, for programs."""
    subject: str
    """``node "a"``, or ``nodes[3]`` when the id does not name it alone."""
    message: str
    """A whole sentence that begins with the subject."""
    id: str | None = None
    """The id of the card or edge, whether or not it is the only one with it."""


_Fault: TypeAlias = tuple[str, str]
"""Code, and what is wrong, to be read behind the subject."""
_Fields: TypeAlias = Mapping[str, Json]

_WARNINGS: Final = frozenset({"not_whole", "id_shared_with_node"})
_HINTS: Final = frozenset({"overlap"})


@dataclass(frozen=True, slots=True)
class _Board:
    """What the faults of one part depend on beside the part itself."""

    exists: Callable[[str], bool] | None
    names: Mapping[str, str]
    nodes: Counter[str] = field(default_factory=Counter)
    edges: Counter[str] = field(default_factory=Counter)

    def name(self, part_id: Json) -> str:
        return f'"{self.names.get(part_id, part_id)}"' if isinstance(part_id, str) else repr(part_id)


def check(
    canvas: Canvas, exists: Callable[[str], bool] | None = None, names: Mapping[str, str] | None = None
) -> tuple[Finding, ...]:
    """List all faults in the order of the file.

    ``exists`` tells whether the vault holds a file; without it nothing is looked for. ``names`` holds the caller's own
    name of an id, for the messages. A node type that Obsidian does not know is an error here although reading keeps it
    (J5): whoever edits a canvas that holds one compares the findings before and after.
    """
    board = _Board(exists, names or {}, _ids(canvas.nodes), _ids(canvas.edges))
    findings = [
        Finding(Severity.ERROR, "not_a_list", array, f"'{array}' must be a list.")
        for array in ARRAYS
        if canvas.extras.get(array) is not None
    ]
    if len(canvas.nodes) > MOST_CARDS:
        text = f"The canvas has {len(canvas.nodes):,} cards; at most {MOST_CARDS:,} can be written. Split it."
        findings.append(Finding(Severity.ERROR, "too_many", "nodes", text))
    subjects = [_subject("node", number, node, board.nodes, board) for number, node in enumerate(canvas.nodes)]
    meeting = dict(overlapping(canvas.nodes)) if len(canvas.nodes) <= MOST_CARDS else {}
    for number, node in enumerate(canvas.nodes):
        faults = [*_node_faults(node, board)]
        if number in meeting:
            faults.append(("overlap", f"overlaps {subjects[meeting[number]]}"))
        findings += _worded(subjects[number], node, faults)
    for number, edge in enumerate(canvas.edges):
        subject = _subject("edge", number, edge, board.edges, board)
        findings += _worded(subject, edge, _edge_faults(edge, board))
    return tuple(findings)


def _ids(parts: tuple[CanvasNode | CanvasEdge, ...]) -> Counter[str]:
    ids = (fields_of(part).get("id") for part in parts)
    return Counter(part_id for part_id in ids if isinstance(part_id, str))


def _subject(word: str, number: int, part: CanvasNode | CanvasEdge, counts: Counter[str], board: _Board) -> str:
    part_id = fields_of(part).get("id")
    if isinstance(part_id, str) and part_id and counts[part_id] == 1:
        return f"{word} {board.name(part_id)}"
    return f"{word}s[{number}]"


def _worded(subject: str, part: CanvasNode | CanvasEdge, faults: Iterable[_Fault]) -> list[Finding]:
    part_id = fields_of(part).get("id")
    return [
        Finding(
            _severity(code),
            code,
            subject,
            f"{subject[0].upper()}{subject[1:]} {text}.",
            part_id if isinstance(part_id, str) else None,
        )
        for code, text in faults
    ]


def _severity(code: str) -> Severity:
    if code in _HINTS:
        return Severity.HINT
    return Severity.WARNING if code in _WARNINGS else Severity.ERROR


def _node_faults(node: CanvasNode, board: _Board) -> Iterator[_Fault]:
    value = node.to_json()
    if not isinstance(value, dict):
        yield "not_an_object", "is not an object"
        return
    yield from _id_faults(value, board.nodes, board)
    node_type = value.get("type")
    if node_type not in _TYPES:
        has = "has no type" if node_type is None else f"has the unknown type {node_type!r}"
        yield "type", f"{has}; use {_either(_TYPES)}"
    else:
        yield from _content_faults(str(node_type), value, board)
    yield from _geometry_faults(value)
    yield from _color_faults(value)


def _content_faults(node_type: str, node: _Fields, board: _Board) -> Iterator[_Fault]:
    key = PAYLOAD.get(node_type)
    if key:
        content = node.get(key)
        if not isinstance(content, str):
            yield key, f"is of type {node_type} and needs '{key}' as text"
        elif not content and key != "text":
            yield key, f"has an empty '{key}'"
        elif key == "file":
            yield from _file_faults(key, content, board)
    subpath = node.get("subpath")
    if node_type == "file" and subpath and not (isinstance(subpath, str) and subpath.startswith("#")):
        yield "subpath", f"has the subpath {subpath!r}; it must start with '#'"
    if node_type == "group":
        yield from _group_faults(node, board)


def _group_faults(node: _Fields, board: _Board) -> Iterator[_Fault]:
    yield from _text_faults(node, "label")
    yield from _text_faults(node, "background")
    background, style = node.get("background"), node.get("backgroundStyle")
    if isinstance(background, str) and background:
        yield from _file_faults("background", background, board)
    if style and style not in _STYLES:
        yield "background_style", f"has the backgroundStyle {style!r}; use {_either(_STYLES)}"


def _file_faults(key: str, path: str, board: _Board) -> Iterator[_Fault]:
    if path.startswith("/"):
        yield key, f"has the {key} '{path}'; write the path from the vault's root without a leading slash"
    elif board.exists and not board.exists(path):
        yield f"{key}_missing", f"shows '{path}', which is not in the vault; give the path with its extension"


def _geometry_faults(node: _Fields) -> Iterator[_Fault]:
    missing = [key for key in GEOMETRY if node.get(key) is None]
    if not missing and node.get("type") == "group" and isinstance(node.get("nodes"), list):
        yield "members", "has a place of its own and a list 'nodes'; give one of the two"
    if missing:
        hint = ""
        if node.get("type") == "group":
            hint = (
                "; give all four, or 'nodes': a list of the ids it holds, each in one group only, "
                "and all of them with positions or all without"
            )
        yield "no_place", f"has no {', '.join(missing)}{hint}"
    for key in GEOMETRY:
        value = node.get(key)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float):
            yield "geometry", f"has {key} {value!r}, which is not a number"
        elif not is_number(value):
            yield "geometry", f"has {'an' if key == 'x' else 'a'} {key} beyond {FARTHEST:,} pixels"
        elif key in {"width", "height"} and value <= 0:
            yield "geometry", f"has {key} {value}; it must be greater than 0"
        elif isinstance(value, float) and not value.is_integer():
            yield "not_whole", f"has {key} {value}, which is not a whole number; Obsidian rounds it"


def _edge_faults(edge: CanvasEdge, board: _Board) -> Iterator[_Fault]:
    value = edge.to_json()
    if not isinstance(value, dict):
        yield "not_an_object", "is not an object"
        return
    yield from _id_faults(value, board.edges, board)
    if isinstance(value.get("id"), str) and board.nodes[str(value["id"])]:
        yield "id_shared_with_node", "has the id of a node"
    for key in ("fromNode", "toNode"):
        target = value.get(key)
        if target is None:
            yield "dangling", f"has no {key}"
        elif not isinstance(target, str) or not board.nodes[target]:
            yield "dangling", f"has {key} {board.name(target)}, but no node has that id"
    for keys, code, allowed in ((("fromSide", "toSide"), "side", _SIDES), (("fromEnd", "toEnd"), "end", _ENDS)):
        for key in keys:
            if value.get(key) is not None and value[key] not in allowed:
                yield code, f"has {key} {value[key]!r}; use {_either(allowed)}"
    yield from _text_faults(value, "label")
    yield from _color_faults(value)


def _id_faults(part: _Fields, counts: Counter[str], board: _Board) -> Iterator[_Fault]:
    part_id = part.get("id")
    if part_id is None or part_id == "":
        yield "id", "has no id"
    elif not isinstance(part_id, str):
        yield "id", f"has the id {part_id!r}, which is not text"
    elif counts[part_id] > 1:
        yield "id_repeated", f"has the id {board.name(part_id)}, which {counts[part_id]} of them share"


def _text_faults(part: _Fields, key: str) -> Iterator[_Fault]:
    if part.get(key) is not None and not isinstance(part[key], str):
        yield key, f"has a {key} that is not text"


def _color_faults(part: _Fields) -> Iterator[_Fault]:
    color = part.get("color")
    if color is None or color == "":
        return
    if not isinstance(color, str) or not _COLOR.fullmatch(color):
        yield "color", f"has the color {color!r}; use '1' to '6' or '#RRGGBB'"


def _either(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"
