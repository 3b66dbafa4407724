"""Edits of single properties that leave every other byte of the note alone (contract Y3-Y5, Y7)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sidecar.errors import Ambiguous, Invalid, Refused
from sidecar.model.note import Json
from sidecar.parse.frontmatter import Block, block_of, read_properties
from sidecar.parse.yaml_outline import Entry, Outline, Place, Shape, outline
from sidecar.parse.yaml_writer import dump_entry, dump_flow, dump_item, dump_value

__all__ = ["PropertiesUnreadable", "PropertyNotEditable", "add_to_list", "remove_property", "set_property"]

_LOOKS_LIKE_PROPERTIES = re.compile(r"---\r?\n[ \t]*[^\s#:-][^\r\n:]*:(?:[ \t\r\n]|\Z)")
_COMMENT = re.compile(r"[ \t]+#.*")
_TIE = re.compile(r"(?:^|[\s\[{,])[&*]\w", re.MULTILINE)
_MAX_NAME = 1000
"""YAML readers take no longer names before a colon."""


class PropertiesUnreadable(Refused):
    """The block is not valid, so nobody may write into it (contract Y3); ``data`` has ``line``, in the file."""

    def __init__(self, problem: str, line: int) -> None:
        super().__init__(
            f"The note's properties cannot be read: {problem} (line {line}).",
            hint=f"Nothing was changed. Correct line {line} first, then edit the properties.",
            data={"line": line},
        )


class PropertyNotEditable(Refused):
    """The property is written in a way in which a change would reach further than its own lines."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(
            f"The property '{name}' cannot be changed safely: {why}.",
            hint="Nothing was changed. Edit the text of the properties instead.",
            data={"property": name},
        )


def set_property(text: str, name: str, value: Json, newline: str) -> str:
    """Give a property a value; without change when it has it (contract Y5).

    A property that is there keeps its spelling, its place and the comment behind it; a new one becomes the last.
    A note without properties gets a block.

    Raises:
        PropertiesUnreadable: when the block does not parse.
        PropertyNotEditable: when more than this property would change.
        Ambiguous: when several spellings of the name stand there and none is this one.

    """
    target = _find(text, name, newline)
    if target is None:
        _check_name(name)
        block = f"---\n{dump_entry(name, value)}---\n".replace("\n", newline)
        return _checked(text, block + text, name, {name: value})
    if target.entry is None:
        _check_name(name)
        return target.checked(target.with_new_entry(name, value), value)
    if _same(target.value, value):
        return text
    return target.checked(target.with_value(target.entry, value), value)


def remove_property(text: str, name: str, newline: str) -> str:
    """Remove a property with its lines; the block goes with its last line. Absent ones change nothing.

    Raises:
        PropertiesUnreadable: when the block does not parse.
        PropertyNotEditable: when more than this property would change.
        Ambiguous: when several spellings of the name stand there and none is this one.

    """
    target = _find(text, name, newline)
    if target is None or target.entry is None:
        return text
    expected = {key: value for key, value in target.values.items() if key != target.entry.name}
    after = target.without(target.entry)
    block = block_of(after)
    if block and not after[block.yaml_start : block.yaml_end].strip():
        body = after[block.end :]
        # A body that opens like a block must not become one.
        after = after if block_of(body) else body
    return _checked(text, after, target.entry.name, expected)


def add_to_list(text: str, name: str, values: Sequence[Json], newline: str) -> str:
    """Add members to a list property, each once; the members that are there keep their bytes (case C03).

    One value becomes a list of it and the new ones. A missing or empty property becomes a list.

    Raises:
        PropertiesUnreadable: when the block does not parse.
        PropertyNotEditable: when it is a mapping, or more than this property would change.
        Ambiguous: when several spellings of the name stand there and none is this one.

    """
    target = _find(text, name, newline)
    if target is None or target.entry is None:
        return set_property(text, name, _new_members([], values), newline) if values else text
    entry, old = target.entry, target.value
    if isinstance(old, dict):
        raise PropertyNotEditable(entry.name, "it holds named values, not a list")
    members = old if isinstance(old, list) else [] if old is None else [old]
    added = _new_members(members, values)
    if not added:
        return text
    if entry.shape is Shape.ALIAS:
        raise PropertyNotEditable(entry.name, "its value stands at another property")
    if entry.shape is Shape.FLOW_LIST:
        after = target.with_flow_items(entry, added)
    elif entry.shape is Shape.LIST:
        after = target.with_items(entry, added)
    elif entry.is_one_line_scalar and not isinstance(old, list):
        after = target.with_scalar_as_list(entry, added)
    else:
        after = target.with_value(entry, [*members, *added])
    return target.checked(after, [*members, *added])


def _check_name(name: str) -> None:
    if not name.strip() or name != name.strip() or "\n" in name or len(name) > _MAX_NAME:
        raise Invalid(
            f"'{name[:50]}' cannot be the name of a property.",
            hint="Give one line of text without spaces around it.",
        )


def _new_members(members: Sequence[Json], values: Sequence[Json]) -> list[Json]:
    added: list[Json] = []
    for value in values:
        if not any(_same(value, known) for known in (*members, *added)):
            added.append(value)
    return added


def _same(left: Json, right: Json) -> bool:
    """Compare as JSON does: ``1`` is ``1.0`` but not ``true``."""
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(_same(value, right[key]) for key, value in left.items())
    return isinstance(left, bool) is isinstance(right, bool) and left == right


