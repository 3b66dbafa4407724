"""Files in which Claude Code keeps memories: both generations are read, new ones made, old ones edited by the line."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from sidecar.errors import Invalid
from sidecar.model.note import Json, PropertyProblem
from sidecar.model.path import VaultPath, check_new_path
from sidecar.parse.edit_properties import set_property
from sidecar.parse.frontmatter import aliases_of, block_of, read_properties
from sidecar.parse.memory_index import INDEX_NAME
from sidecar.parse.text import SourceText
from sidecar.parse.yaml_outline import Shape, outline
from sidecar.parse.yaml_writer import dump_mapping

__all__ = [
    "MemoryForm",
    "MemoryText",
    "MemoryType",
    "check_name",
    "new_memory",
    "read_memory",
    "time_text",
    "with_body",
    "with_properties",
]

_DETAILS = "metadata"
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_LONGEST_NAME = 100


class MemoryType(StrEnum):
    """What a memory is about."""

    USER = "user"
    FEEDBACK = "feedback"
    PROJECT = "project"
    REFERENCE = "reference"


class MemoryForm(StrEnum):
    """Where a new file keeps type and time: below ``metadata`` as Claude Code does, or as properties of their own."""

    NESTED = "nested"
    FLAT = "flat"


@dataclass(frozen=True, slots=True)
class MemoryText:
    """What a memory's file says; the older generation writes a title for people into ``name``."""

    name: str | None
    description: str
    type: str | None
    """As it is written, so perhaps none of :class:`MemoryType`."""
    modified: str | None
    aliases: tuple[str, ...]
    problem: PropertyProblem | None
    body: str
    """Without the empty lines around it."""


def read_memory(text: str) -> MemoryText:
    """Read a memory of either generation; what is not there or not readable is empty, never an error."""
    read = read_properties(text)
    values = read.values
    details = values.get(_DETAILS)
    inner = details if isinstance(details, dict) else {}
    return MemoryText(
        name=_text(values, "name"),
        description=_text(values, "description") or "",
        type=_text(inner, "type") or _text(values, "type"),
        modified=_text(inner, "modified") or _text(values, "modified"),
        aliases=aliases_of(values),
        problem=read.problem,
        body=text[read.body_start :].strip("\r\n"),
    )


def new_memory(*, name: str, description: str, kind: MemoryType, body: str, modified: str, form: MemoryForm) -> str:
    """Write a new memory; its description becomes one line."""
    about: dict[str, Json] = {"type": kind.value, "modified": modified}
    values: dict[str, Json] = {"name": name, "description": _one_line(description)}
    values |= {_DETAILS: {"node_type": "memory", **about}} if form is MemoryForm.NESTED else about
    text = body.replace("\r\n", "\n").strip("\n")
    return f"---\n{dump_mapping(values)}---\n" + (f"\n{text}\n" if text else "")


def with_properties(
    source: SourceText,
    *,
    form: MemoryForm,
    description: str | None = None,
    kind: MemoryType | None = None,
    modified: str | None = None,
) -> str:
    """Give a memory another description, type or time, each where the file keeps it; all other lines stay.

    A file without properties gets some only for a description or type; the time alone is not worth them.

    Raises:
        PropertiesUnreadable: when the block does not parse.
        PropertyNotEditable: when more than this property would change.

    """
    text, newline = source.text, source.newline
    if description is not None:
        text = set_property(text, "description", _one_line(description), newline)
    if kind is not None:
        text = _set(text, "type", kind.value, newline, form)
    if modified is not None and block_of(text) is not None:
        text = _set(text, "modified", modified, newline, form)
    return text


def with_body(source: SourceText, body: str) -> str:
    """Put another body below the properties; an empty line between them stays, and so does a missing one."""
    block = block_of(source.text)
    head, old = (source.text[: block.end], source.text[block.end :]) if block else ("", source.text)
    text = source.in_style(body.replace("\r\n", "\n").strip("\n"))
    gap = source.newline if head and text and (not old.strip() or old[:1] in "\r\n") else ""
    return f"{head}{gap}{text}{source.newline if text else ''}"


def time_text(ns: int) -> str:
    """Return a moment as Claude Code writes it: UTC, with milliseconds."""
    return datetime.fromtimestamp(ns // 1_000_000 / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def check_name(name: str) -> str:
    """Return a name that can be the one of a new memory.

    Raises:
        Invalid: when it is no slug, or no file may be called so; the hint has the nearest slug.

    """
    slug = name.strip().removesuffix(".md")
    if not _NAME.fullmatch(slug) or len(slug) > _LONGEST_NAME or f"{slug}.md" == INDEX_NAME.lower():
        nearest = re.sub(r"[^a-z0-9]+", "-", slug.lower())[:_LONGEST_NAME].strip("-")
        use = f"Use '{nearest}'" if nearest and nearest != slug else "Use another name"
        raise Invalid(
            f"'{name[:_LONGEST_NAME]}' cannot be the name of a memory: small letters, digits, '-' and '_' only, at "
            f"most {_LONGEST_NAME} of them.",
            hint=f"{use}, a few words that say what it is about.",
        )
    check_new_path(VaultPath(f"{slug}.md"))
    return slug


def _text(values: Mapping[str, Json], name: str) -> str | None:
    value = values.get(name)
    return " ".join(value.split()) or None if isinstance(value, str) else None


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _set(text: str, name: str, value: str, newline: str, form: MemoryForm) -> str:
    values = read_properties(text).values
    details = values.get(_DETAILS)
    if isinstance(details, dict) and (name in details or name not in values):
        return _set_inside(text, details, name, value, newline)
    is_older = name in values or "type" in values or details is not None
    if is_older or form is MemoryForm.FLAT:
        return set_property(text, name, value, newline)
    return set_property(text, _DETAILS, {"node_type": "memory", name: value}, newline)


def _set_inside(text: str, details: Mapping[str, Json], name: str, value: str, newline: str) -> str:
    """Change one line below ``metadata``, whatever the lines beside it look like."""
    if details.get(name) == value:
        return text
    goal = {**details, name: value}
    edited = _edited_inside(text, name, value, newline)
    if edited is not None and read_properties(edited).values == {**read_properties(text).values, _DETAILS: goal}:
        return edited
    return set_property(text, _DETAILS, goal, newline)


def _edited_inside(text: str, name: str, value: str, newline: str) -> str | None:
    """Edit the lines below ``metadata:`` like a block of their own; ``None`` where they are no such lines."""
    block = block_of(text)
    if block is None:
        return None
    yaml = text[block.yaml_start : block.yaml_end]
    entry = next(entry for entry in outline(yaml).entries if entry.name == _DETAILS)
    first, last, indent = entry.value_start.line, entry.value_end.line, " " * entry.value_start.column
    lines = yaml.split("\n")
    inner = lines[first : last + 1]
    if entry.shape is not Shape.MAPPING or first == entry.key_start.line:
        return None
    if not all(line.startswith(indent) or not line.strip() for line in inner):
        return None
    fence = f"---{newline}"
    own = "\n".join(line.removeprefix(indent) for line in inner)
    edited = set_property(f"{fence}{own}\n{fence}", name, value, newline)
    now = edited[len(fence) : -len(fence)].removesuffix("\n").split("\n")
    lines[first : last + 1] = [indent + line if line.strip() else line for line in now]
    return text[: block.yaml_start] + "\n".join(lines) + text[block.yaml_end :]
