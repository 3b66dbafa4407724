"""Text to canvas and back, byte for byte: what did not change is written as it was read (contract J1-J5)."""

import json
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sidecar.canvas.model import Canvas, edge_of, node_of
from sidecar.canvas.source import ARRAYS, Slot, Source, scan
from sidecar.canvas.style import OBSIDIAN, Form, Style, encode, style_of
from sidecar.model.note import Json

__all__ = ["dumps", "loads"]


def loads(text: str) -> Canvas:
    """Read a canvas: ``dumps(loads(text)) == text`` for every JSON object; blank text is an empty canvas (J1).

    Raises:
        NotACanvas: when the text is not valid JSON, or its root is not an object.

    """
    source = scan(text)
    return Canvas(
        nodes=tuple(node_of(slot.content) for slot in source.items("nodes")),
        edges=tuple(edge_of(slot.content) for slot in source.items("edges")),
        extras={key: slot.content for key, slot in source.live.items() if slot.items is None},
        source=source,
    )


def dumps(canvas: Canvas) -> str:
    """Write a canvas: new ones in Obsidian's form (J2), others in their own with only the changed objects new."""
    members = _members(canvas)
    source = canvas.source
    if source is None:
        return encode(members, OBSIDIAN, "")
    if not members and not source.members:
        return source.text
    root = _rewrite(source, members) if source.members else encode(members, OBSIDIAN, "")
    return source.text[: source.start] + root + source.text[source.end :]


def _members(canvas: Canvas) -> dict[str, Json]:
    """Return the root object; the arrays come first, and only where there is something to hold or they were there."""
    parts = {"nodes": canvas.nodes, "edges": canvas.edges}
    live: Mapping[str, Slot] = canvas.source.live if canvas.source else {}
    is_new = not live and any((canvas.nodes, canvas.edges, canvas.extras))
    arrays: dict[str, Json] = {
        name: [part.to_json() for part in parts[name]]
        for name in ARRAYS
        if parts[name] or (name in live and live[name].items is not None) or (is_new and name not in canvas.extras)
    }
    return {**arrays, **{key: value for key, value in canvas.extras.items() if key not in arrays}}


@dataclass(frozen=True, slots=True)
class _Piece:
    """One member or element of the new text, and which one of the old text it is, if it is one."""

    text: str
    old: int | None = None


@dataclass(frozen=True, slots=True)
class _Gaps:
    """What stands around the elements of a list that shows none yet."""

    lead: str = ""
    comma: str = ","
    tail: str = ""


def _rewrite(source: Source, members: Mapping[str, Json]) -> str:
    style = style_of(source)
    lead = source.text[source.start + 1 : source.members[0].start]
    indent = lead.rpartition("\n")[2] if "\n" in lead else ""
    pieces = []
    for number, slot in enumerate(source.members):
        if slot.key not in members:
            continue
        if source.live[slot.key] is not slot:
            pieces.append(_Piece(source.text[slot.start : slot.end], number))
        else:
            value = _member_value(source, slot, members[slot.key], style, indent)
            pieces.append(_Piece(source.text[slot.start : slot.value] + value, number))
    first = source.members[0]
    colon = source.text[first.start : first.value].rpartition('"')[2]
    for key, content in members.items():
        if key not in source.live:
            name = encode(key, style, "")
            pieces.append(_Piece(name + colon + encode(content, style, indent)))
    return "{" + _join(source.text, (source.start + 1, source.end - 1), source.members, pieces, _Gaps()) + "}"


def _member_value(source: Source, slot: Slot, value: Json, style: Style, indent: str) -> str:
    if _signature(value) == _signature(slot.content):
        return source.text[slot.value : slot.end]
    if slot.items is None or not isinstance(value, list):
        return encode(value, style, indent)
    return "[" + _array(source.text, slot, value, style, indent) + "]"


def _array(text: str, slot: Slot, values: Sequence[Json], style: Style, indent: str) -> str:
    items = slot.items or ()
    lead = text[slot.value + 1 : items[0].start] if items else ""
    inner = lead.rpartition("\n")[2] if "\n" in lead else indent + style.unit
    by_content: dict[str, deque[int]] = defaultdict(deque)
    for number, item in enumerate(items):
        by_content[_signature(item.content)].append(number)
    pieces = []
    for value in values:
        same = by_content.get(_signature(value))
        if same:
            old = same.popleft()
            pieces.append(_Piece(text[items[old].start : items[old].end], old))
        else:
            pieces.append(_Piece(encode(value, style, inner)))
    return _join(text, (slot.value + 1, slot.end - 1), items, pieces, _gaps(style, indent))


def _gaps(style: Style, indent: str) -> _Gaps:
    if style.form is Form.FLAT:
        return _Gaps(comma=style.comma)
    lead = f"{style.newline}{indent}{style.unit}"
    return _Gaps(lead, f",{lead}", f"{style.newline}{indent}")


def _join(text: str, bounds: tuple[int, int], slots: Sequence[Slot], pieces: Sequence[_Piece], gaps: _Gaps) -> str:
    """Set pieces between two brackets, with the white space that stood there before wherever it still fits."""
    start, end = bounds
    if not pieces:
        return "" if slots else text[start:end]
    separators = [text[before.end : after.start] for before, after in pairwise(slots)]
    if slots:
        lead = text[start : slots[0].start]
        gaps = _Gaps(lead, _most_common(separators, f",{lead}"), text[slots[-1].end : end])
    written = [gaps.lead, pieces[0].text]
    for before, after in pairwise(pieces):
        if before.old is not None and before.old < len(separators):
            written.append(separators[before.old])
        elif after.old:
            written.append(separators[after.old - 1])
        else:
            written.append(gaps.comma)
        written.append(after.text)
    return "".join([*written, gaps.tail])


def _most_common(texts: Iterable[str], otherwise: str) -> str:
    counted = Counter(texts).most_common(1)
    return counted[0][0] if counted else otherwise


def _signature(value: Json) -> str:
    """Return a text that is equal for equal JSON only: key order counts, and 1 is not 1.0."""
    return json.dumps(value)