def _find(text: str, name: str, newline: str) -> "_Target | None":
    properties, block = read_properties(text), block_of(text)
    if properties.problem:
        raise PropertiesUnreadable(properties.problem.message, properties.problem.line)
    if block is None:
        if _LOOKS_LIKE_PROPERTIES.match(text):
            raise PropertiesUnreadable("the block that opens there is never closed by '---'", 1)
        return None
    found = outline(text[block.yaml_start : block.yaml_end])
    spellings = [entry for entry in found.entries if entry.name.lower() == name.lower()]
    exact = [entry for entry in spellings if entry.name == name]
    if len(spellings) > 1 and not exact:
        names = [entry.name for entry in spellings]
        raise Ambiguous(
            f"The note spells the property '{name}' in {len(names)} ways.",
            hint="Name one of them exactly.",
            candidates=names,
        )
    return _Target(text, newline, block, found, name, next(iter(exact or spellings), None))


def _checked(before: str, after: str, name: str, expected: dict[str, Json]) -> str:
    """Read the edited note again: nothing but the one property may have changed."""
    old, new = read_properties(before), read_properties(after)
    is_right = (
        new.problem is None
        and list(new.values) == list(expected)
        and _same(new.values, expected)
        and after[new.body_start :] == before[old.body_start :]
    )
    if is_right:
        return after
    tied = _TIE.search(before[: old.body_start])
    raise PropertyNotEditable(
        name,
        "an anchor or alias ties it to others" if tied else "the lines around it would be read differently",
    )


@dataclass(frozen=True, slots=True)
class _Target:
    """A readable block, the property in question if it is there, and the edits of its lines."""

    text: str
    newline: str
    block: Block
    outline: Outline
    name: str
    entry: Entry | None

    @property
    def values(self) -> dict[str, Json]:
        return self.outline.value if isinstance(self.outline.value, dict) else {}

    @property
    def value(self) -> Json:
        return self.values[self.entry.name] if self.entry else None

    def checked(self, after: str, value: Json) -> str:
        name = self.entry.name if self.entry else self.name
        return _checked(self.text, after, name, {**self.values, name: value})

    def with_new_entry(self, name: str, value: Json) -> str:
        lines = self._lines()
        indent = self._indent()
        new = [indent + line if line else line for line in dump_entry(name, value).removesuffix("\n").split("\n")]
        return self._rebuilt([*lines[:-1], *self._in_style(new), lines[-1]])

    def with_value(self, entry: Entry, value: Json) -> str:
        indent = self._indent()
        first, *rest = dump_value(value).removesuffix("\n").split("\n")
        new = [
            self._key(entry) + first + self._comment(entry),
            *(indent + line if line else line for line in rest),
        ]
        return self._replaced(entry, self._in_style(new))

    def without(self, entry: Entry) -> str:
        self._key(entry)
        return self._replaced(entry, [])

    def with_flow_items(self, entry: Entry, values: Sequence[Json]) -> str:
        lines = self._lines()
        items = ", ".join(map(dump_flow, values))
        if entry.last_item_end:
            at, items = entry.last_item_end, f", {items}"
        else:
            start = entry.value_start
            at = Place(start.line, lines[start.line].index("[", start.column) + 1)
        line = lines[at.line]
        lines[at.line] = line[: at.column] + items + line[at.column :]
        return self._rebuilt(lines)

    def with_items(self, entry: Entry, values: Sequence[Json]) -> str:
        lines = self._lines()
        at = entry.first_item.line if entry.first_item else entry.value_start.line
        while at > entry.value_start.line and not lines[at].lstrip().startswith("-"):
            at -= 1
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        new = "".join(dump_item(value, indent) for value in values).removesuffix("\n").split("\n")
        behind = entry.value_end.line + 1
        return self._rebuilt([*lines[:behind], *self._in_style(new), *lines[behind:]])

    def with_scalar_as_list(self, entry: Entry, values: Sequence[Json]) -> str:
        lines = self._lines()
        indent = self._indent() + "  "
        written = lines[entry.value_start.line][entry.value_start.column :].removesuffix("\r")
        new = "".join(dump_item(value, indent) for value in values).removesuffix("\n").split("\n")
        return self._replaced(entry, self._in_style([self._key(entry), f"{indent}- {written}", *new]))

    def _key(self, entry: Entry) -> str:
        """Return ``name:`` as it is written."""
        line = self._lines()[entry.key_start.line]
        before, behind = line[: entry.key_start.column], line[entry.key_end.column :]
        if entry.key_start.line != entry.key_end.line or before.strip() or not behind.lstrip().startswith(":"):
            raise PropertyNotEditable(entry.name, "its name is written with '?'")
        return line[: entry.key_end.column] + behind[: behind.index(":") + 1]

    def _comment(self, entry: Entry) -> str:
        line = self._lines()[entry.key_start.line].removesuffix("\r")
        is_inline = entry.value_start.line == entry.value_end.line == entry.key_start.line
        found = _COMMENT.fullmatch(line, entry.value_end.column if is_inline else len(self._key(entry)))
        return found[0] if found else ""

    def _indent(self) -> str:
        return " " * self.outline.entries[0].key_start.column if self.outline.entries else ""

    def _lines(self) -> list[str]:
        if self.outline.is_flow:
            raise PropertyNotEditable(self.name, "the properties are written in braces, like JSON")
        return self.text[self.block.yaml_start : self.block.yaml_end].split("\n")

    def _in_style(self, lines: Sequence[str]) -> list[str]:
        return [line + self.newline[:-1] for line in lines]

    def _replaced(self, entry: Entry, new: Sequence[str]) -> str:
        lines = self._lines()
        return self._rebuilt([*lines[: entry.key_start.line], *new, *lines[entry.value_end.line + 1 :]])

    def _rebuilt(self, lines: Sequence[str]) -> str:
        return self.text[: self.block.yaml_start] + "\n".join(lines) + self.text[self.block.yaml_end :]
