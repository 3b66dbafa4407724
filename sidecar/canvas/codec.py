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
    lead = source.text[source.start + 1 : source.members[0].start]
    indent = lead.rpartition("\n")[2] if "\n" in lead else ""
    order: list[Slot | str] = [slot for slot in source.members if slot.key in members]
    order += [key for key in members if key not in source.live]
    return _object(source, order, members, style_of(source), indent)


def _object(source: Source, order: Iterable[Slot | str], members: Mapping[str, Json], style: Style, indent: str) -> str:
    """Write an object anew: members that were there (slots) as they stood, new ones (names) spaced like the first."""
    numbers = {slot.start: number for number, slot in enumerate(source.members)}
    first = source.members[0]
    colon = source.text[first.start : first.value].rpartition('"')[2]
    pieces = []
    for entry in order:
        if isinstance(entry, str):
            value = encode(members[entry], style, indent)
            pieces.append(_Piece(encode(entry, style, "") + colon + value))
            continue
        text = source.text[entry.start : entry.end]
        if source.live[entry.key] is entry:
            value = _member_value(source, entry, members[entry.key], style, indent)
            text = source.text[entry.start : entry.value] + value
        pieces.append(_Piece(text, numbers[entry.start]))
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
    same = [by_content[sign].popleft() if by_content.get(sign) else None for sign in map(_signature, values)]
    changed = _by_id(items, [number for numbers in by_content.values() for number in numbers])
    pieces = []
    for value, old in zip(values, same, strict=True):
        if old is None:
            old = changed.pop(_id(value), None)  # noqa: PLW2901 - a changed object stands where it stood
            written = encode(value, style, inner) if old is None else _changed(text, items[old], value, style, inner)
            pieces.append(_Piece(written, old))
        else:
            pieces.append(_Piece(text[items[old].start : items[old].end], old))
    return _join(text, (slot.value + 1, slot.end - 1), items, pieces, _gaps(style, indent))


def _by_id(items: Sequence[Slot], numbers: Sequence[int]) -> dict[str, int]:
    """Return the elements that can be told by their id."""
    ids = [_id(items[number].content) for number in numbers]
    counts = Counter(ids)
    return {name: number for name, number in zip(ids, numbers, strict=True) if name and counts[name] == 1}


def _id(value: Json) -> str:
    name = value.get("id") if isinstance(value, dict) else None
    return name if isinstance(name, str) else ""


def _changed(text: str, slot: Slot, value: Json, style: Style, indent: str) -> str:
    """Write an element in which only some members are others."""
    source = scan(text[slot.start : slot.end])
    if not isinstance(value, dict) or len(source.live) < len(source.members):
        return encode(value, style, indent)
    return _object(source, [source.live.get(key, key) for key in value], value, style, indent)


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
        plain = f",{lead}"  # without the blank lines that some gaps may have
        comma = plain if plain in separators else _most_common(separators, plain)
        gaps = _Gaps(lead, comma, text[slots[-1].end : end])
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
